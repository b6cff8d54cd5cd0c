//! Viriformat files: every position that is read is sound, and games are written back as they were read.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sleight_lab::datagen::format::GameReader;

fuzz_target!(|bytes: &[u8]| {
    let mut reader = GameReader::new(bytes);
    while let Ok(Some(game)) = reader.read_game_with(|position, _, _, _| position.audit().unwrap()) {
        let mut written = Vec::new();
        game.write_to(&mut written).unwrap();
        assert_eq!(written.len(), game.packed_len());
        let again = GameReader::new(written.as_slice()).read_game().unwrap().unwrap();
        assert_eq!((again.start.fen(), &again.moves, again.outcome), (game.start.fen(), &game.moves, game.outcome));
    }
});
