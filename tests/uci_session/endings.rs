//! Won elementary endings.

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

/// In play without limits on the strength: the move of the first iteration that ends after 2,000 nodes, or a mate. In an
/// analysis: that of the last one.
#[test]
fn a_known_win_is_played_by_an_early_iteration() {
    const STARTS: [&str; 5] = [
        "8/8/8/8/k7/8/6KR/8 w - - 0 1",
        "8/7B/8/8/3B4/1k3K2/8/8 w - - 0 1",
        "8/8/B7/5K2/3B4/8/8/3k4 w - - 0 1",
        "8/8/3k4/8/8/8/8/KBB5 w - - 0 1",
        "r7/8/3k4/8/4K3/8/8/8 b - - 0 1",
    ];
    let number = |line: &str, name: &str| -> Option<u64> {
        line.split(' ').skip_while(|word| *word != name).nth(1)?.parse().ok()
    };
    let first_move = |line: &String| line.split(" pv ").nth(1).unwrap().split(' ').next().unwrap().to_owned();
    let mut differ = 0;
    for fen in STARTS {
        let [played, analyzed] = [false, true].map(|analyse| {
            let mut client = Client::after(&format!("setoption name UCI_AnalyseMode value {analyse}"));
            client.send(&format!("position fen {fen}\ngo nodes 100000"));
            let (lines, best) = client.best_move();
            let lines: Vec<String> = lines.into_iter().filter(|line| line.contains(" pv ")).collect();
            assert_eq!(first_move(lines.last().unwrap()), best, "{fen}: {lines:?}");
            (lines, best)
        });
        let early = played.0.iter().find(|line| number(line, "nodes").unwrap() >= 2000).unwrap();
        let is_mate = analyzed.0.last().unwrap().contains("score mate");
        let expected = if is_mate { analyzed.1.clone() } else { first_move(early) };
        assert_eq!(played.1, expected, "{fen}: {played:?}");
        differ += usize::from(played.1 != analyzed.1);
    }
    assert!(differ > 0, "no start in which a deeper search prefers another move");
}
