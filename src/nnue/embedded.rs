//! The embedded network: `networks/default.nnue`, on the page `networks/small.nnue`, or the file that `EVALFILE` named
//! at build time.

use std::sync::Arc;

use once_cell::sync::Lazy;

use super::network::Network;

static BYTES: &[u8] = include_bytes!(env!("SLEIGHT_NETWORK"));

/// The checksum of the embedded file, from the build script: a constant of the compiler would take it 4 s for a small
/// network.
const CHECKSUM: u64 = match u64::from_str_radix(env!("SLEIGHT_NETWORK_CHECKSUM"), 10) {
    Ok(checksum) => checksum,
    Err(_) => panic!("the build script's checksum is no number"),
};

const _: () = assert!(
    <Network>::validate(BYTES, CHECKSUM).is_ok(),
    "the network to embed (EVALFILE, or that in networks/) is damaged, is not of the architecture in \
     src/nnue/architecture.rs, or has weights out of range"
);

static NETWORK: Lazy<Arc<Network>> = Lazy::new(|| Network::from_valid_bytes(BYTES).into());

impl Network {
    /// The embedded network, shared by all callers.
    pub fn embedded() -> Arc<Self> {
        NETWORK.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_network_is_written_back_as_it_was_read() {
        assert!(Network::embedded().to_bytes() == BYTES);
    }

    #[test]
    fn damaged_networks_are_refused() {
        assert!(<Network>::from_bytes(BYTES).is_ok());
        assert!(<Network>::from_bytes(&BYTES[1..]).is_err());
        for at in (0..70).chain((70..BYTES.len()).step_by(4099)) {
            let mut bytes = BYTES.to_vec();
            bytes[at] ^= 1;
            assert!(<Network>::from_bytes(&bytes).is_err(), "byte {at}");
        }
    }
}
