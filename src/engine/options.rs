use std::{
    ffi::{OsStr, OsString},
    fmt,
};

use super::strength::{FULL_SKILL, MAX_ELO, MIN_ELO, Strength};
use crate::{search::SyzygyOptions, util::excerpt};

/// The values of the UCI options. [`OPTIONS`] is the only list of their names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct EngineOptions {
    /// `Hash`: size of the transposition table, in MiB.
    pub hash: usize,
    /// `Threads`: number of search threads.
    pub threads: usize,
    /// `MultiPV`: number of best lines that are searched and shown.
    pub multi_pv: usize,
    /// `Move Overhead`: milliseconds that are lost between the engine's move and the clock.
    pub move_overhead: i64,
    /// `UCI_Chess960`: castling is written as king takes rook.
    pub chess960: bool,
    /// `UCI_ShowWDL`: the win, draw and loss chances are shown after each score.
    pub show_wdl: bool,
    /// `Ponder`: the GUI may use `go ponder`. Without effect: the engine ponders whenever it is told to.
    pub ponder: bool,
    /// `UCI_AnalyseMode`: the GUI analyzes, always at full strength.
    pub analyse: bool,
    /// `UCI_LimitStrength`: `elo` limits the strength, whatever `skill` says.
    pub limit_strength: bool,
    /// `UCI_Elo`: the Elo to play at.
    pub elo: i64,
    /// `Skill Level`: 0 to 20, which is full strength.
    pub skill: i64,
    /// `UCI_Opponent`: title, rating, type and name of the opponent, as the GUI gives them.
    pub opponent: OsString,
    /// `EvalFile`: path of the network; empty for the embedded one.
    pub eval_file: OsString,
    /// `SyzygyPath`: directories of tablebases, as the user wrote them.
    pub syzygy_path: OsString,
    /// The open tablebases and the other `Syzygy…` options.
    pub syzygy: SyzygyOptions,
}

impl Default for EngineOptions {
    fn default() -> Self {
        Self {
            hash: 16,
            threads: 1,
            multi_pv: 1,
            move_overhead: 10,
            chess960: false,
            show_wdl: false,
            ponder: false,
            analyse: false,
            limit_strength: false,
            elo: 1500,
            skill: FULL_SKILL,
            opponent: OsString::new(),
            eval_file: OsString::new(),
            syzygy_path: OsString::new(),
            syzygy: SyzygyOptions::default(),
        }
    }
}

impl EngineOptions {
    /// The limit on the strength; `None` for full strength.
    pub(super) fn strength(&self) -> Option<Strength> {
        match (self.analyse, self.limit_strength) {
            (true, _) => None,
            (false, true) => Some(Strength::of_elo(self.elo)),
            (false, false) => Strength::of_skill(self.skill),
        }
    }
}

/// The effect of an option's change, besides storing its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Effect {
    /// Nothing: the next search reads it.
    None,
    /// Resize or clear the transposition table.
    Hash,
    /// Restart the search threads.
    Threads,
    /// Open the tablebases.
    Tablebases,
    /// Load the network.
    Network,
}

/// A UCI option: how it is announced, and how it is set.
#[derive(Debug)]
pub(crate) struct OptionSpec {
    /// The name, which may contain blanks.
    pub name: &'static str,
    kind: Kind,
    effect: Effect,
}

#[derive(Debug)]
enum Kind {
    Spin { min: i64, max: i64, get: fn(&EngineOptions) -> i64, set: fn(&mut EngineOptions, i64) },
    Check { get: fn(&EngineOptions) -> bool, set: fn(&mut EngineOptions, bool) },
    Text { get: fn(&EngineOptions) -> &OsStr, set: fn(&mut EngineOptions, OsString) },
    Button,
}

/// Largest `Hash`, in MiB: what one allocation may have of an address space of 32 bits.
const MAX_HASH: i64 = if usize::BITS > 32 { 1_048_576 } else { 1024 };
/// Largest `Threads`.
const MAX_THREADS: i64 = if cfg!(single_threaded) { 1 } else { 1024 };

