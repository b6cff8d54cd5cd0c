//! Lines of the UCI protocol: every byte string is understood in some way.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|line: &[u8]| {
    assert!(!sleight::test_support::reading(line).is_empty());
});
