//! The gradient against finite differences, the engine's inference against the forward pass, and whole trainings.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::{
    OutputDirectory, TrainError, TrainOptions, Training, TrainingData,
    gradient::GradientWorker,
    inference::compare,
    loss::Loss,
    model::{Layout, Model},
    options::TrainSettings,
    run,
    schedule::LearningRateSchedule,
    training::initial_model,
};
use crate::datagen::format::GameRecord;
use crate::record::Record;
use sleight::{
    movegen::legal_moves,
    nnue::{BUCKETS, INPUT_BUCKETS, L2, L3, Network, Perspective, SCALE, SKIP_FACTOR, WeightSource, output_bucket},
    outcome::Outcome,
    position::Position,
    types::{Color, PieceType},
    util::Rng,
};

const HIDDEN: usize = 128;

/// The material balance for White, with a pawn as 100.
fn material(position: &Position) -> i16 {
    let value = |color| -> i16 {
        let count = |piece_type| position.board().pieces(color, piece_type).len() as i16;
        let worth = [100, 310, 320, 500, 950, 0];
        PieceType::ALL.into_iter().map(|piece_type| worth[piece_type.index()] * count(piece_type)).sum()
    };
    value(Color::White) - value(Color::Black)
}

/// A game of random moves whose scores are the material balance, won by the side with more at its end.
pub(super) fn game(seed: u64) -> GameRecord {
    let mut rng = Rng::new(seed);
    let mut position = Position::startpos();
    let start = position.clone();
    let mut moves = Vec::new();
    for _ in 0..80 {
        let legal = legal_moves(&position);
        if legal.is_empty() {
            break;
        }
        let mv = legal[rng.below(legal.len())];
        moves.push((mv, Some(material(&position))));
        position.make(mv);
    }
    let mated = position.in_check() && legal_moves(&position).is_empty();
    let outcome = match material(&position) {
        _ if mated => Outcome::win(!position.side_to_move()),
        0 => Outcome::Draw,
        1.. => Outcome::WhiteWins,
        _ => Outcome::BlackWins,
    };
    GameRecord { start, moves, outcome }
}

/// Five files of eight games each.
pub(super) fn five_files(folder: &Path) -> Vec<PathBuf> {
    let paths: Vec<PathBuf> = (0..5).map(|file| folder.join(format!("{file}.vf"))).collect();
    for (file, path) in (0..).zip(&paths) {
        let mut games = Vec::new();
        (8 * file..8 * file + 8).for_each(|seed| game(seed).write_to(&mut games).unwrap());
        fs::write(path, games).unwrap();
    }
    paths
}

fn records(games: std::ops::Range<u64>) -> Vec<(Position, Record)> {
    let mut records = Vec::new();
    for GameRecord { start: mut position, moves, outcome } in games.map(game) {
        for (mv, score) in moves {
            records.push((position.clone(), Record::new(&position, score.unwrap(), outcome as u8).unwrap()));
            position.make(mv);
        }
    }
    records
}

/// A model whose weights are exact when quantized, large enough that some activations are clipped.
fn exact_model() -> Model<HIDDEN> {
    /// Up to a third of 1.0 either way in the feature transformer, an eighth in the first hidden layer.
    struct Weights(Rng);
    impl WeightSource for Weights {
        fn feature(&mut self) -> i16 {
            self.0.below(174) as i16 - 87
        }
        fn l1(&mut self) -> i8 {
            self.0.below(33) as i8 - 16
        }
        fn float(&mut self) -> f32 {
            self.0.below(101) as f32 / 100.0 - 0.4
        }
    }
    Model::from_network(&Network::<HIDDEN, BUCKETS>::from_source(&mut Weights(Rng::new(11))), 0)
}

