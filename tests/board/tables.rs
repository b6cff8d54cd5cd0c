//! The perft tables of `tests/data/`.

use sleight::position::Position;

const TABLES: [&str; 3] =
    [include_str!("../data/standard.epd"), include_str!("../data/chess960.epd"), include_str!("../data/tricky.epd")];

/// One line of a perft table: a position and its node counts by depth.
pub(crate) struct Entry {
    pub(crate) fen: &'static str,
    pub(crate) position: Position,
    counts: Vec<(u32, u64)>,
}

impl Entry {
    /// Reads `FEN ;D1 20 ;D2 400 …`.
    fn read(line: &'static str) -> Self {
        let (fen, counts) = line.split_once(';').unwrap();
        let position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{line}: {error}"));
        let counts = counts.split(';').map(|count| {
            let (depth, nodes) = count.trim().strip_prefix('D').and_then(|count| count.split_once(' ')).unwrap();
            (depth.parse().unwrap(), nodes.parse().unwrap())
        });
        Self { fen: fen.trim(), position, counts: counts.collect() }
    }

    /// The depths and counts of no more than `limit` nodes.
    pub(crate) fn affordable(&self, limit: u64) -> impl Iterator<Item = (u32, u64)> {
        self.counts.iter().copied().filter(move |&(_, nodes)| nodes <= limit)
    }
}

/// Every line of every table.
pub(crate) fn entries() -> Vec<Entry> {
    let lines = TABLES.into_iter().flat_map(str::lines);
    lines.filter(|line| !line.starts_with('#') && !line.is_empty()).map(Entry::read).collect()
}