/// Every option, in the order in which they are announced.
pub(crate) const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "Hash",
        kind: Kind::Spin { min: 1, max: MAX_HASH, get: |o| o.hash as i64, set: |o, n| o.hash = n as usize },
        effect: Effect::Hash,
    },
    OptionSpec { name: "Clear Hash", kind: Kind::Button, effect: Effect::Hash },
    OptionSpec {
        name: "Threads",
        kind: Kind::Spin { min: 1, max: MAX_THREADS, get: |o| o.threads as i64, set: |o, n| o.threads = n as usize },
        effect: Effect::Threads,
    },
    OptionSpec {
        name: "MultiPV",
        kind: Kind::Spin { min: 1, max: 256, get: |o| o.multi_pv as i64, set: |o, n| o.multi_pv = n as usize },
        effect: Effect::None,
    },
    OptionSpec {
        name: "Move Overhead",
        kind: Kind::Spin { min: 0, max: 5000, get: |o| o.move_overhead, set: |o, n| o.move_overhead = n },
        effect: Effect::None,
    },
    OptionSpec {
        name: "UCI_Chess960",
        kind: Kind::Check { get: |o| o.chess960, set: |o, on| o.chess960 = on },
        effect: Effect::None,
    },
    OptionSpec {
        name: "Ponder",
        kind: Kind::Check { get: |o| o.ponder, set: |o, on| o.ponder = on },
        effect: Effect::None,
    },
    OptionSpec {
        name: "UCI_ShowWDL",
        kind: Kind::Check { get: |o| o.show_wdl, set: |o, on| o.show_wdl = on },
        effect: Effect::None,
    },
    // A second name, and announced, since Cute Chess offers what is announced, but few options that begin with `UCI_`.
    OptionSpec {
        name: "ShowWDL",
        kind: Kind::Check { get: |o| o.show_wdl, set: |o, on| o.show_wdl = on },
        effect: Effect::None,
    },
    OptionSpec {
        name: "UCI_AnalyseMode",
        kind: Kind::Check { get: |o| o.analyse, set: |o, on| o.analyse = on },
        effect: Effect::None,
    },
    OptionSpec {
        name: "UCI_LimitStrength",
        kind: Kind::Check { get: |o| o.limit_strength, set: |o, on| o.limit_strength = on },
        effect: Effect::None,
    },
    OptionSpec {
        name: "UCI_Elo",
        kind: Kind::Spin { min: MIN_ELO, max: MAX_ELO, get: |o| o.elo, set: |o, n| o.elo = n },
        effect: Effect::None,
    },
    OptionSpec {
        name: "Skill Level",
        kind: Kind::Spin { min: 0, max: FULL_SKILL, get: |o| o.skill, set: |o, n| o.skill = n },
        effect: Effect::None,
    },
    OptionSpec {
        name: "UCI_Opponent",
        kind: Kind::Text { get: |o| &o.opponent, set: |o, opponent| o.opponent = opponent },
        effect: Effect::None,
    },
    OptionSpec {
        name: "EvalFile",
        kind: Kind::Text { get: |o| &o.eval_file, set: |o, path| o.eval_file = path },
        effect: Effect::Network,
    },
    OptionSpec {
        name: "SyzygyPath",
        kind: Kind::Text { get: |o| &o.syzygy_path, set: |o, path| o.syzygy_path = path },
        effect: Effect::Tablebases,
    },
    OptionSpec {
        name: "SyzygyProbeDepth",
        kind: Kind::Spin {
            min: 1,
            max: 100,
            get: |o| i64::from(o.syzygy.probe_depth),
            set: |o, n| o.syzygy.probe_depth = n as i32,
        },
        effect: Effect::None,
    },
    OptionSpec {
        name: "SyzygyProbeLimit",
        kind: Kind::Spin {
            min: 0,
            max: 7,
            get: |o| o.syzygy.probe_limit as i64,
            set: |o, n| o.syzygy.probe_limit = n as usize,
        },
        effect: Effect::None,
    },
    OptionSpec {
        name: "Syzygy50MoveRule",
        kind: Kind::Check { get: |o| o.syzygy.fifty_move_rule, set: |o, on| o.syzygy.fifty_move_rule = on },
        effect: Effect::None,
    },
];

