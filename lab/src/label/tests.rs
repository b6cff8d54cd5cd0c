//! Tests of the evaluation and of whole runs: with networks made at random, and where the teacher is, with it.

use std::{fs, path::Path, process::Command};

use super::{
    architecture::{Architecture, BUCKETS, Formula, L1_OUTPUTS, L2_INPUTS, L2_OUTPUTS},
    board::Board,
    error::LabelError,
    evaluator::Evaluator,
    features::{PIECE_FEATURES, THREAT_FEATURES},
    network::Network,
    network_file::{COMPRESSED, NetworkError, VERSION},
    options::LabelOptions,
    output::Progress,
    run::{label_file, run},
    teacher::Teacher,
};
use crate::{
    datagen::format::{GameReader, GameRecord},
    record::Record,
};
use sleight::{
    movegen::legal_moves,
    outcome::Outcome,
    position::{Position, Setup},
    types::Color,
    util::Rng,
};

const WITH_THREATS: Architecture = Architecture { name: "small", width: 256, threats: true, formula: Formula::V18 };
const WITHOUT: Architecture = Architecture { name: "small", width: 256, threats: false, formula: Formula::V16_1 };

/// Numbers around zero, small enough that most neurons are not clipped.
fn weights(rng: &mut Rng, count: usize, up_to: usize) -> Vec<i8> {
    (0..count).map(|_| (rng.below(2 * up_to + 1) as i16 - up_to as i16) as i8).collect()
}

/// A block of signed LEB128 of numbers of one byte or two.
fn compressed(numbers: &[i8]) -> Vec<u8> {
    let mut block = Vec::new();
    for &number in numbers {
        match number {
            -64..64 => block.push(number as u8 & 0x7f),
            _ => block.extend([number as u8 | 0x80, if number < 0 { 0x7f } else { 0 }]),
        }
    }
    [&COMPRESSED[..], &(block.len() as u32).to_le_bytes(), &block].concat()
}

fn plain<const N: usize>(numbers: &[i8], to_bytes: fn(i8) -> [u8; N]) -> Vec<u8> {
    numbers.iter().flat_map(|&number| to_bytes(number)).collect()
}

/// The file of a network with random weights.
fn network_file(architecture: &Architecture, seed: u64) -> Vec<u8> {
    let rng = &mut Rng::new(seed);
    let width = architecture.width;
    let mut file = Vec::new();
    let hash = |file: &mut Vec<u8>, hash: u32| file.extend(hash.to_le_bytes());
    hash(&mut file, VERSION);
    hash(&mut file, architecture.hash());
    hash(&mut file, 4);
    file.extend(b"test");
    hash(&mut file, architecture.transformer_hash());
    let threats = if architecture.threats { THREAT_FEATURES } else { 0 };
    file.extend(compressed(&weights(rng, width, 60)));
    file.extend(weights(rng, threats * width, 12).iter().map(|&weight| weight as u8));
    file.extend(compressed(&weights(rng, PIECE_FEATURES * width, 70)));
    file.extend(compressed(&weights(rng, (threats + PIECE_FEATURES) * BUCKETS, 120)));
    for _ in 0..BUCKETS {
        hash(&mut file, architecture.stack_hash());
        for (biases, inputs) in [(L1_OUTPUTS, width), (L2_OUTPUTS, L2_INPUTS), (1, L2_OUTPUTS)] {
            file.extend(plain(&weights(rng, biases, 120), |number| i32::from(number).to_le_bytes()));
            file.extend(weights(rng, biases * inputs, 60).iter().map(|&weight| weight as u8));
        }
    }
    file
}

fn network(architecture: Architecture, seed: u64) -> Network {
    Network::from_bytes(&network_file(&architecture, seed), &[architecture]).unwrap()
}

/// A game of random moves from the standard or a Chess960 position.
fn game(seed: u64) -> GameRecord {
    let mut rng = Rng::new(seed);
    let start = if seed.is_multiple_of(2) {
        Position::startpos()
    } else {
        Setup::chess960(rng.below(960), rng.below(960)).unwrap().position().unwrap()
    };
    let (mut position, mut moves) = (start.clone(), Vec::new());
    for _ in 0..160 {
        let legal = legal_moves(&position);
        if legal.is_empty() {
            break;
        }
        // Captures make for positions with few pieces.
        let capture = legal.iter().copied().find(|mv| mv.is_capture() || mv.is_promotion());
        let mv = capture.filter(|_| rng.below(4) == 0).unwrap_or(legal[rng.below(legal.len())]);
        moves.push((mv, Some(7)));
        position.make(mv);
    }
    let mated = position.in_check() && legal_moves(&position).is_empty();
    let outcome = if mated { Outcome::win(!position.side_to_move()) } else { Outcome::Draw };
    GameRecord { start, moves, outcome }
}