/// The loss summed over positions, from its definition, in double precision. The rounding of the activations is a
/// constant, that of the weights `exact`, since the gradient passes through it unchanged.
fn reference_loss(weights: &[f64], exact: &[f64], positions: &[(Position, Record)], loss: Loss) -> f64 {
    let layout = Layout::<HIDDEN>::new(INPUT_BUCKETS);
    let squared_error = |(position, record): &(Position, Record)| {
        let us = position.side_to_move();
        let bucket = output_bucket(BUCKETS, position.board().occupied().len());
        let mut inputs = Vec::new();
        for color in [us, !us] {
            let perspective = Perspective::new(color, position.board().king(color));
            let sum = |weights: &[f64], neuron: usize| {
                let feature =
                    |square| perspective.feature(position.piece_at(square).unwrap(), square) * HIDDEN + neuron;
                let active = position.board().occupied().map(|square| weights[feature(square)]);
                (weights[layout.features() * HIDDEN + neuron] + active.sum::<f64>()).clamp(0.0, 1.0)
            };
            for neuron in 0..HIDDEN / 2 {
                let factors = |weights| [sum(weights, neuron), sum(weights, neuron + HIDDEN / 2)];
                let ([a, b], [constant_a, constant_b]) = (factors(weights), factors(exact));
                let rounded = ((constant_a * 255.0).round() * (constant_b * 255.0).round() / 512.0).floor() / 127.0;
                inputs.push(a * b - constant_a * constant_b + rounded);
            }
        }
        let screlu = |value: f64| value.clamp(0.0, 1.0).powi(2);
        let l1: Vec<f64> = (0..L2)
            .map(|output| {
                let row = &weights[layout.l1_weights(bucket) + output * HIDDEN..];
                weights[layout.l1_bias(bucket) + output] + inputs.iter().zip(row).map(|(a, w)| a * w).sum::<f64>()
            })
            .collect();
        let mut output = f64::from(SKIP_FACTOR) * l1[L2 - 1];
        for neuron in 0..L3 {
            let mut sum = weights[layout.l2_bias(bucket) + neuron];
            for input in 0..L2 - 1 {
                sum += screlu(l1[input]) * weights[layout.l2_weights(bucket) + input * L3 + neuron];
            }
            output += screlu(sum) * weights[layout.l3_weights(bucket) + neuron];
        }
        (1.0 / (1.0 + (-output).exp()) - f64::from(loss.target(record))).powi(2)
    };
    positions.iter().map(squared_error).sum()
}

#[test]
fn gradients_equal_finite_differences() {
    let positions: Vec<_> = records(0..4).into_iter().step_by(5).collect();
    let objective = Loss { wdl_share: 0.3 };
    let model = exact_model();
    let mut worker = GradientWorker::new(INPUT_BUCKETS);
    worker.backpropagate(&model, objective, positions.iter().map(|(_, record)| *record));

    let exact: Vec<f64> = model.weights().iter().map(|&weight| f64::from(weight)).collect();
    let mut weights = exact.clone();
    let loss = reference_loss(&weights, &exact, &positions, objective);
    assert!((worker.loss - loss).abs() < 1e-4 * loss, "{} {loss}", worker.loss);

    // A sample of the feature transformer's and the first hidden layer's weights, and all others. Of the former, most
    // have no gradient, since few king buckets are met.
    let layout = Layout::<HIDDEN>::new(INPUT_BUCKETS);
    let (features, floats) = (layout.l1_weights(0), layout.l1_bias(0));
    let mut rng = Rng::new(12);
    let with_gradient: Vec<usize> = (0..features).filter(|&i| worker.gradient[i] != 0.0).collect();
    let sampled: Vec<usize> =
        (0..300).flat_map(|_| [rng.below(features), with_gradient[rng.below(with_gradient.len())]]).collect();
    let sample: Vec<usize> =
        sampled.into_iter().chain((features..floats).step_by(7)).chain((floats..weights.len()).step_by(3)).collect();
    let (mut tested, mut kinks, step) = ([0; 3], 0, 1e-5);
    for i in sample {
        let at = |weights: &mut Vec<f64>, offset: f64| {
            weights[i] += offset;
            let loss = reference_loss(weights, &exact, &positions, objective);
            weights[i] -= offset;
            loss
        };
        let (above, below) = (at(&mut weights, step), at(&mut weights, -step));
        let (right, left) = ((above - loss) / step, (loss - below) / step);
        if (right - left).abs() > 1e-3 * (1.0 + right.abs()) {
            // The activation has a kink where it is clipped, and this weight sits on it: there is no derivative.
            kinks += 1;
            continue;
        }
        let expected = (above - below) / (2.0 * step);
        let found = f64::from(worker.gradient[i]);
        assert!((found - expected).abs() < 2e-4 * (1.0 + expected.abs()), "weight {i}: {found}, not {expected}");
        tested[usize::from(i >= features) + usize::from(i >= floats)] += usize::from(expected != 0.0);
    }
    assert!(kinks < 20, "{kinks} weights on a kink");
    assert!(tested.iter().all(|&tested| tested > 100), "only {tested:?} weights had a gradient to test");
}

