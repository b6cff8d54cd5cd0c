//! The network: all kernels agree, incremental updates equal refreshes, and network files are validated.

use std::sync::Arc;

use sleight::{
    movegen::legal_moves,
    nnue::{
        Accumulators, FEATURES, InvalidNetwork, Kernel, Network, NetworkError, Perspective, QA, QB, SCALE,
        output_bucket,
    },
    position::Position,
    test_support::Rng,
    types::{Color, Square},
};

/// A network small enough for many tests, with several output buckets.
type Small = Network<64, 8>;

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

/// The accumulator by its definition: sums of the weights that `to_bytes` shows.
fn accumulator_by_definition(weights: &[i16], hidden: usize, position: &Position, color: Color) -> Vec<i16> {
    let perspective = Perspective::new(color, position.board().king(color));
    let bias = &weights[FEATURES * hidden..][..hidden];
    let mut values = bias.to_vec();
    for square in position.board().occupied() {
        let feature = perspective.feature(position.piece_at(square).unwrap(), square);
        let column = &weights[feature * hidden..][..hidden];
        values.iter_mut().zip(column).for_each(|(value, weight)| *value = value.wrapping_add(*weight));
    }
    values
}

/// As `(sum / QA + bias) * SCALE / (QA * QB)`.
fn output_by_definition(weights: &[i16], hidden: usize, buckets: usize, bucket: usize, values: [&[i16]; 2]) -> i32 {
    let start = (FEATURES + 1) * hidden;
    let output = &weights[start + 2 * hidden * bucket..][..2 * hidden];
    let bias = weights[start + 2 * hidden * buckets + bucket];
    let squares = values.concat().into_iter().map(|value| i32::from(value).clamp(0, QA).pow(2));
    let sum: i32 = squares.zip(output).map(|(square, &weight)| square * i32::from(weight)).sum();
    ((i64::from(sum / QA) + i64::from(bias)) * i64::from(SCALE) / i64::from(QA * QB)) as i32
}

/// Walks the tree and evaluates some of its nodes, so that pending lazy updates have to be applied.
fn walk<const H: usize, const B: usize>(
    position: &mut Position,
    lazy: &mut Accumulators<H, B>,
    fresh: &mut Accumulators<H, B>,
    rng: &mut Rng,
    depth: u32,
) {
    if rng.below(3) != 0 {
        fresh.reset(position);
        assert_eq!(lazy.pair(position), fresh.pair(position), "{}", position.fen());
        assert_eq!(lazy.evaluate(position), fresh.evaluate(position), "{}", position.fen());
    }
    if depth == 0 {
        return;
    }
    for mv in legal_moves(position) {
        position.make(mv, lazy);
        walk(position, lazy, fresh, rng, depth - 1);
        position.unmake(lazy);
    }
    if !position.in_check() {
        position.make_null();
        walk(position, lazy, fresh, rng, depth - 1);
        position.unmake_null();
    }
}

#[test]
fn incremental_updates_in_a_tree_equal_refreshes() {
    let network: Arc<Small> = Network::random(1).into();
    for (mut position, depth) in positions().zip([3, 3, 3, 6, 3, 3, 3, 3]) {
        let mut lazy = Accumulators::new(network.clone(), &position);
        let mut fresh = Accumulators::new(network.clone(), &position);
        walk(&mut position, &mut lazy, &mut fresh, &mut Rng::new(2), depth);
    }
}

#[test]
fn incremental_updates_in_long_games_equal_refreshes() {
    let network: Arc<Small> = Network::random(3).into();
    let mut rng = Rng::new(4);
    for mut position in positions() {
        let mut lazy = Accumulators::new(network.clone(), &position);
        for _ in 0..400 {
            let moves = legal_moves(&position);
            if moves.is_empty() {
                break;
            }
            position.make(moves[rng.below(moves.len())], &mut lazy);
            if rng.below(8) == 0 {
                let mut fresh = Accumulators::new(network.clone(), &position);
                assert_eq!(lazy.pair(&position), fresh.pair(&position), "{}", position.fen());
            }
        }
    }
}

