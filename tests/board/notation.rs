//! FEN and move notation: written text can be read back, and no text makes a parser panic.

use proptest::{prelude::*, test_runner::RngSeed};
use shakmaty::{san::SanPlus, uci};
use sleight::{
    movegen::legal_moves,
    notation::{Epd, San, UciMove, san},
    perft::perft,
    position::Position,
    types::{Move, Square},
    util::Rng,
};

use super::{
    games::{Start, random_move},
    oracle,
};

/// A position some random moves away from a random start.
fn positions() -> impl Strategy<Value = Position> {
    (any::<u64>(), 0..120_usize).prop_map(|(seed, plies)| {
        let mut rng = Rng::new(seed);
        let mut position = Start::ALL[rng.below(Start::ALL.len())].draw(&mut rng);
        for _ in 0..plies {
            let Some(mv) = random_move(&mut rng, &position) else { break };
            position.make(mv);
        }
        position
    })
}

/// A small change to a text.
#[derive(Clone, Debug)]
enum Damage {
    Replace(char),
    Insert(char),
    Remove,
    Repeat(usize),
    CutOff,
}

fn damage() -> impl Strategy<Value = (prop::sample::Index, Damage)> {
    let sign = prop_oneof![
        8 => prop::sample::select("pnbrqkPNBRQK12345678/ wb-KQkqAHahe3d6901".chars().collect::<Vec<_>>()),
        1 => any::<char>(),
    ];
    let piece_type = prop_oneof![
        4 => sign.clone().prop_map(Damage::Replace),
        2 => sign.prop_map(Damage::Insert),
        2 => Just(Damage::Remove),
        1 => (1..12_usize).prop_map(Damage::Repeat),
        1 => Just(Damage::CutOff),
    ];
    (any::<prop::sample::Index>(), piece_type)
}

fn damaged(text: &str, wounds: &[(prop::sample::Index, Damage)]) -> String {
    let mut signs: Vec<char> = text.chars().collect();
    for (index, damage) in wounds {
        if signs.is_empty() {
            break;
        }
        let at = index.index(signs.len());
        match *damage {
            Damage::Replace(sign) => signs[at] = sign,
            Damage::Insert(sign) => signs.insert(at, sign),
            Damage::Remove => drop(signs.remove(at)),
            Damage::Repeat(times) => signs.splice(at..at, vec![signs[at]; times]).for_each(drop),
            Damage::CutOff => signs.truncate(at),
        }
    }
    signs.into_iter().collect()
}

/// An accepted position must be sound: it can be written, read again, and played.
fn check_accepted(text: &str) -> Result<(), TestCaseError> {
    let Ok((mut position, _)) = Position::from_fen_with_repairs(text) else { return Ok(()) };
    prop_assert_eq!(position.audit(), Ok(()));
    for written in [position.fen(), position.shredder_fen()] {
        let (again, repairs) = Position::from_fen_with_repairs(&written).unwrap();
        prop_assert_eq!((again.fen(), repairs), (position.fen(), vec![]));
        prop_assert_eq!((again.key(), again.board()), (position.key(), position.board()));
    }
    let children = legal_moves(&position).into_iter().map(|mv| {
        position.make(mv);
        let moves = legal_moves(&position).len() as u64;
        let sound = position.audit();
        position.unmake();
        sound.map(|()| moves)
    });
    let count = children.sum::<Result<u64, _>>();
    prop_assert_eq!(count, Ok(perft(position.board(), 2)));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 4_000,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(1),
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_text_is_read_without_a_panic(text in any::<String>()) {
        check_accepted(&text)?;
        let _ = text.parse::<Epd>();
        let _ = text.parse::<UciMove>();
        let _ = text.parse::<San>();
        let _ = text.parse::<Square>();
    }

    #[test]
    fn any_text_in_the_shape_of_a_fen_is_read_without_a_panic(
        text in "([pnbrqkPNBRQK1-9]{1,8}/){7}[pnbrqkPNBRQK1-9]{1,8} [wb] [KQkqA-Ha-h-]{1,5} ([a-h][1-8]|-)( [0-9-]{1,12}){0,3}"
    ) {
        check_accepted(&text)?;
    }

    #[test]
    fn damaged_fens_are_refused_or_repaired(
        position in positions(),
        wounds in prop::collection::vec(damage(), 1..4),
        shredder in any::<bool>(),
    ) {
        let fen = if shredder { position.shredder_fen() } else { position.fen() };
        let text = damaged(&fen, &wounds);
        check_accepted(&text)?;
        let _ = text.parse::<Epd>();
    }

    #[test]
    fn fens_round_trip(position in positions()) {
        for fen in [position.fen(), position.shredder_fen()] {
            let (again, repairs) = Position::from_fen_with_repairs(&fen).unwrap();
            prop_assert_eq!((again.fen(), again.shredder_fen()), (position.fen(), position.shredder_fen()));
            prop_assert_eq!(repairs, vec![]);
            prop_assert_eq!((again.key(), again.checkers_and_pins()), (position.key(), position.checkers_and_pins()));
        }
    }

    #[test]
    fn legal_moves_are_found_by_their_names(position in positions()) {
        let moves = legal_moves(&position);
        for &mv in &moves {
            let name = UciMove::new(mv, true).to_string();
            prop_assert_eq!(&name, &mv.to_string());
            prop_assert_eq!(name.parse::<UciMove>().unwrap().find(&position), Some(mv));
        }
        for bits in (0..=u16::MAX).step_by(7) {
            let Some(mv) = Move::from_bits(bits) else { continue };
            let found = UciMove::new(mv, true).find(&position);
            prop_assert!(found.is_none_or(|found| moves.contains(&found)), "{:?}: {:?}", mv, found);
        }
    }

    #[test]
    fn san_agrees_with_shakmaty(position in positions()) {
        let chess = oracle::of(&position);
        for name in oracle::moves(&chess) {
            let theirs = name.parse::<uci::UciMove>().unwrap().to_move(&chess).unwrap();
            let ours = name.parse::<UciMove>().unwrap().find(&position).unwrap();
            let text = san(&position, ours);
            prop_assert_eq!(&text, &SanPlus::from_move(chess.clone(), theirs).to_string());
            prop_assert_eq!(&text.parse::<San>().unwrap().find(&position)[..], [ours]);
        }
    }
}