/// An option's name and new value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Setting {
    /// The name as the user wrote it.
    pub name: String,
    /// The value's bytes as they came, since a path need not be UTF-8; `None` where no value was given.
    pub value: Option<Vec<u8>>,
}

/// Why an option was not set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum OptionError {
    /// There is no such option.
    #[error("no option `{0}`")]
    Unknown(String),
    /// The value is not allowed.
    #[error("{name} must be {range}, not `{value}`")]
    Value {
        /// The option's name.
        name: &'static str,
        /// The allowed values.
        range: String,
        /// The refused value.
        value: String,
    },
}

impl EngineOptions {
    /// Sets one option, or presses a button, and returns what must be done about it.
    ///
    /// Names are matched without regard to case.
    ///
    /// # Errors
    /// When there is no such option or the value is not allowed; nothing changes then.
    pub(super) fn set(&mut self, setting: &Setting) -> Result<Effect, OptionError> {
        #[cfg(feature = "tune")]
        if let Some(result) = tuning::set(setting) {
            return result;
        }
        let row = OPTIONS
            .iter()
            .find(|row| row.name.eq_ignore_ascii_case(&setting.name))
            .ok_or_else(|| OptionError::Unknown(excerpt(&setting.name)))?;
        let value = String::from_utf8_lossy(setting.value.as_deref().unwrap_or_default());
        if let Kind::Text { set, .. } = row.kind {
            set(self, text(setting.value.as_deref().unwrap_or_default()));
            return Ok(row.effect);
        }
        row.kind.set(self, value.trim()).ok_or_else(|| OptionError::Value {
            name: row.name,
            range: row.kind.range(),
            value: excerpt(value.trim()),
        })?;
        Ok(row.effect)
    }
}

/// The lines that announce all options in answer to `uci`.
pub(crate) fn announcements() -> Vec<String> {
    let lines = OPTIONS.iter().map(OptionSpec::to_string);
    #[cfg(feature = "tune")]
    let lines = lines.chain(tuning::announcements());
    lines.collect()
}

/// The tunables and switches of the search as options.
#[cfg(feature = "tune")]
mod tuning {
    use super::{Effect, OptionError, Setting};
    use crate::{
        params::{self, rules},
        util::excerpt,
    };

    /// Sets the tunable or the rule that `setting` names, if it names one.
    pub(super) fn set(setting: &Setting) -> Option<Result<Effect, OptionError>> {
        let value = String::from_utf8_lossy(setting.value.as_deref().unwrap_or_default());
        let value = value.trim();
        let refusal = |name, range| OptionError::Value { name, range, value: excerpt(value) };
        if let Some(tunable) = params::all().iter().find(|tunable| tunable.name.eq_ignore_ascii_case(&setting.name)) {
            // OpenBench's tuner sends fractions.
            let number = value.parse::<f64>().ok().filter(|number| number.is_finite());
            return Some(match number {
                Some(number) => {
                    tunable.set(number.round() as i32);
                    Ok(Effect::None)
                }
                None => Err(refusal(tunable.name, format!("{} to {}", tunable.min, tunable.max))),
            });
        }
        let rule = rules::all().iter().find(|rule| rule.name.eq_ignore_ascii_case(&setting.name))?;
        Some(match value.to_ascii_lowercase().parse() {
            Ok(on) => {
                rule.set(on);
                Ok(Effect::None)
            }
            Err(_) => Err(refusal(rule.name, "true or false".to_owned())),
        })
    }

    pub(super) fn announcements() -> impl Iterator<Item = String> {
        let tunables = params::all().iter().map(|tunable| {
            let params::Tunable { name, default, min, max, .. } = tunable;
            format!("option name {name} type spin default {default} min {min} max {max}")
        });
        tunables.chain(rules::all().iter().map(|rule| format!("option name {} type check default true", rule.name)))
    }
}

/// A text option's value, mostly a path: its very bytes where the system's paths are bytes. The protocol writes
/// `<empty>` for an empty one.
fn text(bytes: &[u8]) -> OsString {
    let bytes = bytes.trim_ascii();
    if bytes == b"<empty>" {
        return OsString::new();
    }
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        OsStr::from_bytes(bytes).to_owned()
    }
    #[cfg(not(unix))]
    String::from_utf8(bytes.to_vec()).unwrap_or_else(|_| bytes.iter().map(|&byte| char::from(byte)).collect()).into()
}