/// The positions of a game before each move.
fn positions(game: &GameRecord) -> Vec<Position> {
    let mut position = game.start.clone();
    let before_move = |&(mv, _)| {
        let before = position.clone();
        position.make(mv);
        before
    };
    game.moves.iter().map(before_move).collect()
}

/// The value without anything of other positions.
fn refreshed(network: &Network, board: &Board) -> i32 {
    Evaluator::new(network).value(board)
}

#[test]
fn values_along_games_are_those_of_a_refresh() {
    for architecture in [WITH_THREATS, WITHOUT] {
        let network = network(architecture, 1);
        let mut evaluator = Evaluator::new(&network);
        let mut values = Vec::new();
        for position in (0..12).map(game).flat_map(|game| positions(&game)) {
            let board = Board::from_position(&position);
            let value = evaluator.value(&board);
            assert_eq!(value, refreshed(&network, &board), "{}", position.fen());
            values.push(value);
        }
        let total = values.len();
        values.sort_unstable();
        values.dedup();
        assert!(values.len() > total / 4, "{} values of {total} positions", values.len());
    }
}

/// A record is seen from the side to move, so its value is that of the position.
#[test]
fn a_record_has_the_value_and_the_checks_of_its_position() {
    let network = network(WITH_THREATS, 2);
    let mut evaluator = Evaluator::new(&network);
    let (mut checks, mut black) = (0, 0);
    for position in (0..12).map(game).flat_map(|game| positions(&game)) {
        let record = Board::from_record(&Record::new(&position, 0, 1).unwrap());
        assert_eq!(record.in_check(), position.in_check(), "{}", position.fen());
        checks += i32::from(position.in_check());
        black += i32::from(position.side_to_move() == Color::Black);
        let value = refreshed(&network, &Board::from_position(&position));
        assert_eq!(evaluator.value(&record), value, "{}", position.fen());
    }
    assert!(checks > 20 && black > 200, "{checks} {black}");
}

#[test]
fn a_wrong_network_file_is_refused_with_the_reason() {
    let file = network_file(&WITHOUT, 3);
    let read = |bytes: &[u8]| Network::from_bytes(bytes, &[WITHOUT]).err();
    assert!(read(&file).is_none());
    let cuts = [0, 3, 10, 15, 20, 100, file.len() / 2, file.len() - 20_000, file.len() - 1];
    for len in cuts {
        let error = read(&file[..len]);
        assert!(matches!(error, Some(NetworkError::Truncated { end, .. }) if end == len), "{len}: {error:?}");
    }
    let with = |at: usize, byte: u8| {
        let mut file = file.clone();
        file[at] ^= byte;
        read(&file).map(|error| error.to_string()).unwrap_or_default()
    };
    assert!(with(0, 1).starts_with("not a Stockfish network: the file begins with 0x7af32f21"), "{}", with(0, 1));
    let other = with(4, 1);
    assert!(other.contains("\"test\") is none of those known: small"), "{other}");
    assert!(with(16, 1).starts_with("the feature transformer begins with the hash"), "{}", with(16, 1));
    // The last weight of the first block, which then goes on into nothing.
    let end = 20 + COMPRESSED.len() + 4 + WITHOUT.width - 1;
    assert_eq!(with(end, 0x80), "the compressed biases are damaged");
    let longer = [&file[..], &[0]].concat();
    assert!(matches!(read(&longer), Some(NetworkError::Trailing(1))));
    let threats = Network::from_bytes(&file, &[WITH_THREATS]).err();
    assert!(matches!(threats, Some(NetworkError::Architecture { .. })), "{threats:?}");
}

