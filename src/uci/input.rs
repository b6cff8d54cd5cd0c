//! The commands of the input.

use crate::{
    engine::{Command, GoRequest, InputError},
    openings::GenFens,
};

/// The command of a line.
#[derive(Debug)]
pub(super) enum Input {
    /// Passed on to the engine as it is.
    Engine(Command),
    /// A search, not yet numbered.
    Go(GoRequest),
    Stop,
    PonderHit,
    Quit,
    /// Perft to this depth in plies.
    Perft(u32),
    /// Search the bench positions to this depth in plies, or the default depth.
    Bench(Option<u32>),
    /// Print openings for OpenBench.
    GenFens(GenFens),
    Show(View),
}

/// A view of the engine's state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum View {
    Board,
    Eval,
    Sliders,
    Help,
}

/// A parsed line: its command, if it has one, and the errors in it.
#[derive(Debug)]
pub(super) struct Parsed {
    pub(super) input: Option<Input>,
    pub(super) errors: Vec<InputError>,
}

/// The first word of a command.
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
    /// The keyword with this name, without regard to case.
    pub(super) fn of(word: &str) -> Option<Self> {
        KEYWORDS.into_iter().find(|(name, _)| word.eq_ignore_ascii_case(name)).map(|(_, keyword)| keyword)
    }

    /// The name of the keyword.
    pub(super) fn name(self) -> &'static str {
        KEYWORDS.into_iter().find(|&(_, keyword)| keyword == self).map_or("", |(name, _)| name)
    }

    /// True if the command is part of the UCI protocol.
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

    /// The command without arguments, if it can do without them.
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
