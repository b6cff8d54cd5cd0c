//! The network that is part of the program: `networks/default.nnue`, or the file that `EVALFILE` named at build time.

use std::sync::Arc;

use once_cell::sync::Lazy;

use super::Network;

static BYTES: &[u8] = include_bytes!(env!("SLEIGHT_NETWORK"));

#[allow(long_running_const_eval, reason = "512 neurons are 800 KB to go through")]
const _: () = assert!(
    <Network>::is_whole(BYTES),
    "the network to embed (EVALFILE, or networks/default.nnue) is damaged, or has not the shape of src/nnue/arch.rs"
);

static NETWORK: Lazy<Arc<Network>> = Lazy::new(|| match Network::from_bytes(BYTES) {
    Ok(network) => network.into(),
    // Only weights that no trainer of ours writes get here: nothing that a user can do or undo.
    Err(error) => panic!("the embedded network: {error}"),
});

impl Network {
    /// The network that is part of the program. All callers share it.
    pub fn embedded() -> Arc<Self> {
        NETWORK.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_network_is_whole() {
        assert_eq!(Network::embedded().to_bytes(), BYTES);
    }

    #[test]
    fn the_compiler_refuses_what_was_damaged() {
        assert!(<Network>::is_whole(BYTES) && !<Network>::is_whole(&BYTES[1..]));
        for at in (0..70).chain((70..BYTES.len()).step_by(4099)) {
            let mut bytes = BYTES.to_vec();
            bytes[at] ^= 1;
            assert!(!<Network>::is_whole(&bytes), "byte {at}");
        }
    }
}