#[test]
fn gradients_of_blocks_add_up() {
    let positions = records(20..40);
    let loss = Loss { wdl_share: 0.3 };
    let model = exact_model();
    let mut whole = GradientWorker::new(INPUT_BUCKETS);
    whole.backpropagate(&model, loss, positions.iter().map(|(_, record)| *record));
    let mut sum = vec![0.0; whole.gradient.len()];
    for (_, record) in &positions {
        let mut one = GradientWorker::new(INPUT_BUCKETS);
        one.backpropagate(&model, loss, std::iter::once(*record));
        sum.iter_mut().zip(&*one.gradient).for_each(|(sum, value)| *sum += value);
    }
    for (i, (whole, sum)) in whole.gradient.iter().zip(&sum).enumerate() {
        assert!((whole - sum).abs() < 1e-3 * (1.0 + sum.abs()), "weight {i}: {whole} {sum}");
    }
}

#[test]
fn active_features_equal_the_engines() {
    for (position, record) in records(40..60) {
        let us = position.side_to_move();
        let features = record.active_features(INPUT_BUCKETS);
        for (color, found) in [(us, features.of(0)), (!us, features.of(1))] {
            let perspective = Perspective::new(color, position.board().king(color));
            let feature = |square| perspective.feature(position.piece_at(square).unwrap(), square) as u16;
            let mut expected: Vec<u16> = position.board().occupied().map(feature).collect();
            let mut found = found.to_vec();
            expected.sort_unstable();
            found.sort_unstable();
            assert_eq!(found, expected, "{}", position.fen());
        }
        let flipped = record.position().unwrap();
        assert_eq!(Record::new(&flipped, record.score(), (2.0 * record.points()) as u8), Some(record));
    }
}

#[test]
fn records_are_bulletformat() {
    for (position, record) in records(60..70) {
        let board = position.board();
        let pieces = PieceType::ALL.map(|piece_type| board.of_type(piece_type).0);
        let [pawns, knights, bishops, rooks, queens, kings] = pieces;
        let sets =
            [board.color(Color::White).0, board.color(Color::Black).0, pawns, knights, bishops, rooks, queens, kings];
        let (us, score) = (position.side_to_move(), record.score());
        let (score, points) = match us {
            Color::White => (score, record.points()),
            Color::Black => (-score, 1.0 - record.points()),
        };
        let theirs = bulletformat::ChessBoard::from_raw(sets, us.index(), score, points).unwrap();
        let bytes = [
            &theirs.occ.to_le_bytes()[..],
            &theirs.pcs,
            &theirs.score.to_le_bytes(),
            &[theirs.result, theirs.ksq, theirs.opp_ksq],
            &theirs.extra,
        ];
        assert_eq!(record.to_bytes().to_vec(), bytes.concat(), "{}", position.fen());
    }
}