/// Every kernel against the definition, on positions that random play reaches.
fn check_kernels<const H: usize, const B: usize>(seed: u64) {
    let network: Arc<Network<H, B>> = Network::random(seed).into();
    let weights: Vec<i16> =
        network.to_bytes()[64..].chunks(2).map(|word| i16::from_le_bytes([word[0], word[1]])).collect();
    let mut rng = Rng::new(seed);
    for start in positions() {
        for kernel in Kernel::available() {
            let mut position = start.clone();
            let mut accumulators = Accumulators::with_kernel(network.clone(), &position, kernel);
            for _ in 0..60 {
                let moves = legal_moves(&position);
                if moves.is_empty() {
                    break;
                }
                position.make(moves[rng.below(moves.len())], &mut accumulators);
                let us = position.side_to_move();
                let expected = [us, !us].map(|color| accumulator_by_definition(&weights, H, &position, color));
                let found = accumulators.pair(&position).map(|accumulator| accumulator.0.to_vec());
                assert_eq!(found, expected, "{} {}", kernel.name(), position.fen());
                let bucket = output_bucket(B, position.board().occupied().len());
                let output = output_by_definition(&weights, H, B, bucket, [&expected[0], &expected[1]]);
                assert_eq!(accumulators.evaluate(&position), output, "{} {}", kernel.name(), position.fen());
            }
        }
    }
}

#[test]
fn every_kernel_computes_what_the_definition_says() {
    check_kernels::<64, 1>(5);
    check_kernels::<128, 8>(6);
    check_kernels::<192, 4>(7);
    check_kernels::<256, 1>(8);
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
        Accumulators::new(network.clone(), &position).evaluate(&position)
    };
    let expected = value("4r1k1/pp3ppp/2n5/3q4/8/2P2N2/P4PPP/1Q2R1K1 w - - 0 1");
    assert_eq!(value("1k1r4/ppp3pp/5n2/4q3/8/2N2P2/PPP4P/1K1R2Q1 w - - 0 1"), expected);
    assert_eq!(value("1q2r1k1/p4ppp/2p2n2/8/3Q4/2N5/PP3PPP/4R1K1 b - - 0 1"), expected);
}

#[test]
fn the_scale_is_the_networks_own() {
    let position = Position::startpos();
    let value = |network: Box<Small>| Accumulators::new(network.into(), &position).evaluate(&position);
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
    let weights = 2 * (FEATURES * 64 + 64 + 2 * 64 * 8 + 8);
    assert_eq!(Small::from_bare_weights(&bytes[64..]).unwrap(), network);
    assert_eq!(Small::from_bare_weights(&bytes[64..][..weights]).unwrap(), network);
    assert!(matches!(Small::from_bare_weights(&bytes[64..][..weights - 1]), Err(InvalidNetwork::Truncated { .. })));
    assert!(matches!(Small::from_bare_weights(&bytes), Err(InvalidNetwork::Trailing(64))));
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
    assert!(matches!(with(8), Err(InvalidNetwork::Version(0))));
    assert!(matches!(with(12), Err(InvalidNetwork::Checksum)), "the scale");
    assert!(matches!(with(16), Err(InvalidNetwork::Checksum)), "the hash of its shape");
    assert!(matches!(with(56), Err(InvalidNetwork::Checksum)), "the checksum itself");
    let mut rng = Rng::new(12);
    for _ in 0..50 {
        let at = 64 + rng.below(bytes.len() - 64);
        assert!(matches!(with(at), Err(InvalidNetwork::Checksum)), "byte {at}");
    }
    assert!(matches!(Small::from_bytes(b""), Err(InvalidNetwork::Magic)));
    for length in [8, 63, 64, 65, bytes.len() - 1] {
        let found = Small::from_bytes(&bytes[..length]);
        assert!(matches!(found, Err(InvalidNetwork::Truncated { .. })), "{length} bytes");
    }
    let longer = [&bytes[..], &[0]].concat();
    assert!(matches!(Small::from_bytes(&longer), Err(InvalidNetwork::Trailing(1))));

    let other = Network::<128, 1>::from_bytes(&bytes).unwrap_err().to_string();
    assert_eq!(other, "the network is (768hm -> 64)x2 -> 1x8, this program needs (768hm -> 128)x2 -> 1x1");
    let heavy: Box<Small> = Network::from_fn(|| 129);
    assert!(matches!(Small::from_bytes(&heavy.to_bytes()), Err(InvalidNetwork::Weight(129))));
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
