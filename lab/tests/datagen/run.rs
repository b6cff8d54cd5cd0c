//! Whole self-play runs: reproducibility, resuming after a kill, adjudication.

use std::{
    collections::HashSet,
    fs::{self, File},
    io::BufReader,
    num::NonZeroU64,
    path::{Path, PathBuf},
};

use sleight::{
    eval::evaluate,
    movegen::legal_moves,
    nnue::{AccumulatorStack, Network},
    outcome::Outcome,
    position::Position,
    syzygy::{Tablebases, Wdl},
    util::Rng,
};
use sleight_lab::datagen::{
    self, DatagenError, DatagenOptions, OpeningsOptions, Totals,
    format::{GameReader, GameRecord},
};
use tempfile::TempDir;

fn options(folder: &TempDir) -> DatagenOptions {
    DatagenOptions {
        out: folder.path().join("games"),
        threads: 1,
        nodes: 40,
        short_nodes: None,
        share: 3,
        first_ply: 8,
        seed: 7,
        positions: None,
        games: Some(10),
        book: None,
        chess960: 30,
        random_plies: None,
        sample: None,
        evaluated: None,
        hash: 1,
        syzygy: None,
    }
}

fn file(folder: &TempDir, thread: usize) -> PathBuf {
    folder.path().join(format!("games/t{thread:02}.vf"))
}

fn games(path: &Path) -> Vec<GameRecord> {
    GameReader::new(BufReader::new(fs::File::open(path).unwrap())).map(Result::unwrap).collect()
}

