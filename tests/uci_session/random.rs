//! Random sequences of commands.

use std::time::Duration;

use sleight::util::Rng;

use crate::client::{Client, count, piped};

const COMMANDS: &[&str] = &[
    "uci",
    "isready",
    "ucinewgame",
    "position startpos",
    "position startpos moves e2e4 e7e5 g1f3",
    "position startpos moves e2e5",
    "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "position fen R6k/6pp/8/8/8/8/8/7K b - - 0 1",
    "position fen nonsense",
    "go",
    "go infinite",
    "go depth 3",
    "go nodes 3000",
    "go movetime 5",
    "go wtime 10 btime 10",
    "go ponder wtime 50 btime 50",
    "go ponder depth 2",
    "go searchmoves e2e4 0000 depth 2",
    "go perft 2",
    "stop",
    "stop",
    "ponderhit",
    "ponderhit",
    "setoption name Hash value 2",
    "setoption name Clear Hash",
    "setoption name MultiPV value 3",
    "setoption name MultiPV value 1",
    "setoption name UCI_Chess960 value true",
    "setoption name UCI_Chess960 value false",
    "debug on",
    "debug off",
    "d",
    "flip",
    "bench 1",
    "xboard",
    "nonsense",
];

fn pick(rng: &mut Rng) -> &'static str {
    COMMANDS[rng.below(COMMANDS.len())]
}

fn is_search(command: &str) -> bool {
    command.starts_with("go") && !command.contains("perft")
}

#[test]
fn every_go_is_answered_among_random_commands() {
    for seed in 0..60 {
        let mut rng = Rng::new(seed);
        let commands: Vec<&str> = (0..80).map(|_| pick(&mut rng)).collect();
        let lines = piped(commands.join("\n"));
        let searches = commands.iter().filter(|command| is_search(command)).count();
        assert_eq!(count(&lines, "bestmove"), searches, "seed {seed}: {commands:#?}\n{lines:#?}");
        let ready = commands.iter().filter(|command| **command == "isready").count();
        assert_eq!(count(&lines, "readyok"), ready, "seed {seed}: {commands:#?}\n{lines:#?}");
    }
}

#[test]
fn every_go_is_answered_when_commands_come_slowly() {
    for seed in 0..4 {
        let mut rng = Rng::new(1000 + seed);
        let mut client = Client::start();
        let mut searches = 0;
        let mut lines = Vec::new();
        for _ in 0..60 {
            let command = pick(&mut rng);
            searches += usize::from(is_search(command));
            client.send(command);
            lines.extend(client.listen(Duration::from_millis(rng.below(8) as u64)));
        }
        client.close_input();
        let (rest, code) = client.wait_exit();
        lines.extend(rest);
        assert_eq!((count(&lines, "bestmove"), code), (searches, Some(0)), "seed {seed}: {lines:#?}");
    }
}
