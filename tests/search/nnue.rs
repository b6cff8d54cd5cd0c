//! The network: all kernels agree, incremental updates equal refreshes, and network files are validated.

use std::{collections::HashSet, sync::Arc};

use sleight::{
    eval::evaluate,
    movegen::legal_moves,
    nnue::{
        ACTIVATION_SHIFT, AccumulatorStack, FEATURES, INPUT_BUCKETS, INPUTS, InvalidNetwork, Kernel, L2, L3, Network,
        NetworkError, Perspective, Q_ACTIVATION, QA, QB, SCALE, SKIP_FACTOR, WeightSource, output_bucket,
    },
    position::Position,
    types::{Color, Piece, Score, Square},
    util::{Rng, fnv1a},
};

/// A network small enough for many tests, with several output buckets.
type Small = Network<128, 8>;

/// Bytes of a network file's header, and where its checksum is.
const HEADER: usize = 128;
const CHECKSUM: usize = 120;
/// Bytes of the weights of a [`Small`] network.
const WEIGHTS: usize = 2 * (INPUTS + 1) * 128 + 8 * (L2 * 128 + 4 * (L2 + (L2 - 1) * L3 + 2 * L3));

/// Castling on both sides, promotions, en passant, kings that cross the middle, and Chess960 castling in which king
/// and rook overlap or do not move.
const POSITIONS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/1P1pqpb1/bn2pnp1/2pPN3/1p2P3/2N2Q1p/1PPBBPPP/R3K2R w KQkq c6 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
    "8/8/3k4/8/2pP4/8/B2K4/8 b - d3 0 1",
    "n1n1k3/PPP1P3/8/8/8/2K5/4ppp1/5N1N b - - 0 1",
    "1rk1r3/8/8/8/8/8/8/1RK1R3 w EBeb - 0 1",
    "rk5r/8/8/8/8/8/8/RK4R1 w GAha - 0 1",
    "r3rk2/8/8/8/8/8/8/R2R1K2 w DAea - 0 1",
];

fn positions() -> impl Iterator<Item = Position> {
    POSITIONS.into_iter().map(|fen| Position::from_fen(fen).unwrap())
}

/// The weights that `to_bytes` shows, in file order.
struct Weights {
    hidden: usize,
    buckets: usize,
    features: Vec<i16>,
    l1: Vec<i8>,
    floats: Vec<f32>,
}

impl Weights {
    fn of<const H: usize, const B: usize>(network: &Network<H, B>) -> Self {
        let bytes = network.to_bytes();
        let (features, rest) = bytes[HEADER..].split_at(2 * (INPUTS + 1) * H);
        let (l1, floats) = rest.split_at(H * L2 * B);
        Self {
            hidden: H,
            buckets: B,
            features: features.as_chunks().0.iter().map(|&word| i16::from_le_bytes(word)).collect(),
            l1: l1.iter().map(|&byte| byte as i8).collect(),
            floats: floats.as_chunks().0.iter().map(|&word| f32::from_le_bytes(word)).collect(),
        }
    }

    /// The accumulator by its definition.
    fn accumulator(&self, position: &Position, color: Color) -> Vec<i16> {
        let perspective = Perspective::new(color, position.board().king(color));
        let mut values = self.features[INPUTS * self.hidden..].to_vec();
        for square in position.board().occupied() {
            let feature = perspective.feature(position.piece_at(square).unwrap(), square);
            let column = &self.features[feature * self.hidden..][..self.hidden];
            values.iter_mut().zip(column).for_each(|(value, weight)| *value = value.wrapping_add(*weight));
        }
        values
    }

