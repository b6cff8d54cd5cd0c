//! The UCI options: how they are announced and set. [`OPTIONS`] is the only list of their names.

use std::ffi::OsString;

use vampirc_uci::{UciMessage, UciOptionConfig};

use self::Value::{Button, Check, Spin, Text};
use super::error::InputError;
use crate::{
    engine::{EngineOptions, OptionChange},
    search::{FULL_SKILL, MAX_ELO, MIN_ELO},
    util::{excerpt, os_string},
};

/// A UCI option.
struct OptionRow {
    /// May contain blanks.
    name: &'static str,
    value: Value,
    /// The change that setting it triggers.
    change: Option<fn(&EngineOptions) -> OptionChange>,
}

/// An option's value among all.
#[derive(Clone, Copy)]
enum Value {
    /// An integer from a minimum to a maximum: how it is read and set.
    Spin(i64, i64, fn(&EngineOptions) -> i64, fn(&mut EngineOptions, i64)),
    Check(fn(&mut EngineOptions) -> &mut bool),
    /// A text that is not stored; setting it only triggers a change.
    Text(Option<fn(OsString) -> OptionChange>),
    Button,
}

/// Largest `Hash`, in MiB: what one allocation may have of an address space of 32 bits.
const MAX_HASH: i64 = if usize::BITS > 32 { 1_048_576 } else { 1024 };
const MAX_THREADS: i64 = if cfg!(single_threaded) { 1 } else { 1024 };

/// A spin option whose value is an integer of any type.
macro_rules! spin {
    ($min:expr, $max:expr, $($field:ident).+) => {
        Spin($min, $max, |o| o.$($field).+ as i64, |o, value| o.$($field).+ = value as _)
    };
}

/// Every option, in the order in which they are announced.
static OPTIONS: [OptionRow; 19] = [
    OptionRow { name: "Hash", value: spin!(1, MAX_HASH, hash), change: Some(|o| OptionChange::Hash(o.hash)) },
    OptionRow { name: "Clear Hash", value: Button, change: Some(|_| OptionChange::ClearHash) },
    OptionRow {
        name: "Threads",
        value: spin!(1, MAX_THREADS, threads),
        change: Some(|o| OptionChange::Threads(o.threads)),
    },
    OptionRow { name: "MultiPV", value: spin!(1, 256, search.multi_pv), change: None },
    OptionRow { name: "Move Overhead", value: spin!(0, 5000, search.move_overhead), change: None },
    OptionRow { name: "UCI_Chess960", value: Check(|o| &mut o.chess960), change: None },
    OptionRow { name: "Ponder", value: Check(|o| &mut o.ponder), change: None },
    OptionRow { name: "UCI_ShowWDL", value: Check(|o| &mut o.show_wdl[0]), change: None },
    // A second name, and announced, since Cute Chess offers what is announced, but few options that begin with `UCI_`.
    // With a value of its own: a GUI that sends every option that it knows must not switch the first off again.
    OptionRow { name: "ShowWDL", value: Check(|o| &mut o.show_wdl[1]), change: None },
    OptionRow { name: "UCI_AnalyseMode", value: Check(|o| &mut o.analyse), change: None },
    OptionRow { name: "UCI_LimitStrength", value: Check(|o| &mut o.limit_strength), change: None },
    OptionRow { name: "UCI_Elo", value: spin!(MIN_ELO, MAX_ELO, elo), change: None },
    OptionRow { name: "Skill Level", value: spin!(0, FULL_SKILL, skill), change: None },
    OptionRow { name: "UCI_Opponent", value: Text(None), change: None },
    OptionRow { name: "EvalFile", value: Text(Some(OptionChange::Network)), change: None },
    OptionRow { name: "SyzygyPath", value: Text(Some(OptionChange::Tablebases)), change: None },
    OptionRow { name: "SyzygyProbeDepth", value: spin!(1, 100, search.syzygy.probe_depth), change: None },
    OptionRow { name: "SyzygyProbeLimit", value: spin!(0, 7, search.syzygy.probe_limit), change: None },
    OptionRow { name: "Syzygy50MoveRule", value: Check(|o| &mut o.search.syzygy.fifty_move_rule), change: None },
];