fn options(files: &[&Path], out: &Path) -> LabelOptions {
    LabelOptions {
        files: files.iter().map(|&file| file.to_owned()).collect(),
        out: out.to_owned(),
        teacher: Some("no/such.nnue".into()),
        engine: None,
        nodes: None,
        depth: None,
        movetime: None,
        engine_options: Vec::new(),
        threads: 2,
    }
}

#[test]
fn a_run_that_cannot_begin_says_why() {
    let directory = tempfile::tempdir().unwrap();
    let games = directory.path().join("games.vf");
    fs::write(&games, "").unwrap();
    let out = directory.path().join("out");
    let error = |files: &[&Path], out: &Path| run(&options(files, out)).unwrap_err();
    assert!(error(&[&games], &out).to_string().starts_with("no/such.nnue: No such file"));
    assert!(error(&["some.txt".as_ref()], &out).to_string().contains("expected a name in .vf"));
    assert!(matches!(error(&[&games, &games], &out), LabelError::SameName(_)));
    assert!(matches!(error(&[&games], directory.path()), LabelError::SameName(_)));
    assert!(!out.exists());
}

fn games(seeds: std::ops::Range<u64>) -> Vec<u8> {
    let mut bytes = Vec::new();
    seeds.for_each(|seed| game(seed).write_to(&mut bytes).unwrap());
    bytes
}

fn records(seeds: std::ops::Range<u64>) -> Vec<u8> {
    let all = seeds.map(game).flat_map(|game| positions(&game));
    all.flat_map(|position| Record::new(&position, 3, 2).unwrap().to_bytes()).collect()
}

/// Labels `bytes` in small chunks; returns what was found, and the output.
fn labelled(teacher: &Teacher, name: &str, bytes: &[u8], threads: usize) -> (Progress, Vec<u8>) {
    let directory = tempfile::tempdir().unwrap();
    let (source, target) = (directory.path().join(name), directory.path().join("out"));
    fs::write(&source, bytes).unwrap();
    let progress = label_file(&source, &target, teacher, threads, 2000).unwrap();
    let left: Vec<_> = fs::read_dir(directory.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "{left:?}");
    (progress, fs::read(&target).unwrap())
}

#[test]
fn games_keep_all_but_their_scores() {
    let teacher = Teacher::Network(Box::new(network(WITH_THREATS, 4)));
    let Teacher::Network(network) = &teacher else { unreachable!() };
    let (progress, output) = labelled(&teacher, "games.vf", &games(0..30), 3);
    let mut checks = 0;
    let read: Vec<GameRecord> = GameReader::new(&output[..]).map(Result::unwrap).collect();
    assert_eq!(read.len(), 30);
    for (seed, labelled) in (0..).zip(read) {
        let original = game(seed);
        assert_eq!((labelled.start.key(), labelled.outcome), (original.start.key(), original.outcome));
        assert_eq!(labelled.moves.len(), original.moves.len());
        for ((position, (mv, _)), (label, score)) in positions(&original).iter().zip(original.moves).zip(labelled.moves)
        {
            let value = refreshed(network, &Board::from_position(position)).clamp(-31_000, 31_000);
            let for_white = if position.side_to_move() == Color::White { value } else { -value };
            assert_eq!((label, score.map(i32::from)), (mv, (!position.in_check()).then_some(for_white)));
            checks += u64::from(position.in_check());
        }
    }
    assert!(checks > 20 && progress.counts.in_check == checks, "{checks}");
}

#[test]
fn records_in_check_are_left_out() {
    let teacher = Teacher::Network(Box::new(network(WITHOUT, 5)));
    let Teacher::Network(network) = &teacher else { unreachable!() };
    let (progress, output) = labelled(&teacher, "some.bullet", &records(0..10), 2);
    let quiet = (0..10).map(game).flat_map(|game| positions(&game)).filter(|position| !position.in_check());
    let expected = quiet.flat_map(|position| {
        let value = refreshed(network, &Board::from_position(&position)).clamp(-31_000, 31_000) as i16;
        Record::new(&position, 0, 2).unwrap().with_score(value).to_bytes()
    });
    assert!(output == expected.collect::<Vec<u8>>());
    assert_eq!(progress.counts.labelled as usize, output.len() / 32);
    assert!(progress.counts.in_check > 10);
}