    /// The output by its definition: the layers in floats, in the order of the engine, so that the result is exact.
    fn output(&self, bucket: usize, accumulators: [&[i16]; 2]) -> i32 {
        let clip = |value: i16| i32::from(value).clamp(0, QA);
        let products = |accumulator: &[i16]| -> Vec<i32> {
            let (first, second) = accumulator.split_at(self.hidden / 2);
            first.iter().zip(second).map(|(&a, &b)| (clip(a) * clip(b)) >> ACTIVATION_SHIFT).collect()
        };
        let inputs = accumulators.map(products).concat();
        assert!(inputs.iter().all(|&input| input <= Q_ACTIVATION));
        let mut floats = &self.floats[..];
        let mut next = |len: usize| {
            let (layer, rest) = floats.split_at(len * self.buckets);
            floats = rest;
            &layer[bucket * len..][..len]
        };
        let (l1_bias, l2_weights, l2_bias, l3_weights) = (next(L2), next((L2 - 1) * L3), next(L3), next(L3));
        let screlu = |value: f32| value.clamp(0.0, 1.0) * value.clamp(0.0, 1.0);

        let row = |output: usize| &self.l1[(bucket * L2 + output) * self.hidden..];
        let dot = |output| -> i32 { inputs.iter().zip(row(output)).map(|(a, &w)| a * i32::from(w)).sum() };
        let l1: Vec<f32> =
            (0..L2).map(|output| l1_bias[output] + dot(output) as f32 * (1.0 / (Q_ACTIVATION * QB) as f32)).collect();
        let l2 = |output: usize| {
            let products = (0..L2 - 1).map(|input| screlu(l1[input]) * l2_weights[input * L3 + output]);
            products.fold(l2_bias[output], |sum, product| sum + product)
        };
        let mut sums: Vec<f32> = (0..L3).map(|output| screlu(l2(output)) * l3_weights[output]).collect();
        while sums.len() > 1 {
            let upper = sums.split_off(sums.len() / 2);
            sums.iter_mut().zip(upper).for_each(|(sum, value)| *sum += value);
        }
        ((SKIP_FACTOR * l1[L2 - 1] + sums[0]) * SCALE as f32) as i32
    }
}

/// Walks the tree and evaluates some of its nodes, so that pending lazy updates have to be applied.
fn walk<const H: usize, const B: usize>(
    network: &Arc<Network<H, B>>,
    position: &mut Position,
    lazy: &mut AccumulatorStack<H, B>,
    rng: &mut Rng,
    depth: u32,
) {
    if rng.below(3) != 0 {
        let mut fresh = AccumulatorStack::new(network.clone());
        assert_eq!(lazy.pair(position), fresh.pair(position), "{}", position.fen());
        assert_eq!(lazy.evaluate(position), fresh.evaluate(position), "{}", position.fen());
    }
    if depth == 0 {
        return;
    }
    for mv in legal_moves(position) {
        position.make(mv);
        walk(network, position, lazy, rng, depth - 1);
        position.unmake();
    }
    if !position.in_check() {
        position.make_null();
        walk(network, position, lazy, rng, depth - 1);
        position.unmake();
    }
}

#[test]
fn incremental_updates_in_a_tree_equal_refreshes() {
    let network: Arc<Small> = Network::random(1).into();
    for (mut position, depth) in positions().zip([3, 3, 3, 6, 3, 3, 3, 3]) {
        let mut lazy = AccumulatorStack::new(network.clone());
        walk(&network, &mut position, &mut lazy, &mut Rng::new(2), depth);
    }
}

#[test]
fn incremental_updates_in_long_games_equal_refreshes() {
    let network: Arc<Small> = Network::random(3).into();
    let mut rng = Rng::new(4);
    for mut position in positions() {
        let mut lazy = AccumulatorStack::new(network.clone());
        for _ in 0..400 {
            let moves = legal_moves(&position);
            if moves.is_empty() {
                break;
            }
            position.make(moves[rng.below(moves.len())]);
            if rng.below(8) == 0 {
                let mut fresh = AccumulatorStack::new(network.clone());
                assert_eq!(lazy.pair(&position), fresh.pair(&position), "{}", position.fen());
            }
        }
    }
}