impl Kind {
    fn set(&self, options: &mut EngineOptions, value: &str) -> Option<()> {
        match *self {
            Self::Spin { min, max, set, .. } => {
                let number = value.parse().ok().filter(|number| (min..=max).contains(number))?;
                set(options, number);
            }
            Self::Check { set, .. } => match value.to_ascii_lowercase().as_str() {
                "true" => set(options, true),
                "false" => set(options, false),
                _ => return None,
            },
            Self::Button | Self::Text { .. } => {}
        }
        Some(())
    }

    fn range(&self) -> String {
        match self {
            Self::Spin { min, max, .. } => format!("{min} to {max}"),
            Self::Check { .. } => "true or false".to_owned(),
            Self::Text { .. } => "a text".to_owned(),
            Self::Button => "a button".to_owned(),
        }
    }
}

/// The option as the `uci` command announces it.
impl fmt::Display for OptionSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let defaults = EngineOptions::default();
        write!(f, "option name {} type ", self.name)?;
        match self.kind {
            Kind::Spin { min, max, get, .. } => write!(f, "spin default {} min {min} max {max}", get(&defaults)),
            Kind::Check { get, .. } => write!(f, "check default {}", get(&defaults)),
            Kind::Text { get, .. } if get(&defaults).is_empty() => write!(f, "string default <empty>"),
            Kind::Text { get, .. } => write!(f, "string default {}", get(&defaults).display()),
            Kind::Button => write!(f, "button"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(options: &mut EngineOptions, name: &str, value: &str) -> Result<Effect, OptionError> {
        let value = (!value.is_empty()).then(|| value.as_bytes().to_vec());
        options.set(&Setting { name: name.to_owned(), value })
    }

    #[test]
    fn values_in_range_are_set() {
        let mut options = EngineOptions::default();
        assert_eq!(set(&mut options, "hASH", "64"), Ok(Effect::Hash));
        assert_eq!(set(&mut options, "move overhead", "0"), Ok(Effect::None));
        assert_eq!(set(&mut options, "MultiPV", "256"), Ok(Effect::None));
        assert_eq!(set(&mut options, "UCI_Chess960", "TRUE"), Ok(Effect::None));
        assert_eq!(set(&mut options, "Clear Hash", ""), Ok(Effect::Hash));
        let expected = EngineOptions {
            hash: 64,
            threads: 1,
            multi_pv: 256,
            move_overhead: 0,
            chess960: true,
            ..EngineOptions::default()
        };
        assert_eq!(options, expected);
    }

    #[test]
    fn all_else_is_refused_and_changes_nothing() {
        let mut options = EngineOptions::default();
        for (name, value) in [
            ("Hash", "0"),
            ("Hash", "1048577"),
            ("Hash", "99999999999999999999"),
            ("Hash", "16.5"),
            ("Hash", ""),
            ("UCI_Chess960", "maybe"),
            ("Sliders", "magic"),
            ("Contempt", "10"),
        ] {
            assert!(set(&mut options, name, value).is_err(), "{name} {value}");
        }
        assert_eq!(options, EngineOptions::default());
        let message = set(&mut options, "Hash", "lots").unwrap_err().to_string();
        assert_eq!(message, "Hash must be 1 to 1048576, not `lots`");
    }

    /// The announced default can be set, and changes nothing.
    #[test]
    fn announced_defaults_are_accepted() {
        for row in OPTIONS {
            let line = row.to_string();
            let words: Vec<&str> = line.split_whitespace().collect();
            let Some(at) = words.iter().position(|word| *word == "default") else { continue };
            let mut options = EngineOptions::default();
            set(&mut options, row.name, words[at + 1]).unwrap();
            assert_eq!(options, EngineOptions::default(), "{line}");
        }
    }

    #[test]
    fn an_option_is_announced_in_uci_syntax() {
        assert_eq!(OPTIONS[0].to_string(), "option name Hash type spin default 16 min 1 max 1048576");
    }
}