/// The end of a file that is still being written is left out, and so is a damaged game.
#[test]
fn damaged_places_are_left_out() {
    let teacher = Teacher::Network(Box::new(network(WITHOUT, 6)));
    let (whole, first) = (games(0..9), games(0..8));
    let (progress, output) = labelled(&teacher, "games.vf", &whole[..whole.len() - 6], 2);
    assert_eq!(progress.counts.damaged, 1);
    assert!(output == labelled(&teacher, "games.vf", &first, 1).1);
    let bad_move = [&games(20..21)[..32], &[0xff, 0xff, 1, 0, 0, 0, 0, 0]].concat();
    let (progress, output) = labelled(&teacher, "games.vf", &[bad_move, first.clone()].concat(), 2);
    assert_eq!(progress.counts.damaged, 1);
    assert!(output == labelled(&teacher, "games.vf", &first, 1).1);
    let some = records(0..1);
    let (progress, output) = labelled(&teacher, "some.bin", &some[..some.len() - 1], 2);
    assert_eq!(progress.counts.damaged, 1);
    assert!(output == labelled(&teacher, "some.bin", &some[..some.len() - 32], 1).1);
}

/// A run that ends in the middle has written whole chunks, and the next one goes on behind them.
#[test]
fn an_interrupted_run_goes_on_and_writes_the_same_bytes() {
    let teacher = Teacher::Network(Box::new(network(WITHOUT, 7)));
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    let (source, target) = (path("some.bullet"), path("out"));
    let whole = records(0..10);
    let mut bad = whole.clone();
    let place = whole.len() / 2 / 32 * 32;
    bad[place..place + 32].fill(0xff);
    fs::write(&source, &bad).unwrap();
    let label = |teacher: &Teacher| label_file(&source, &target, teacher, 2, 2000);
    let number = place / 32;
    assert!(label(&teacher).unwrap_err().to_string().ends_with(&format!("record {number} is not a position")));
    assert!(!target.exists());
    let noted = fs::read_to_string(path("out.progress")).unwrap();
    let done: usize = noted.split(' ').next().unwrap().parse().unwrap();
    assert!(done > 0 && done <= place && done.is_multiple_of(32), "{noted}");

    // Killed while it wrote a chunk.
    let mut part = fs::read(path("out.part")).unwrap();
    part.extend([1; 77]);
    fs::write(path("out.part"), &part).unwrap();
    fs::write(&source, &whole).unwrap();
    let other = Teacher::Network(Box::new(network(WITHOUT, 8)));
    assert!(matches!(label(&other), Err(LabelError::Begun(_))), "another teacher");
    // What is labelled already is not read again.
    let mut rest = whole.clone();
    rest[..done].fill(0xff);
    fs::write(&source, &rest).unwrap();
    let progress = label(&teacher).unwrap();
    let (uninterrupted, output) = labelled(&teacher, "some.bullet", &whole, 1);
    assert!(fs::read(&target).unwrap() == output);
    assert_eq!(progress, uninterrupted);
    assert!(!path("out.part").exists() && !path("out.progress").exists());
}

#[test]
fn two_runs_do_not_write_one_file() {
    let teacher = Teacher::Network(Box::new(network(WITHOUT, 7)));
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    fs::write(path("some.bullet"), records(0..1)).unwrap();
    let part = fs::File::create(path("out.part")).unwrap();
    part.lock().unwrap();
    let result = label_file(&path("some.bullet"), &path("out"), &teacher, 1, 2000);
    assert!(matches!(result, Err(LabelError::InUse(_))), "{result:?}");
}

/// A UCI engine of a few lines: its score is the number of bytes of the position, until it has searched `searches`.
#[cfg(unix)]
fn engine(directory: &Path, searches: u32) -> Teacher {
    let script = format!(
        "left={searches}
         while read -r first rest; do case $first in
           uci) echo 'id name test'; echo 'option name UCI_Chess960 type check default false'; echo uciok;;
           isready) echo readyok;;
           position) score=${{#rest}};;
           go) [ $left = 0 ] && exit; left=$((left - 1))
               echo \"info depth 1 score cp 3 nodes $rest\"
               echo \"info depth 2 score cp $score\"; echo 'info depth 3 score cp 9 lowerbound'
               echo bestmove e2e4;;
           quit) exit;;
         esac; done"
    );
    let path = directory.join("engine");
    fs::write(&path, script).unwrap();
    let command = Some(format!("sh {}", path.display()));
    Teacher::open(&LabelOptions {
        teacher: None,
        engine: command,
        nodes: Some(100),
        ..options(&["some.bullet".as_ref()], directory)
    })
    .unwrap()
}