/// Every output bucket, and armies that no game leads to: up to fifteen queens or pawns a side.
#[test]
fn any_army_has_its_bucket() {
    let small: Arc<Small> = Network::random(73).into();
    let mut buckets = HashSet::new();
    let mut rng = Rng::new(73);
    for start in [
        "nnnnknnn/pppppppp/8/8/8/8/PPPPPPPP/1Q1QK1Q1 w - - 0 1",
        "qqqqkqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQKQQQ w - - 0 1",
        "rrrrkrrr/rrrrrrrr/8/8/8/8/BBBBBBBB/BBBBKBBB w - - 0 1",
        "4k3/pppppppp/ppppppp1/8/8/PPPPPPPP/PPPPPPP1/4K3 w - - 0 1",
        "nnnnknnn/nnnnnnnn/8/8/8/8/QQQQQQQQ/QQQQKQQQ w - - 0 1",
    ] {
        let mut position = Position::from_fen(start).unwrap();
        let mut lazy = AccumulatorStack::new(small.clone());
        let mut embedded = AccumulatorStack::new(Network::embedded());
        for _ in 0..400 {
            buckets.insert(output_bucket(8, position.board().occupied().len()));
            let mut fresh = AccumulatorStack::new(small.clone());
            assert_eq!(lazy.evaluate(&position), fresh.evaluate(&position), "{}", position.fen());
            let score = evaluate(&position, &mut embedded);
            assert!(!score.is_decisive() && score.0.abs() <= Score::MAX_EVAL.0, "{}: {score:?}", position.fen());
            let moves = legal_moves(&position);
            let captures: Vec<_> = moves.iter().copied().filter(|mv| mv.is_capture()).collect();
            let pool = if captures.is_empty() { &moves[..] } else { &captures[..] };
            let Some(&mv) = pool.get(rng.below(pool.len().max(1))) else { break };
            position.make(mv);
        }
    }
    assert_eq!(buckets.len(), 8, "{buckets:?}");
}

#[test]
fn accumulators_may_go_on_with_any_position() {
    let network: Arc<Small> = Network::random(5).into();
    let mut rng = Rng::new(6);
    let mut lazy = AccumulatorStack::new(network.clone());
    let starts: Vec<_> = positions().collect();
    let mut games = starts.clone();
    for _ in 0..5_000 {
        let i = rng.below(games.len());
        // Sometimes so many plies at once that all entries are used again.
        for _ in 0..[1, 1, 1, 2, 8, 600][rng.below(6)] {
            let moves = legal_moves(&games[i]);
            match rng.below(64) {
                0 => games[i].forget_history(),
                1 if !games[i].in_check() => games[i].make_null(),
                _ if moves.is_empty() => games[i] = starts[i].clone(),
                _ => games[i].make(moves[rng.below(moves.len())]),
            }
        }
        let mut fresh = AccumulatorStack::new(network.clone());
        assert_eq!(lazy.pair(&games[i]), fresh.pair(&games[i]), "{}", games[i].fen());
    }
}

/// Every kernel against the definition, on positions that random play reaches.
fn check_kernels<const H: usize, const B: usize>(network: Box<Network<H, B>>, seed: u64) {
    let network: Arc<Network<H, B>> = network.into();
    let weights = Weights::of(&network);
    let mut rng = Rng::new(seed);
    for start in positions() {
        for kernel in Kernel::available() {
            let mut position = start.clone();
            let mut accumulators = AccumulatorStack::with_kernel(network.clone(), kernel);
            for _ in 0..60 {
                let moves = legal_moves(&position);
                if moves.is_empty() {
                    break;
                }
                position.make(moves[rng.below(moves.len())]);
                let us = position.side_to_move();
                let expected = [us, !us].map(|color| weights.accumulator(&position, color));
                let found = accumulators.pair(&position).map(|accumulator| accumulator.0.to_vec());
                assert_eq!(found, expected, "{} {}", kernel.name(), position.fen());
                let bucket = output_bucket(B, position.board().occupied().len());
                let output = weights.output(bucket, [&expected[0], &expected[1]]);
                assert_eq!(accumulators.evaluate(&position), output, "{} {}", kernel.name(), position.fen());
            }
        }
    }
}