/// The bytes of an uninterrupted run.
fn uninterrupted(change: impl Fn(&mut DatagenOptions)) -> Vec<u8> {
    let folder = TempDir::new().unwrap();
    let mut options = options(&folder);
    change(&mut options);
    datagen::run(&options).unwrap();
    fs::read(file(&folder, 0)).unwrap()
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_another_seed_others() {
    let first = uninterrupted(|_| {});
    assert_eq!(uninterrupted(|_| {}), first);
    assert_ne!(uninterrupted(|options| options.seed = 8), first);
    assert_ne!(uninterrupted(|options| options.nodes = 41), first);
}

#[test]
fn a_run_that_was_killed_at_any_byte_goes_on_to_the_same_end() {
    kill_at_any_byte(|_| {});
    kill_at_any_byte(|options| options.short_nodes = Some(15));
    kill_at_any_byte(|options| (options.sample, options.chess960, options.games) = (Some(30), 0, Some(6)));
}

fn kill_at_any_byte(change: impl Fn(&mut DatagenOptions)) {
    let folder = TempDir::new().unwrap();
    let mut options = options(&folder);
    change(&mut options);
    let totals = datagen::run(&options).unwrap();
    let whole = fs::read(file(&folder, 0)).unwrap();
    let mut rng = Rng::new(3);
    let cuts = (0..12).map(|_| rng.below(whole.len())).chain([0, 1, whole.len() - 1, whole.len()]);
    for cut in cuts {
        fs::write(file(&folder, 0), &whole[..cut]).unwrap();
        assert_eq!(datagen::run(&options).unwrap(), totals);
        assert!(fs::read(file(&folder, 0)).unwrap() == whole, "cut at byte {cut}");
    }
}

#[test]
fn a_run_can_be_made_longer() {
    let folder = TempDir::new().unwrap();
    let mut options = options(&folder);
    options.games = Some(4);
    assert_eq!(datagen::run(&options).unwrap().games, 4);
    options.games = Some(10);
    datagen::run(&options).unwrap();
    assert!(fs::read(file(&folder, 0)).unwrap() == uninterrupted(|_| {}));
    options.positions = Some(1);
    options.games = None;
    assert_eq!(datagen::run(&options).unwrap().games, 10, "there are enough already");
}

#[test]
fn threads_play_different_games_and_meet_the_goal() {
    let folder = TempDir::new().unwrap();
    let options = DatagenOptions { threads: 2, games: Some(24), ..options(&folder) };
    let totals = datagen::run(&options).unwrap();
    let (first, second) = (games(&file(&folder, 0)), games(&file(&folder, 1)));
    let all: Vec<&GameRecord> = first.iter().chain(&second).collect();
    assert_eq!(totals, Totals { games: 24, positions: all.iter().map(|game| game.positions() as u64).sum() });
    assert_eq!(all.len(), 24);
    let starts: HashSet<String> = all.iter().map(|game| game.start.fen()).collect();
    assert_eq!(starts.len(), 24);
}

/// The position of a record, seen from the side to move as White, and its score.
fn position_of(record: &[u8; 32]) -> (Position, i16) {
    let occupied = u64::from_le_bytes(record[..8].try_into().unwrap());
    let mut board = [None; 64];
    let squares = (0..64).filter(|square| occupied >> square & 1 == 1);
    for (i, square) in squares.enumerate() {
        let piece = record[8 + i / 2] >> (4 * (i % 2)) & 15;
        board[square] = Some(char::from(b"PNBRQK??pnbrqk??"[usize::from(piece)]));
    }
    let rank = |rank: usize| -> String { board[8 * rank..][..8].iter().map(|piece| piece.unwrap_or('1')).collect() };
    let ranks: Vec<String> = (0..8).rev().map(rank).collect();
    let score = i16::from_le_bytes([record[24], record[25]]);
    (Position::from_fen(&format!("{} w - - 0 1", ranks.join("/"))).unwrap(), score)
}

#[test]
fn evaluated_positions_are_written_once_with_their_evaluation() {
    let folder = TempDir::new().unwrap();
    let one_in = 3;
    let mut options = DatagenOptions {
        threads: 2,
        games: Some(12),
        evaluated: NonZeroU64::new(one_in),
        short_nodes: Some(200),
        ..options(&folder)
    };
    datagen::run(&options).unwrap();
    let path = |thread: usize| file(&folder, thread).with_extension("bullet");
    let first: Vec<Vec<u8>> = (0..2).map(|thread| fs::read(path(thread)).unwrap()).collect();
    // As a kill leaves it.
    fs::write(path(1), [&first[1][..], &[1; 7]].concat()).unwrap();
    options.games = Some(20);
    datagen::run(&options).unwrap();
    let bytes: Vec<Vec<u8>> = (0..2).map(|thread| fs::read(path(thread)).unwrap()).collect();
    assert!(
        (0..2).all(|thread| bytes[thread].starts_with(&first[thread]) && bytes[thread].len() > first[thread].len())
    );
    let records: Vec<&[u8; 32]> = bytes.iter().flat_map(|bytes| bytes.as_chunks().0).collect();
    assert_eq!(32 * records.len(), bytes.concat().len());
    let boards: HashSet<&[u8]> = records.iter().map(|record| &record[..24]).collect();
    assert_eq!(boards.len(), records.len(), "a position twice");
    let mut accumulators = AccumulatorStack::new(Network::embedded());
    for record in &records {
        let (position, score) = position_of(record);
        assert!(!position.in_check(), "{}", position.fen());
        assert_eq!(evaluate(&position, &mut accumulators).0, i32::from(score), "{}", position.fen());
    }
    // Plies with a search of 200 nodes, of which the TT and the checks take a part.
    let plies: usize = (0..2).flat_map(|thread| games(&file(&folder, thread))).map(|game| game.moves.len()).sum();
    let share = records.len() as f64 / (200 * plies) as f64;
    assert!((0.3..1.5).contains(&(share * one_in as f64)), "{} of {plies} plies", records.len());
    options.threads = 4;
    assert!(matches!(datagen::run(&options), Err(DatagenError::Evaluated(_))));
}

#[test]
fn games_end_for_a_reason() {
    let folder = TempDir::new().unwrap();
    datagen::run(&DatagenOptions { games: Some(120), ..options(&folder) }).unwrap();
    let mut outcomes = HashSet::new();
    for game in games(&file(&folder, 0)) {
        outcomes.insert(game.outcome);
        let mut end = game.start.clone();
        game.moves.iter().for_each(|&(mv, _)| end.make(mv));
        let scores: Vec<i16> = game.moves.iter().map(|&(_, score)| score.unwrap()).collect();
        assert!(scores[0].abs() <= 150, "the opening is balanced");

        let last = &scores[scores.len().saturating_sub(4)..];
        let reason = match game.outcome {
            _ if legal_moves(&end).is_empty() => end.in_check() == (game.outcome != Outcome::Draw),
            Outcome::WhiteWins => last.iter().all(|&score| score >= 600),
            Outcome::BlackWins => last.iter().all(|&score| score <= -600),
            Outcome::Draw => {
                let even = scores.len() >= 12 && scores[scores.len() - 12..].iter().all(|score| score.abs() <= 10);
                even || end.is_repetition(0)
                    || end.is_fifty_move_draw()
                    || end.is_insufficient_material()
                    || game.moves.len() == 400
            }
        };
        assert!(reason, "{:?} in {}", game.outcome, end.fen());
    }
    assert_eq!(outcomes.len(), 3);
}

/// A game stops on the first position that the tablebases have, with their result.
#[test]
fn tables_end_games() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/syzygy");
    let tables = Tablebases::open(path.as_os_str()).unwrap();
    let folder = TempDir::new().unwrap();
    let book = folder.path().join("book.epd");
    fs::write(
        &book,
        "8/8/4k3/3p4/3P4/4K3/8/8 w - - 0 1\n8/3pk3/8/3P4/8/4K3/8/8 b - - 0 1\n8/8/8/2k5/3p4/8/1K1P4/8 w - - 0 1\n",
    )
    .unwrap();
    let options = DatagenOptions { book: Some(book), chess960: 0, syzygy: Some(path.into()), ..options(&folder) };
    datagen::run(&DatagenOptions { games: Some(40), random_plies: Some(3), ..options }).unwrap();
    let mut outcomes = HashSet::new();
    for game in games(&file(&folder, 0)) {
        let mut known = Vec::new();
        let mut position = game.start.clone();
        for &(mv, _) in &game.moves {
            position.make(mv);
            known.push(tables.probe_wdl(&position).is_some());
        }
        assert!(known.iter().rev().skip(1).all(|known| !known), "the game went on: {}", game.start.fen());
        if known.last() == Some(&true) {
            outcomes.insert(game.outcome);
            let won = game.outcome == Outcome::win(position.side_to_move());
            let lost = game.outcome == Outcome::win(!position.side_to_move());
            let wdl = tables.probe_wdl(&position).unwrap();
            assert_eq!((won, lost), (wdl == Wdl::Win, wdl == Wdl::Loss), "{}", position.fen());
        }
    }
    assert!(outcomes.len() > 1, "{outcomes:?}");
}