#[cfg(unix)]
#[test]
fn an_engine_labels_by_its_searches() {
    let directory = tempfile::tempdir().unwrap();
    let teacher = engine(directory.path(), 1_000_000);
    let score = |position: &Position| format!("fen {}", position.shredder_fen()).len() as i16;
    let (_, output) = labelled(&teacher, "games.vf", &games(0..4), 2);
    let read: Vec<GameRecord> = GameReader::new(&output[..]).map(Result::unwrap).collect();
    for (seed, labelled) in (0..).zip(read) {
        for (position, (_, label)) in positions(&game(seed)).iter().zip(labelled.moves) {
            let sign = if position.side_to_move() == Color::White { 1 } else { -1 };
            assert_eq!(label, (!position.in_check()).then_some(sign * score(position)));
        }
    }
    let (progress, output) = labelled(&teacher, "some.bullet", &records(1..2), 2);
    assert_eq!(progress.counts.labelled as usize, output.len() / 32);
    for &bytes in output.as_chunks().0 {
        let record = Record::from_bytes(bytes).unwrap();
        assert_eq!(record.score(), score(&record.position().unwrap()));
    }
}

#[cfg(unix)]
#[test]
fn an_engine_that_ends_or_cannot_be_started_ends_the_run() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    fs::write(path("some.bullet"), records(0..1)).unwrap();
    let label = |teacher: &Teacher| label_file(&path("some.bullet"), &path("out"), teacher, 1, 2000);
    let error = label(&engine(directory.path(), 100)).unwrap_err().to_string();
    assert_eq!(error, "the engine ended instead of answering `go nodes 100`");
    let written = fs::read(path("out.part")).unwrap();
    assert!(!written.is_empty(), "whole chunks are kept");
    let missing = LabelOptions {
        teacher: None,
        engine: Some("no/such/engine".to_owned()),
        nodes: Some(1),
        ..options(&[&path("some.bullet")], &path("new"))
    };
    assert!(
        run(&missing).unwrap_err().to_string().starts_with("cannot start the engine `no/such/engine`: No such file")
    );
}

/// The teacher's file, unpacked by `xz`; none where it is not.
fn teacher_file() -> Option<Vec<u8>> {
    let packed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/teacher/nn-c288c895ea92.nnue.xz");
    if !packed.exists() {
        println!("skipped: there is no {}", packed.display());
        return None;
    }
    match Command::new("xz").arg("-dc").arg(&packed).output() {
        Ok(output) if output.status.success() => Some(output.stdout),
        result => panic!("{} cannot be unpacked: {result:?}", packed.display()),
    }
}

/// The expectations are the values of `Eval::evaluate` of Stockfish 18 itself, without optimism and damping.
#[test]
fn values_are_those_of_stockfish_18() {
    let Some(bytes) = teacher_file() else { return };
    let network = Network::from_bytes(&bytes, &super::architecture::KNOWN).unwrap();
    let cases: Vec<(Position, i32)> = include_str!("../../tests/data/stockfish-18.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let (fen, value) = line.rsplit_once(' ').unwrap();
            (Position::from_fen(fen).unwrap(), value.parse().unwrap())
        })
        .collect();
    assert_eq!(cases.len(), 2000);
    let count = |position: &Position| position.board().occupied().len();
    for pieces in 2..=32 {
        assert!(cases.iter().any(|(position, _)| count(position) == pieces), "none with {pieces} pieces");
    }
    let mut evaluator = Evaluator::new(&network);
    for (position, value) in &cases {
        assert_eq!(evaluator.value(&Board::from_position(position)), *value, "{}", position.fen());
        let record = Record::new(position, 0, 1).unwrap();
        assert_eq!(evaluator.value(&Board::from_record(&record)), *value, "{}", position.fen());
    }
    let file = std::env::temp_dir().join(format!("sleight-teacher-{}.nnue", std::process::id()));
    fs::write(&file, &bytes[..bytes.len() - 1]).unwrap();
    let truncated = Network::open(&file);
    fs::remove_file(&file).unwrap();
    assert!(matches!(truncated, Err(NetworkError::Truncated { part: "layers", .. })));
}
