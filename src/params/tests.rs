//! The list of tunables.

use std::collections::HashSet;

/// A tunable and a rule are options of the same list, and a number is not read as a rule.
#[test]
fn no_two_options_share_a_name() {
    let names: Vec<_> = super::all().iter().map(|tunable| tunable.name).collect();
    let rules = super::rules::all().iter().map(|rule| rule.name);
    let all: Vec<_> = names.iter().copied().chain(rules).collect();
    assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len());
}

/// SPSA clamps to the range, so a default at its end could move in one direction only; 0 as an end is natural.
#[test]
fn defaults_lie_inside_their_ranges() {
    for tunable in super::all() {
        let inside = tunable.min < tunable.default && tunable.default < tunable.max;
        assert!(inside || tunable.default == 0, "{tunable:?}");
    }
}