#[test]
fn every_kernel_computes_what_the_definition_says() {
    check_kernels::<128, 1>(Network::random(5), 5);
    check_kernels::<256, 8>(Network::random(6), 6);
    check_kernels::<384, 4>(Network::random(7), 7);
    check_kernels::<512, 1>(Network::random(8), 8);
}

/// Weights of the first hidden layer that are as large as they can be, so that two products fill 16 bits.
struct LargeWeights(Rng);

impl WeightSource for LargeWeights {
    fn feature(&mut self) -> i16 {
        self.0.feature()
    }

    fn l1(&mut self) -> i8 {
        if self.0.below(4) == 0 { i8::MIN } else { i8::MAX }
    }

    fn float(&mut self) -> f32 {
        self.0.float()
    }
}

#[test]
fn every_kernel_adds_large_weights_without_overflow() {
    check_kernels::<128, 8>(Network::from_source(&mut LargeWeights(Rng::new(9))), 9);
}

#[test]
fn the_scalar_kernel_is_always_available_and_names_differ() {
    let names: Vec<_> = Kernel::available().map(Kernel::name).collect();
    assert_eq!(names[0], "scalar");
    assert!(names.iter().all(|name| names.iter().filter(|other| *other == name).count() == 1));
}

#[test]
fn mirror_images_and_swapped_colors_have_the_same_evaluation() {
    let network: Arc<Small> = Network::random(9).into();
    let value = |fen| {
        let position = Position::from_fen(fen).unwrap();
        AccumulatorStack::new(network.clone()).evaluate(&position)
    };
    let expected = value("4r1k1/pp3ppp/2n5/3q4/8/2P2N2/P4PPP/1Q2R1K1 w - - 0 1");
    assert_eq!(value("1k1r4/ppp3pp/5n2/4q3/8/2N2P2/PPP4P/1K1R2Q1 w - - 0 1"), expected);
    assert_eq!(value("1q2r1k1/p4ppp/2p2n2/8/3Q4/2N5/PP3PPP/4R1K1 b - - 0 1"), expected);
}

#[test]
fn the_scale_is_the_networks_own() {
    let position = Position::startpos();
    let value = |network: Box<Small>| AccumulatorStack::new(network.into()).evaluate(&position);
    let network = Small::random(13).with_scale(4 * SCALE);
    let restored = Small::from_bytes(&network.to_bytes()).unwrap();
    let (usual, scaled) = (value(Network::random(13)), value(restored));
    assert!(usual != 0 && (scaled - 4 * usual).abs() <= 4, "{usual} {scaled}");
}

#[test]
fn networks_round_trip_through_files() {
    let network: Box<Small> = Network::random(10);
    let bytes = network.to_bytes();
    assert_eq!(bytes.len() % 64, 0);
    assert_eq!(Small::from_bytes(&bytes).unwrap(), network);
}

