//! The network that is part of the program: `networks/default.nnue`, or the file that `EVALFILE` named at build time.

use std::sync::Arc;

use once_cell::sync::Lazy;

use super::Network;

static BYTES: &[u8] = include_bytes!(env!("SLEIGHT_NETWORK"));

#[allow(long_running_const_eval, reason = "512 neurons are 800 KB to go through")]
const _: () = assert!(
    <Network>::is_acceptable(BYTES),
    "the network to embed (EVALFILE, or networks/default.nnue) is damaged, has not the shape of src/nnue/arch.rs, or \
     weights that the kernels do not take"
);

static NETWORK: Lazy<Arc<Network>> =
    Lazy::new(|| Network::from_bytes(BYTES).expect("the compiler accepted the embedded network").into());

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
        assert!(<Network>::is_acceptable(BYTES) && !<Network>::is_acceptable(&BYTES[1..]));
        for at in (0..70).chain((70..BYTES.len()).step_by(4099)) {
            let mut bytes = BYTES.to_vec();
            bytes[at] ^= 1;
            assert!(!<Network>::is_acceptable(&bytes), "byte {at}");
        }
        let heavy: Box<Network> = Network::from_fn(|| 129);
        assert!(!<Network>::is_acceptable(&heavy.to_bytes()));
    }
}
