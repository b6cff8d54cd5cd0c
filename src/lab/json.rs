//! Just enough of JSON to write reports.

use std::fmt::{self, Write};

/// A value to be written. Numbers are written as Rust does, and those that JSON has no sign for as null.
pub(super) enum Json {
    Text(String),
    Number(f64),
    Integer(u64),
    List(Vec<Json>),
    Object(Vec<(&'static str, Json)>),
}

impl From<&str> for Json {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => quote(f, text),
            Self::Number(number) if number.is_finite() => write!(f, "{number}"),
            Self::Number(_) => f.write_str("null"),
            Self::Integer(number) => write!(f, "{number}"),
            Self::List(values) => {
                f.write_char('[')?;
                for (index, value) in values.iter().enumerate() {
                    write!(f, "{}{value}", if index > 0 { "," } else { "" })?;
                }
                f.write_char(']')
            }
            Self::Object(fields) => {
                f.write_char('{')?;
                for (index, (name, value)) in fields.iter().enumerate() {
                    f.write_str(if index > 0 { "," } else { "" })?;
                    quote(f, name)?;
                    write!(f, ":{value}")?;
                }
                f.write_char('}')
            }
        }
    }
}

fn quote(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    f.write_char('"')?;
    for sign in text.chars() {
        match sign {
            '"' | '\\' => write!(f, "\\{sign}")?,
            '\0'..='\u{1f}' => write!(f, "\\u{:04x}", u32::from(sign))?,
            _ => f.write_char(sign)?,
        }
    }
    f.write_char('"')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_as_json_has_them() {
        let value = Json::Object(vec![
            ("text", Json::from("a \"b\"\\\n")),
            ("list", Json::List(vec![Json::Number(0.5), Json::Number(f64::NAN), Json::Integer(7)])),
            ("none", Json::List(vec![])),
        ]);
        assert_eq!(value.to_string(), r#"{"text":"a \"b\"\\\u000a","list":[0.5,null,7],"none":[]}"#);
    }
}
