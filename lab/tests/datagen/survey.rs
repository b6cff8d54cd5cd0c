//! The statistics of `sleight-lab data`.

use std::fs;

use sleight::{movegen::legal_moves, outcome::Outcome, position::Position, types::Score};
use sleight_lab::datagen::{Survey, format::GameRecord};
use tempfile::TempDir;

fn game(fen: &str, moves: &[(&str, i16)], outcome: Outcome) -> GameRecord {
    let start = Position::from_fen(fen).unwrap();
    let mut position = start.clone();
    let find = |&(text, score): &(&str, i16)| {
        let mv = legal_moves(&position).into_iter().find(|mv| mv.to_string() == text).unwrap();
        position.make(mv);
        (mv, Some(score))
    };
    GameRecord { start, moves: moves.iter().map(find).collect(), outcome }
}

fn bytes(games: &[GameRecord]) -> Vec<u8> {
    let mut bytes = Vec::new();
    games.iter().for_each(|game| game.write_to(&mut bytes).unwrap());
    bytes
}

fn samples() -> [GameRecord; 3] {
    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const CHECK: &str = "4k3/8/8/8/8/8/4q3/4K3 w - - 0 1";
    let mate = Score::mate_in(9).0 as i16;
    [
        game(START, &[("e2e4", 30), ("d7d5", 60), ("e4d5", -5)], Outcome::WhiteWins),
        game(START, &[("e2e4", 30), ("e7e5", -2600)], Outcome::BlackWins),
        game(CHECK, &[("e1e2", mate)], Outcome::Draw),
    ]
}

#[test]
fn everything_is_counted() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("games.vf");
    fs::write(&path, bytes(&samples())).unwrap();
    let survey = Survey::of(std::slice::from_ref(&path));
    assert_eq!((survey.files, survey.games, survey.positions, survey.longest), (1, 3, 6, 3));
    assert_eq!(survey.outcomes, [1, 1, 1]);
    assert_eq!((survey.in_check, survey.noisy, survey.quiet), (1, 2, 4));
    // The standard start and the position after 1. e4 occur twice.
    assert!((survey.duplicate_share() - 2.0 / 6.0).abs() < 1e-9);
    assert_eq!((survey.same_games, survey.truncated, survey.error_count), (0, 0, 0));

    let page = survey.to_string();
    for line in [
        "            3  games: White wins 33.3 %, draws 33.3 %, Black wins 33.3 %",
        "            6  positions, 2.0 per game",
        "            0  further plies without a score",
        "            3  plies in the longest game",
        "       16.7 %  in check",
        "        11-49  0.50   33.3 %  #############",
        "        2500-  1.00   16.7 %  #######",
        "         mate  0.50   16.7 %  #######",
        "          1-4  0.50   16.7 %  #######",
    ] {
        assert!(page.lines().any(|printed| printed == line), "no line `{line}` in\n{page}");
    }

    let twice = Survey::of(&[path.clone(), path]);
    assert_eq!((twice.games, twice.same_games), (6, 3));
}

/// They are in no statistics but their own, neither as scores nor as copies.
#[test]
fn plies_without_a_score_are_left_out() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("games.vf");
    let whole = samples();
    let mut capped = whole.clone();
    capped.iter_mut().for_each(|game| game.moves.iter_mut().for_each(|(_, score)| *score = None));
    fs::write(&path, [bytes(&whole), bytes(&capped)].concat()).unwrap();
    let survey = Survey::of(std::slice::from_ref(&path));
    assert_eq!((survey.games, survey.positions, survey.without_score, survey.longest), (6, 6, 6, 3));
    assert_eq!((survey.in_check, survey.noisy, survey.quiet), (1, 2, 4));
    assert!((survey.duplicate_share() - 2.0 / 6.0).abs() < 1e-9);
    fs::write(&path, bytes(&whole)).unwrap();
    let histograms = |survey: &Survey| survey.to_string().split_once("score of the side").unwrap().1.to_owned();
    assert_eq!(histograms(&Survey::of(&[path])), histograms(&survey));
}

#[test]
fn truncated_files_are_told_from_damage() {
    let folder = TempDir::new().unwrap();
    let (truncated, damaged, missing) =
        (folder.path().join("truncated"), folder.path().join("damaged"), folder.path().join("no"));
    let mut whole = bytes(&samples());
    fs::write(&truncated, &whole[..whole.len() - 1]).unwrap();
    whole[30] = 7;
    fs::write(&damaged, &whole).unwrap();
    let survey = Survey::of(&[truncated, damaged, missing]);
    assert_eq!((survey.files, survey.games, survey.truncated), (2, 4, 1));
    assert!(survey.errors[0].ends_with("damaged: byte 0: 7 is not a result"), "{:?}", survey.errors);
    assert!(survey.errors[1].contains("no: "), "{:?}", survey.errors);
    assert!(survey.to_string().contains("\nerrors: 2\n"));

    let zeros = folder.path().join("zeros");
    fs::write(&zeros, [0; 36 * 1000]).unwrap();
    let survey = Survey::of(&[zeros]);
    assert_eq!((survey.error_count, survey.errors.len()), (1000, 10), "only the first errors are kept");
}
