//! FENs: what is accepted is a sound position, which its own FEN describes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sleight::{movegen::legal_moves, position::Position};

fuzz_target!(|fen: &str| {
    let Ok((position, _)) = Position::from_fen_with_repairs(fen) else { return };
    position.audit().unwrap();
    for spelled in [position.fen(), position.shredder_fen()] {
        let (again, repairs) = Position::from_fen_with_repairs(&spelled).unwrap();
        assert!(repairs.is_empty(), "{spelled}: {repairs:?}");
        assert_eq!(again.fen(), position.fen());
        assert_eq!(again.key(), position.key());
    }
    for mv in legal_moves(&position) {
        let mut after = position.clone();
        after.make(mv);
        after.audit().unwrap();
    }
});