#[test]
fn engine_inference_equals_the_forward_pass() {
    // Not exact: the floats are between the quantized values.
    let model = Model::<HIDDEN>::new(INPUT_BUCKETS, 3);
    let records: Vec<_> = records(70..80).into_iter().map(|(_, record)| record).collect();
    let difference = |network| compare(&model, network, &records, Loss { wdl_share: 0.0 }).max_difference;
    let found = difference(model.network(SCALE).into());
    assert!(found < 1.1, "{found}, more than rounding");
    assert!(difference(Network::random(1).into()) > 80.0);
}

/// The optimizer updates the weights in chunks, which begin and end anywhere in the layers.
#[test]
fn chunks_are_quantized_as_the_whole_is() {
    let mut model = Model::<HIDDEN>::new(INPUT_BUCKETS, 4);
    for mut chunk in model.chunks(100) {
        chunk.weights.iter_mut().for_each(|weight| *weight = 0.7 - *weight);
        chunk.clip_and_quantize();
    }
    let whole = Model::<HIDDEN>::from_weights(INPUT_BUCKETS, model.weights());
    assert!(model.network(SCALE) == whole.network(SCALE));
    assert!(model.network(SCALE) != Model::<HIDDEN>::new(INPUT_BUCKETS, 4).network(SCALE));
}

/// Training can start from a network, and from a narrower one.
#[test]
fn a_model_computes_what_its_initial_network_does() {
    let narrow = Network::<HIDDEN, BUCKETS>::random(5);
    let model = Model::<HIDDEN>::from_network(&narrow, 1);
    assert!(*model.network(SCALE) == *narrow);
    let wide = Model::<{ 3 * HIDDEN }>::from_network(&narrow, 1);
    assert!(
        wide.weights() != Model::<{ 3 * HIDDEN }>::from_network(&narrow, 2).weights(),
        "the new neurons are not random"
    );
    let (mut first, mut second) = (GradientWorker::new(INPUT_BUCKETS), GradientWorker::new(INPUT_BUCKETS));
    first.load_l1(&model);
    second.load_l1(&wide);
    for (_, record) in records(0..3) {
        let (expected, found) = (first.output(&model, &record), second.output(&wide, &record));
        assert!((found - expected).abs() < 1e-4 * expected.abs().max(1.0), "{found} instead of {expected}");
    }
}

/// A training with one king bucket can be gone on with in all buckets of the engine, and its network is theirs.
#[test]
fn one_king_bucket_stands_for_all() {
    let one = Model::<HIDDEN>::new(1, 6);
    let layout = one.layout();
    let copies = one.weights()[..layout.features() * HIDDEN].repeat(INPUT_BUCKETS - 1);
    let all = Model::<HIDDEN>::from_weights(INPUT_BUCKETS, &[&copies, one.weights()].concat());
    assert!(one.network(SCALE) == all.network(SCALE));
    let (mut first, mut second) = (GradientWorker::new(1), GradientWorker::new(INPUT_BUCKETS));
    first.load_l1(&one);
    second.load_l1(&all);
    for (_, record) in records(0..3) {
        let expected = first.output(&one, &record);
        assert!((second.output(&all, &record) - expected).abs() < 1e-5 * expected.abs().max(1.0));
    }
}

pub(super) fn settings() -> TrainSettings {
    TrainSettings {
        hidden: HIDDEN,
        input_buckets: 1,
        initial: None,
        epochs: 8,
        batch: 512,
        lr: 0.005,
        lr_final_factor: 0.1,
        lr_schedule: LearningRateSchedule::Cosine,
        weight_decay: 0.1,
        wdl: 0.1,
        wdl_final: Some(0.2),
        scale: None,
        validation: 0.2,
        patience: 8,
        min_ply: 8,
        max_score: 5000,
        resident: None,
        seed: 1,
        threads: 2,
    }
}

