//! The UCI options: how they are announced and set. [`OPTIONS`] is the only list of their names.

#[cfg(unix)]
use std::ffi::OsStr;
use std::ffi::OsString;

use vampirc_uci::{UciMessage, UciOptionConfig};

use super::error::InputError;
use crate::{
    engine::{Change, EngineOptions, FULL_SKILL, MAX_ELO, MIN_ELO},
    util::excerpt,
};

/// A UCI option.
struct OptionRow {
    /// The name, which may contain blanks.
    name: &'static str,
    value: Value,
    demands: Option<fn(&EngineOptions) -> Change>,
}

/// An option's value among all.
#[derive(Clone, Copy)]
enum Value {
    Spin { min: i64, max: i64, at: fn(&mut EngineOptions) -> &mut i64 },
    Check(fn(&mut EngineOptions) -> &mut bool),
    Text(fn(&mut EngineOptions) -> &mut OsString),
    Button,
}

const fn spin(name: &'static str, min: i64, max: i64, at: fn(&mut EngineOptions) -> &mut i64) -> OptionRow {
    OptionRow { name, value: Value::Spin { min, max, at }, demands: None }
}

const fn check(name: &'static str, at: fn(&mut EngineOptions) -> &mut bool) -> OptionRow {
    OptionRow { name, value: Value::Check(at), demands: None }
}

const fn text(name: &'static str, at: fn(&mut EngineOptions) -> &mut OsString) -> OptionRow {
    OptionRow { name, value: Value::Text(at), demands: None }
}

impl OptionRow {
    const fn demands(self, change: fn(&EngineOptions) -> Change) -> Self {
        Self { demands: Some(change), ..self }
    }
}

/// Largest `Hash`, in MiB: what one allocation may have of an address space of 32 bits.
const MAX_HASH: i64 = if usize::BITS > 32 { 1_048_576 } else { 1024 };
/// Largest `Threads`.
const MAX_THREADS: i64 = if cfg!(single_threaded) { 1 } else { 1024 };

/// Every option, in the order in which they are announced.
static OPTIONS: [OptionRow; 19] = [
    spin("Hash", 1, MAX_HASH, |o| &mut o.hash).demands(|o| Change::Hash(o.hash as usize)),
    OptionRow { name: "Clear Hash", value: Value::Button, demands: Some(|_| Change::ClearHash) },
    spin("Threads", 1, MAX_THREADS, |o| &mut o.threads).demands(|o| Change::Threads(o.threads as usize)),
    spin("MultiPV", 1, 256, |o| &mut o.multi_pv),
    spin("Move Overhead", 0, 5000, |o| &mut o.move_overhead),
    check("UCI_Chess960", |o| &mut o.chess960),
    check("Ponder", |o| &mut o.ponder),
    check("UCI_ShowWDL", |o| &mut o.show_wdl),
    // A second name, and announced, since Cute Chess offers what is announced, but few options that begin with `UCI_`.
    check("ShowWDL", |o| &mut o.show_wdl),
    check("UCI_AnalyseMode", |o| &mut o.analyse),
    check("UCI_LimitStrength", |o| &mut o.limit_strength),
    spin("UCI_Elo", MIN_ELO, MAX_ELO, |o| &mut o.elo),
    spin("Skill Level", 0, FULL_SKILL, |o| &mut o.skill),
    text("UCI_Opponent", |o| &mut o.opponent),
    text("EvalFile", |o| &mut o.eval_file).demands(|o| Change::Network(o.eval_file.clone())),
    text("SyzygyPath", |o| &mut o.syzygy_path).demands(|o| Change::Tablebases(o.syzygy_path.clone())),
    spin("SyzygyProbeDepth", 1, 100, |o| &mut o.syzygy_probe_depth),
    spin("SyzygyProbeLimit", 0, 7, |o| &mut o.syzygy_probe_limit),
    check("Syzygy50MoveRule", |o| &mut o.syzygy_fifty_move_rule),
];

/// Sets one option, or presses a button, and returns what that demands. Names are matched without regard to case; a value
/// need not be UTF-8, as a path need not.
///
/// # Errors
/// When there is no such option or the value is not allowed; nothing changes then.
pub(super) fn set(options: &mut EngineOptions, name: &str, bytes: &[u8]) -> Result<Option<Change>, InputError> {
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
            rule.set(switch(rule.name)?);
            return Ok(None);
        }
    }
    let row = OPTIONS.iter().find(|row| row.name.eq_ignore_ascii_case(name));
    let row = row.ok_or_else(|| InputError::UnknownOption(excerpt(name)))?;
    match row.value {
        Value::Spin { min, max, at } => {
            let number = value.parse().ok().filter(|number| (min..=max).contains(number));
            *at(options) = number.ok_or_else(|| refusal(row.name, format!("{min} to {max}")))?;
        }
        Value::Check(at) => *at(options) = switch(row.name)?,
        Value::Text(at) => *at(options) = os_string(bytes),
        Value::Button => {}
    }
    Ok(row.demands.map(|change| change(options)))
}

/// A text option's value, mostly a path: its very bytes where the system's paths are bytes. The protocol writes
/// `<empty>` for an empty one.
fn os_string(bytes: &[u8]) -> OsString {
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

/// The messages that announce all options in answer to `uci`.
pub(super) fn announcements() -> Vec<String> {
    let options = OPTIONS.iter().map(announcement);
    #[cfg(feature = "tune")]
    let options = options.chain(tuning_options());
    options.map(|option| UciMessage::Option(option).to_string()).collect()
}

fn announcement(row: &OptionRow) -> UciOptionConfig {
    let defaults = &mut EngineOptions::default();
    let name = row.name.to_owned();
    match row.value {
        Value::Spin { min, max, at } => spin_option(name, *at(defaults), min, max),
        Value::Check(at) => UciOptionConfig::Check { name, default: Some(*at(defaults)) },
        // Those of all texts are empty.
        Value::Text(_) => UciOptionConfig::String { name, default: Some("<empty>".to_owned()) },
        Value::Button => UciOptionConfig::Button { name },
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
