//! Won endings at limited strength.

use sleight::{movegen::legal_moves, notation::UciMove, position::Position};

use super::client::Client;

const TABLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy");

/// The number of moves in which `attacker`, who is to move, mates `defender`; `None` after a draw.
fn moves_to_mate(attacker: &mut Client, defender: &mut Client, fen: &str) -> Option<usize> {
    let mut position = Position::from_fen(fen).unwrap();
    let side = position.side_to_move();
    let mut played = String::new();
    while !legal_moves(&position).is_empty() {
        if position.is_fifty_move_draw() || position.is_insufficient_material() || position.is_repetition(0) {
            return None;
        }
        let (player, limit) =
            if position.side_to_move() == side { (&mut *attacker, "depth 99") } else { (&mut *defender, "nodes 2000") };
        player.send(&format!("position fen {fen} moves{played}\ngo {limit}"));
        let best = player.best_move().1;
        position.play(best.parse::<UciMove>().unwrap().find(&position).unwrap());
        played += &format!(" {best}");
    }
    (position.in_check() && position.side_to_move() != side).then_some(played.split(' ').count() / 2)
}

/// Against a defender at full strength, with tablebases of three pieces. Chance plays no part here: there is one candidate.
#[test]
fn every_level_mates_a_lone_king() {
    const STARTS: [&str; 7] = [
        "8/8/8/3k4/8/8/8/KQ6 w - - 0 1",
        "7q/8/3k4/8/4K3/8/8/8 b - - 0 1",
        "8/8/8/3k4/8/8/8/KR6 w - - 0 1",
        "r7/8/3k4/8/4K3/8/8/8 b - - 0 1",
        "8/8/8/3k4/8/8/8/KBB5 w - - 0 1",
        "bb6/8/3k4/8/8/4K3/8/8 b - - 0 1",
        "8/8/8/3k4/8/5P2/8/KRN5 w - - 0 1",
    ];
    let limited = |elo: u32| format!("setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value {elo}");
    let skill = |level: u32| format!("setoption name Skill Level value {level}");
    let levels = [800, 950, 1100, 1350, 1700, 2100].map(limited).into_iter().chain([0, 7, 15].map(skill));
    let mut defender = Client::after(&format!("setoption name SyzygyPath value {TABLES}"));
    for level in levels {
        let mut attacker = Client::after(&level);
        for fen in STARTS {
            let moves = moves_to_mate(&mut attacker, &mut defender, fen);
            assert!(moves.is_some_and(|moves| moves <= 50), "{level}, {fen}: {moves:?}");
        }
    }
}