fn train(directory: &Path, settings: TrainSettings, resume: bool) -> Result<Vec<String>, TrainError> {
    let mut lines = Vec::new();
    let data = vec![directory.join("games.vf")];
    let options = TrainOptions { data, out: directory.join("out"), resume, settings };
    run(&options, &mut |line| lines.push(line.to_owned())).map(|()| lines)
}

/// Trains on games scored by material: the validation loss must fall, and an interrupted training must end with the
/// same network as an uninterrupted one.
#[test]
fn a_training_lowers_the_loss_and_resumes_exactly() {
    let directory = std::env::temp_dir().join(format!("sleight-train-{}", std::process::id()));
    fs::create_dir_all(&directory).unwrap();
    let mut games = Vec::new();
    (100..400).for_each(|seed| game(seed).write_to(&mut games).unwrap());
    fs::write(directory.join("games.vf"), games).unwrap();
    let network = || fs::read(directory.join("out/network.nnue")).unwrap();
    let checkpoint = directory.join("out/checkpoint");

    let whole = train(&directory, settings(), false).unwrap();
    let uninterrupted = network();
    let table = fs::read_to_string(directory.join("out/loss.csv")).unwrap();
    let losses: Vec<f64> = table.lines().skip(1).map(|row| row.split(',').nth(4).unwrap().parse().unwrap()).collect();
    assert_eq!(losses.len(), 8);
    assert!(losses[7] < 0.6 * losses[0], "{losses:?}");
    assert!(whole.iter().any(|line| line.starts_with("the engine's inference: ")), "{whole:?}");
    let scale = Network::<HIDDEN, BUCKETS>::from_bytes(&uninterrupted).unwrap().scale();
    let line = whole.iter().find(|line| line.contains("73 % of the points")).unwrap();
    assert!(line.ends_with(&format!(" {scale} internal units")), "a network of scale {scale}; {line}");

    assert!(!checkpoint.exists(), "the checkpoint of a finished training");

    // As if killed after the second epoch.
    fs::remove_dir_all(directory.join("out")).unwrap();
    interrupted_training(&directory, 2);
    let other = TrainSettings { seed: 2, ..settings() };
    let refuses_to_overwrite = || {
        for settings in [settings(), other.clone()] {
            let refused = train(&directory, settings, false).unwrap_err();
            assert!(matches!(refused, TrainError::Unfinished(_)), "overwrote an unfinished training: {refused}");
        }
    };
    refuses_to_overwrite();
    let other_process = fs::File::open(directory.join("out/lock")).unwrap();
    other_process.lock().unwrap();
    let refused = train(&directory, settings(), true).unwrap_err();
    assert!(matches!(refused, TrainError::InUse(_)), "{refused}");
    drop(other_process);
    let refused = |settings| train(&directory, settings, true).unwrap_err().to_string();
    assert_eq!(refused(other.clone()), "the checkpoint belongs to a training with other data or settings");
    let whole = fs::read(&checkpoint).unwrap();
    fs::write(&checkpoint, &whole[1..]).unwrap();
    assert_eq!(refused(settings()), "the checkpoint is damaged");
    refuses_to_overwrite();
    fs::write(&checkpoint, &whole).unwrap();
    train(&directory, settings(), true).unwrap();
    assert!(network() == uninterrupted, "the resumed training ended with another network");
    fs::remove_dir_all(&directory).unwrap();
}

/// Trains for some epochs and leaves a checkpoint.
fn interrupted_training(directory: &Path, epochs: usize) {
    let settings = settings();
    let data = [directory.join("games.vf")];
    let data = TrainingData::open(&data, &settings).unwrap();
    let options = TrainOptions { data: Vec::new(), out: directory.join("out"), resume: false, settings };
    let initial = initial_model(&options.settings).unwrap();
    let directory = OutputDirectory::open(&options).unwrap();
    let mut training = Training::<HIDDEN>::new(&options, initial, &data, directory).unwrap();
    for _ in 0..epochs {
        training.next_epoch().unwrap();
    }
}
