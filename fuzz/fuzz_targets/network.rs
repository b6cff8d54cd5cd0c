//! Network files: bytes as they come, or a good file with some of its bytes changed. What is accepted is what it
//! writes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use once_cell::sync::Lazy;
use sleight::nnue::Network;

/// Small, so that a file takes little time.
type Small = Network<32, 1>;

static GOOD: Lazy<Vec<u8>> = Lazy::new(|| Small::random(1).to_bytes());

fuzz_target!(|data: &[u8]| {
    let bytes = match data.split_first() {
        Some((0..128, changes)) => {
            let mut bytes = GOOD.clone();
            for change in changes.chunks_exact(3) {
                // Most changes go to the header.
                let at = u16::from_le_bytes([change[0], change[1]]) as usize;
                let at = if at % 2 == 0 { at % 256 } else { at % bytes.len() };
                bytes[at] = change[2];
            }
            if changes.len() % 3 == 1 {
                bytes.truncate(usize::from(changes[changes.len() - 1]) * bytes.len() / 255);
            }
            bytes
        }
        _ => data.to_vec(),
    };
    if let Ok(network) = Small::from_bytes(&bytes) {
        assert_eq!(network.to_bytes(), bytes);
    }
});
