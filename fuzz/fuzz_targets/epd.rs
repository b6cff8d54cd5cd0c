//! EPD lines.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sleight::notation::Epd;

fuzz_target!(|line: &str| {
    if let Ok(epd) = line.parse::<Epd>() {
        epd.position.audit().unwrap();
        epd.id();
    }
});
