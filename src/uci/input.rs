//! What a line of input can say.

use crate::{
    datagen::{GenFens, GenFensSyntax},
    engine::{Command, GoRequest},
};

/// A line, understood.
#[derive(Debug)]
pub(super) enum Input {
    /// For the engine as it is.
    Engine(Command),
    /// A search, which the reader has yet to number.
    Go(GoRequest),
    Stop,
    PonderHit,
    Quit,
    /// Count the leaves of the move tree, to this depth in plies.
    Perft(u32),
    /// Search the bench positions, to this depth in plies or the usual one.
    Bench(Option<u32>),
    /// Print openings.
    GenFens(GenFens),
    Show(View),
}

/// What can be looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum View {
    Board,
    Eval,
    Sliders,
    Help,
}

/// A line's meaning, if it has one, and what in it had to be skipped.
#[derive(Debug)]
pub(super) struct Parsed {
    pub(super) input: Option<Input>,
    pub(super) faults: Vec<Fault>,
}

/// What was wrong with a line, or with a part of it that was skipped.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum Fault {
    #[error("unknown command `{0}`, try `help`")]
    UnknownCommand(String),
    #[error("skipped `{word}`, which `{command}` does not know")]
    UnknownWord { command: &'static str, word: String },
    #[error("skipped `{0}`, which needs a number")]
    NoNumber(&'static str),
    #[error("skipped `{keyword} {value}`, which is no number")]
    BadNumber { keyword: &'static str, value: String },
    #[error("skipped `{keyword} {value}`, which is out of range")]
    OutOfRange { keyword: &'static str, value: i64 },
    #[error("skipped `searchmoves {0}`, which is no move")]
    BadSearchMove(String),
    #[error("write `setoption name <option> value <value>`")]
    NoOptionName,
    #[error("write `debug on` or `debug off`")]
    NoSwitch,
    #[error("write `genfens <count> seed <number> book <None or path>`")]
    GenFens(#[from] GenFensSyntax),
}

/// The word that a command starts with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Keyword {
    Uci,
    Debug,
    IsReady,
    SetOption,
    Register,
    NewGame,
    Position,
    Go,
    Stop,
    PonderHit,
    Quit,
    Bench,
    Perft,
    Display,
    Eval,
    Sliders,
    Flip,
    Help,
    GenFens,
}

const KEYWORDS: [(&str, Keyword); 19] = [
    ("uci", Keyword::Uci),
    ("debug", Keyword::Debug),
    ("isready", Keyword::IsReady),
    ("setoption", Keyword::SetOption),
    ("register", Keyword::Register),
    ("ucinewgame", Keyword::NewGame),
    ("position", Keyword::Position),
    ("go", Keyword::Go),
    ("stop", Keyword::Stop),
    ("ponderhit", Keyword::PonderHit),
    ("quit", Keyword::Quit),
    ("bench", Keyword::Bench),
    ("perft", Keyword::Perft),
    ("d", Keyword::Display),
    ("eval", Keyword::Eval),
    ("sliders", Keyword::Sliders),
    ("flip", Keyword::Flip),
    ("help", Keyword::Help),
    ("genfens", Keyword::GenFens),
];

impl Keyword {
    /// The keyword that `word` is, in either case.
    pub(super) fn of(word: &str) -> Option<Self> {
        KEYWORDS.into_iter().find(|(name, _)| word.eq_ignore_ascii_case(name)).map(|(_, keyword)| keyword)
    }

    /// The keyword as it is written.
    pub(super) fn name(self) -> &'static str {
        KEYWORDS.into_iter().find(|&(_, keyword)| keyword == self).map_or("", |(name, _)| name)
    }

    /// All keywords as they are written.
    pub(super) fn names() -> impl Iterator<Item = &'static str> {
        KEYWORDS.into_iter().map(|(name, _)| name)
    }

    /// Whether the UCI protocol has this command, rather than we alone.
    pub(super) fn is_protocol(self) -> bool {
        !matches!(
            self,
            Self::Bench
                | Self::Perft
                | Self::Display
                | Self::Eval
                | Self::Sliders
                | Self::Flip
                | Self::Help
                | Self::GenFens
        )
    }

    /// What the keyword means with nothing after it, if it can stand alone.
    pub(super) fn alone(self) -> Option<Input> {
        Some(match self {
            Self::Uci => Input::Engine(Command::Identify),
            Self::IsReady => Input::Engine(Command::Ready),
            Self::NewGame => Input::Engine(Command::NewGame),
            Self::Go => Input::Go(GoRequest::default()),
            Self::Stop => Input::Stop,
            Self::PonderHit => Input::PonderHit,
            Self::Quit => Input::Quit,
            Self::Bench => Input::Bench(None),
            Self::Display => Input::Show(View::Board),
            Self::Eval => Input::Show(View::Eval),
            Self::Sliders => Input::Show(View::Sliders),
            Self::Flip => Input::Engine(Command::Flip),
            Self::Help => Input::Show(View::Help),
            Self::Debug | Self::SetOption | Self::Register | Self::Position | Self::Perft | Self::GenFens => {
                return None;
            }
        })
    }
}