#[test]
fn invalid_network_files_are_refused() {
    let bytes = Small::random(11).to_bytes();
    let with = |at: usize| {
        let mut bytes = bytes.clone();
        bytes[at] ^= 1;
        Small::from_bytes(&bytes)
    };
    assert!(matches!(with(0), Err(InvalidNetwork::Magic)));
    assert!(matches!(with(8), Err(InvalidNetwork::Version(3))));
    assert!(matches!(with(12), Err(InvalidNetwork::Checksum)), "the scale");
    assert!(matches!(with(16), Err(InvalidNetwork::Checksum)), "the hash of its shape");
    assert!(matches!(with(CHECKSUM), Err(InvalidNetwork::Checksum)), "the checksum itself");
    let mut rng = Rng::new(12);
    for _ in 0..50 {
        let at = HEADER + rng.below(bytes.len() - HEADER);
        assert!(matches!(with(at), Err(InvalidNetwork::Checksum)), "byte {at}");
    }
    assert!(matches!(Small::from_bytes(b""), Err(InvalidNetwork::Magic)));
    for length in [8, HEADER - 1, HEADER, HEADER + 1, bytes.len() - 1] {
        let found = Small::from_bytes(&bytes[..length]);
        assert!(matches!(found, Err(InvalidNetwork::Truncated { .. })), "{length} bytes");
    }
    for scale in [0, 20_001, u32::MAX] {
        let scaled = Small::from_bytes(&Small::random(11).with_scale(scale).to_bytes());
        assert!(matches!(scaled, Err(InvalidNetwork::Scale(found)) if found == scale), "{scale}");
    }
    let longer = [&bytes[..], &[0]].concat();
    assert!(matches!(Small::from_bytes(&longer), Err(InvalidNetwork::Trailing(1))));

    let other = Network::<256, 1>::from_bytes(&bytes).unwrap_err().to_string();
    let name = |hidden, buckets| format!("(768x{INPUT_BUCKETS}hm->{hidden})x2->(16->32->1)x{buckets}");
    assert_eq!(other, format!("the network is {}, this program needs {}", name(128, 8), name(256, 1)));
    // Another hash, and the checksum to it.
    let revised = |at: usize, field: &[u8]| {
        let mut revised = bytes.clone();
        revised[at..at + field.len()].copy_from_slice(field);
        let rest = [&revised[..CHECKSUM], &revised[HEADER..]].concat();
        revised[CHECKSUM..HEADER].copy_from_slice(&fnv1a(&rest).to_le_bytes());
        Small::from_bytes(&revised).unwrap_err()
    };
    let error = revised(16, &[bytes[16] ^ 1]).to_string();
    assert!(error.contains("x8 with other features or quantization, this"), "{error}");
    for weight in [-1001.0, f32::INFINITY, f32::NAN] {
        let error = revised(HEADER + WEIGHTS - 4, &weight.to_le_bytes());
        assert!(matches!(error, InvalidNetwork::Weight), "{weight}: {error}");
    }
    let directory = tempfile::tempdir().unwrap();
    let of_file = |bytes: &[u8]| {
        let path = directory.path().join("a.nnue");
        std::fs::write(&path, bytes).unwrap();
        match Small::from_file(&path) {
            Err(NetworkError::Invalid { source, .. }) => source.to_string(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(of_file(&[&bytes[..], &[0; 3]].concat()), "at least 3 bytes follow the network's end");
    let wider = Network::<512, 8>::random(11).to_bytes();
    let other = format!("the network is {}, this program needs {}", name(512, 8), name(128, 8));
    assert_eq!(of_file(&wider), other);
    assert_eq!(of_file(&wider[..wider.len() - 1]), "the network is damaged: its checksum is wrong");
    assert!(matches!(Small::from_file("no/such/file".as_ref()), Err(NetworkError::Read { .. })));
    assert!(matches!(Small::from_file(".".as_ref()), Err(NetworkError::Read { .. })));
    if cfg!(unix) {
        let endless = Small::from_file("/dev/zero".as_ref());
        assert!(matches!(endless, Err(NetworkError::Read { .. })), "it would never be read to its end");
    }
}

#[test]
fn kings_on_files_e_to_h_mirror_the_perspective() {
    let left = Perspective::new(Color::White, Square::D1);
    let right = Perspective::new(Color::White, Square::E1);
    assert!(!left.mirrored() && right.mirrored());
}

#[test]
fn king_buckets_are_the_same_for_mirror_images_and_both_colors() {
    let mirror = |square: Square| Square::from_index(square.index() ^ 7).unwrap();
    let mut seen = [false; INPUT_BUCKETS];
    for square in Square::ALL {
        let white = Perspective::new(Color::White, square);
        seen[white.bucket()] = true;
        assert_eq!(white.bucket(), Perspective::new(Color::White, mirror(square)).bucket());
        assert_eq!(white.bucket(), Perspective::new(Color::Black, square.flip_rank()).bucket());
        assert_eq!(white.feature(Piece::WhiteKing, square) / FEATURES, white.bucket());
    }
    assert!(seen.iter().all(|&seen| seen), "a king bucket without squares");
}
