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
        position.make(best.parse::<UciMove>().unwrap().find(&position).unwrap());
        played += &format!(" {best}");
    }
    (position.in_check() && position.side_to_move() != side).then_some(played.split(' ').count() / 2)
}

/// Against a defender at full strength, with tablebases of three pieces. Chance plays no part here: there is one
/// candidate.
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

/// More nodes take longer to mate. Whoever analyzes, or asks for a depth or several lines, gets all of them.
#[test]
fn a_known_win_is_played_fast_and_analyzed_at_length() {
    let nodes = |setup: &str, fen: &str, go: &str| -> u64 {
        let mut client = Client::after(setup);
        client.send(&format!("position fen {fen}\ngo {go}"));
        let (lines, _) = client.best_move();
        let last = lines.iter().rfind(|line| line.contains(" pv ")).unwrap();
        last.split(' ').skip_while(|word| *word != "nodes").nth(1).unwrap().parse().unwrap()
    };
    let rook = "8/8/8/8/k7/8/6KR/8 w - - 0 1";
    for (fen, least, most) in [
        (rook, 2_000, 16_500),
        ("8/7b/8/8/3b4/1K3k2/8/8 b - - 0 1", 2_000, 16_500),
        ("8/8/3k4/8/8/8/8/KBN5 w - - 0 1", 20_000, 160_500),
    ] {
        for go in ["nodes 1000000", "movetime 60000", "wtime 600000 btime 600000"] {
            let nodes = nodes("", fen, go);
            assert!((least..most).contains(&nodes), "{fen}, {go}: {nodes}");
        }
    }
    let analysis = "setoption name UCI_AnalyseMode value true";
    for (setup, fen, go) in [
        (analysis, rook, "nodes 100000"),
        ("setoption name MultiPV value 2", rook, "nodes 100000"),
        ("", rook, "depth 99 nodes 100000"),
        ("", rook, "mate 30 nodes 100000"),
        ("", "8/8/8/8/k6p/8/6KR/8 w - - 0 1", "nodes 100000"),
    ] {
        assert_eq!(nodes(setup, fen, go), 100_000, "{setup}, {fen}, {go}");
    }
}