/// Sets one option, or presses a button, and returns what that demands. Names are matched without regard to case; a
/// value need not be UTF-8, as a path need not.
///
/// # Errors
/// When there is no such option or the value is not allowed; nothing changes then.
pub(super) fn set(options: &mut EngineOptions, name: &str, bytes: &[u8]) -> Result<Option<OptionChange>, InputError> {
    let value = String::from_utf8_lossy(bytes);
    let value = value.trim();
    let refusal = |name, range| InputError::OptionValue { name, range, value: excerpt(value) };
    let switch = |name| value.to_ascii_lowercase().parse().map_err(|_| refusal(name, "true or false".to_owned()));
    #[cfg(feature = "tune")]
    {
        use crate::params::{self, rules};
        if let Some(tunable) = params::all().iter().find(|tunable| tunable.name.eq_ignore_ascii_case(name)) {
            // OpenBench's tuner sends fractions.
            let number = value.parse::<f64>().ok().filter(|number| number.is_finite());
            let range = || refusal(tunable.name, format!("{} to {}", tunable.min, tunable.max));
            tunable.set(number.ok_or_else(range)?.round() as i32);
            return Ok(None);
        }
        if let Some(rule) = rules::all().iter().find(|rule| rule.name.eq_ignore_ascii_case(name)) {
            rule.set(switch(rule.name).map(|on: bool| on.into())?);
            return Ok(None);
        }
    }
    let row = OPTIONS.iter().find(|row| row.name.eq_ignore_ascii_case(name));
    let row = row.ok_or_else(|| InputError::UnknownOption(excerpt(name)))?;
    let name = row.name;
    match row.value {
        Spin(min, max, _, set) => {
            let number = value.parse().ok().filter(|number| (min..=max).contains(number));
            set(options, number.ok_or_else(|| refusal(name, format!("{min} to {max}")))?);
        }
        Check(at) => *at(options) = switch(name)?,
        Text(change) => return Ok(change.map(|change| change(text(bytes)))),
        Button => {}
    }
    Ok(row.change.map(|change| change(options)))
}

/// A text option's value, mostly a path. The protocol writes `<empty>` for an empty one.
fn text(bytes: &[u8]) -> OsString {
    let bytes = bytes.trim_ascii();
    if bytes == b"<empty>" { OsString::new() } else { os_string(bytes) }
}

/// The messages that announce all options in answer to `uci`.
pub(super) fn announcements() -> Vec<String> {
    let options = OPTIONS.iter().map(announcement);
    #[cfg(feature = "tune")]
    let options = options.chain(tuning_options());
    options.map(|option| UciMessage::Option(option).to_string()).collect()
}

fn announcement(row: &OptionRow) -> UciOptionConfig {
    let (name, defaults) = (row.name.to_owned(), &mut EngineOptions::default());
    match row.value {
        Spin(min, max, get, _) => spin_option(name, get(defaults), min, max),
        Check(at) => UciOptionConfig::Check { name, default: Some(*at(defaults)) },
        // Those of all texts are empty.
        Text(_) => UciOptionConfig::String { name, default: Some("<empty>".to_owned()) },
        Button => UciOptionConfig::Button { name },
    }
}

fn spin_option(name: String, default: i64, min: i64, max: i64) -> UciOptionConfig {
    UciOptionConfig::Spin { name, default: Some(default), min: Some(min), max: Some(max) }
}

/// The tunables and switches of the search.
#[cfg(feature = "tune")]
fn tuning_options() -> impl Iterator<Item = UciOptionConfig> {
    use crate::params::{self, rules};
    let tunables = params::all().iter().map(|tunable| {
        spin_option(tunable.name.to_owned(), tunable.default.into(), tunable.min.into(), tunable.max.into())
    });
    let rules = rules::all().iter();
    tunables.chain(rules.map(|rule| UciOptionConfig::Check { name: rule.name.to_owned(), default: Some(true) }))
}
