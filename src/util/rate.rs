use std::time::Duration;

/// Nodes per second (NPS), rounded down; a time below a microsecond counts as one.
pub(crate) fn nps(nodes: u64, time: Duration) -> u64 {
    let rate = u128::from(nodes) * 1_000_000 / time.as_micros().max(1);
    u64::try_from(rate).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_per_second() {
        assert_eq!(nps(3000, Duration::from_micros(1500)), 2_000_000);
    }
}
