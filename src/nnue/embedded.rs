//! The network that is part of the program: `networks/default.nnue`, or the file that `EVALFILE` named at build time.

use std::sync::Arc;

use once_cell::sync::Lazy;

use super::Network;

static BYTES: &[u8] = include_bytes!(env!("SLEIGHT_NETWORK"));

const _: () = assert!(
    <Network>::is_alike(BYTES),
    "the network to embed (EVALFILE, or networks/default.nnue) has not the shape that src/nnue/arch.rs says"
);

static NETWORK: Lazy<Arc<Network>> = Lazy::new(|| match Network::from_bytes(BYTES) {
    Ok(network) => network.into(),
    // A program that was built from a damaged file: nothing that a user can do or undo.
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
}
