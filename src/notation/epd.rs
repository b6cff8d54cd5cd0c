//! Extended Position Description (EPD): a position with operations.

use std::str::FromStr;

use crate::position::{FenError, Position, Setup};

/// A line of Extended Position Description: four FEN fields, then operations such as `id "name";` or `bm Nf3;`.
///
/// ```
/// # use sleight::notation::Epd;
/// let epd: Epd = r#"8/8/8/8/8/5k2/6p1/7K w - - id "cornered; almost"; bm Kh2;"#.parse().unwrap();
/// assert_eq!(epd.id(), Some("cornered; almost"));
/// assert_eq!(epd.operands("bm"), ["Kh2"]);
/// ```
#[derive(Clone, Debug)]
pub struct Epd {
    /// The position; its counters are 0 and 1 unless `hmvc` and `fmvn` say otherwise.
    pub position: Position,
    operations: Vec<Vec<String>>,
}

/// The reason why a line is refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EpdError {
    /// The position is not readable or illegal.
    #[error(transparent)]
    Position(#[from] FenError),
    /// A quotation mark is missing.
    #[error("a quotation is not closed")]
    OpenQuote,
}

impl Epd {
    /// The operands of the first operation called `opcode`; none if it is absent.
    pub fn operands(&self, opcode: &str) -> &[String] {
        let operation = self.operations.iter().find(|words| words[0] == opcode);
        operation.map_or(&[], |words| &words[1..])
    }

    /// The name of the position, the operand of `id`.
    pub fn id(&self) -> Option<&str> {
        self.operands("id").first().map(String::as_str)
    }
}

impl FromStr for Epd {
    type Err = EpdError;

    fn from_str(line: &str) -> Result<Self, EpdError> {
        let mut rest = line.trim_start();
        let mut fields = Vec::with_capacity(6);
        for field in 0..4 {
            if rest.is_empty() {
                return Err(FenError::Fields(field).into());
            }
            let (text, after) = rest.split_at(rest.find(char::is_whitespace).unwrap_or(rest.len()));
            fields.push(text);
            rest = after.trim_start();
        }
        let operations = operations(rest)?;
        let counter = |opcode| {
            let operation = operations.iter().find(|words| words[0] == opcode);
            operation.and_then(|words| words.get(1)).map_or("-", String::as_str)
        };
        fields.extend([counter("hmvc"), counter("fmvn")]);
        let (setup, _) = Setup::from_fen_fields(&fields, true)?;
        let position = setup.position().map_err(FenError::from)?;
        Ok(Self { position, operations })
    }
}

/// Splits at blanks and semicolons, except within double quotes.
fn operations(text: &str) -> Result<Vec<Vec<String>>, EpdError> {
    let mut operations = vec![Vec::new()];
    let mut word = None;
    let mut quoted = false;
    for sign in text.chars().chain(std::iter::once(';')) {
        let ends_word = !quoted && (sign == ';' || sign.is_whitespace());
        if sign == '"' {
            quoted = !quoted;
            word.get_or_insert_with(String::new);
        } else if !ends_word {
            word.get_or_insert_with(String::new).push(sign);
        } else if let (Some(word), Some(operation)) = (word.take(), operations.last_mut()) {
            operation.push(word);
        }
        if ends_word && sign == ';' {
            operations.push(Vec::new());
        }
    }
    operations.retain(|operation: &Vec<String>| !operation.is_empty());
    if quoted { Err(EpdError::OpenQuote) } else { Ok(operations) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_are_optional_and_counters_may_be_given() {
        let epd: Epd = " 4k3/8/8/8/8/8/8/4K2R  w K  -".parse().unwrap();
        assert_eq!((epd.id(), epd.position.fen().as_str()), (None, "4k3/8/8/8/8/8/8/4K2R w K - 0 1"));
        let epd: Epd = "4k3/8/8/8/8/8/8/4K2R w K - hmvc 7; fmvn 31;bm O-O Rh8+ ; id \"\"".parse().unwrap();
        assert_eq!((epd.id(), epd.position.fen().as_str()), (Some(""), "4k3/8/8/8/8/8/8/4K2R w K - 7 31"));
        assert_eq!(epd.operands("bm"), ["O-O", "Rh8+"]);
    }

    #[test]
    fn nonsense_is_refused() {
        let error = |line: &str| line.parse::<Epd>().unwrap_err();
        assert!(matches!(error(""), EpdError::Position(_)));
        assert!(matches!(error("4k3/8/8/8/8/8/8/4K3 w -"), EpdError::Position(_)));
        assert_eq!(error("4k3/8/8/8/8/8/8/4K3 w - - id \"a"), EpdError::OpenQuote);
    }
}