/// Openings that are used up get further random plies: 70 games from one position, at first with one random ply at
/// most.
#[test]
fn no_game_is_played_twice() {
    let folder = TempDir::new().unwrap();
    let book = folder.path().join("book.epd");
    fs::write(&book, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n").unwrap();
    let options =
        DatagenOptions { book: Some(book), threads: 2, chess960: 0, random_plies: Some(0), ..options(&folder) };
    for total in [35, 70] {
        datagen::run(&DatagenOptions { games: Some(total), ..options.clone() }).unwrap();
    }
    let all = [games(&file(&folder, 0)), games(&file(&folder, 1))].concat();
    let starts: HashSet<_> = all.iter().map(|game| game.start.key()).collect();
    let played: HashSet<_> = all.iter().map(|game| (game.start.key(), game.moves.clone())).collect();
    assert_eq!((all.len(), starts.len(), played.len()), (70, 70, 70));
}

/// One of three plies has a score, among those that the trainer keeps: past the opening, quiet and not in check.
#[test]
fn the_playout_cap_records_a_share_of_the_plies() {
    let folder = TempDir::new().unwrap();
    let options = DatagenOptions { short_nodes: Some(15), nodes: 60, games: Some(60), ..options(&folder) };
    let totals = datagen::run(&options).unwrap();
    let (mut recorded, mut quiet) = (0_u32, 0_u32);
    for game in games(&file(&folder, 0)) {
        let mut position = game.start.clone();
        for (mv, score) in game.moves {
            let may_be = position.game_ply() >= 8 && !position.in_check();
            assert!(may_be || score.is_none(), "{}", position.fen());
            recorded += u32::from(score.is_some());
            quiet += u32::from(may_be && mv.is_quiet());
            position.make(mv);
        }
    }
    assert_eq!(u64::from(recorded), totals.positions);
    assert!((quiet / 4..quiet * 5 / 12).contains(&recorded), "{recorded} of {quiet}");

    // The full searches are what costs the nodes: fewer of them, another game.
    let others = uninterrupted(|options| (options.short_nodes, options.share) = (Some(15), 50));
    assert_ne!(others, uninterrupted(|options| options.short_nodes = Some(15)));
}

/// After 6 to 16 plies, or up to 8 more if those were played before, from the standard position or both kinds of
/// Chess960.
#[test]
fn openings_are_sampled_from_own_play() {
    let folder = TempDir::new().unwrap();
    let options = DatagenOptions { sample: Some(60), chess960: 50, games: Some(60), ..options(&folder) };
    datagen::run(&options).unwrap();
    let all = games(&file(&folder, 0));
    let plies: HashSet<u32> = all.iter().map(|game| game.start.game_ply()).collect();
    assert!(plies.iter().all(|plies| (6..=24).contains(plies)) && plies.len() > 8, "{plies:?}");
    assert_eq!(all.iter().map(|game| game.start.key()).collect::<HashSet<_>>().len(), 60);
    // What the engine plays is mostly balanced, which eight random plies are not.
    let standard = all.iter().filter(|game| game.start.shredder_fen().split(' ').nth(2) == Some("HAha")).count();
    assert!((10..50).contains(&standard), "{standard}");
}

#[test]
fn a_book_is_sampled_and_continued() {
    let folder = TempDir::new().unwrap();
    let options = OpeningsOptions { out: folder.path().join("book.epd"), count: 12, nodes: 60, seed: 3, chess960: 20 };
    assert_eq!(datagen::sample_openings(&options).unwrap(), 12);
    let first = fs::read_to_string(&options.out).unwrap();
    fs::write(&options.out, &first[..first.len() - 5]).unwrap();
    assert_eq!(datagen::sample_openings(&OpeningsOptions { count: 30, ..options.clone() }).unwrap(), 30);
    let text = fs::read_to_string(&options.out).unwrap();
    let (whole, _) = first.trim_end().rsplit_once('\n').unwrap();
    assert!(text.starts_with(whole), "what was there stays");
    let positions: Vec<Position> = text.lines().map(|line| Position::from_fen(line).unwrap()).collect();
    assert!(positions.iter().all(|position| [6, 8, 10, 12, 14, 16].contains(&position.game_ply())));
    assert_eq!(positions.iter().map(Position::key).collect::<HashSet<_>>().len(), 30);
    // It is a book of datagen.
    let games = DatagenOptions { book: Some(options.out.clone()), games: Some(3), ..self::options(&folder) };
    assert_eq!(datagen::run(&games).unwrap().games, 3);
    let other = "another file\nwith a last line that has no end";
    fs::write(&options.out, other).unwrap();
    let error = datagen::sample_openings(&options).unwrap_err().to_string();
    assert!(error.contains("book.epd, line 1: "), "{error}");
    assert_eq!(fs::read_to_string(&options.out).unwrap(), other, "what is no book stays as it is");
    let writer = File::options().append(true).open(&options.out).unwrap();
    writer.lock().unwrap();
    let error = datagen::sample_openings(&options).unwrap_err().to_string();
    assert!(error.ends_with("book.epd: another process is writing to it"), "{error}");
}

#[test]
fn damage_is_reported_and_left_alone() {
    let folder = TempDir::new().unwrap();
    let options = options(&folder);
    datagen::run(&options).unwrap();
    let mut bytes = fs::read(file(&folder, 0)).unwrap();
    bytes[30] = 9;
    fs::write(file(&folder, 0), &bytes).unwrap();
    let error = datagen::run(&options).unwrap_err().to_string();
    assert!(error.ends_with("t00.vf: byte 0: 9 is not a result; move the file away"), "{error}");
    assert!(fs::read(file(&folder, 0)).unwrap() == bytes);
}

#[test]
fn a_directory_that_cannot_be_created_is_named() {
    let folder = TempDir::new().unwrap();
    let options = options(&folder);
    fs::write(&options.out, "").unwrap();
    let error = datagen::run(&options).unwrap_err().to_string();
    assert!(error.starts_with(&format!("{}: ", options.out.display())), "{error}");
}

#[test]
fn two_runs_do_not_write_to_one_file() {
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("games")).unwrap();
    let other = fs::File::create(file(&folder, 0)).unwrap();
    other.lock().unwrap();
    let error = datagen::run(&options(&folder)).unwrap_err().to_string();
    assert!(error.contains("another process"), "{error}");
}

#[test]
fn books_replace_the_standard_start() {
    let folder = TempDir::new().unwrap();
    let book = folder.path().join("book.epd");
    fs::write(&book, "4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1\n").unwrap();
    let options = DatagenOptions { book: Some(book), chess960: 0, random_plies: Some(2), ..options(&folder) };
    datagen::run(&options).unwrap();
    assert!(games(&file(&folder, 0)).iter().all(|game| game.start.board().occupied().len() <= 10));
    let hopeless = folder.path().join("hopeless.epd");
    fs::write(&hopeless, "4k3/8/8/8/8/8/8/QQQ1K3 w - - 0 1\n6k1/5ppp/8/8/8/8/8/q5K1 w - - 0 1\n").unwrap();
    let hopeless =
        DatagenOptions { book: Some(hopeless), random_plies: Some(0), out: folder.path().into(), ..options.clone() };
    assert!(datagen::run(&hopeless).unwrap_err().to_string().contains("none was balanced"));
    let missing = DatagenOptions { book: Some(folder.path().join("none")), ..options };
    assert!(datagen::run(&missing).unwrap_err().to_string().contains("cannot read the book"));
}
