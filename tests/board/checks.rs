//! Which moves give check, told without making them.

use sleight::{
    attacks::Lookup,
    movegen::legal_moves,
    position::{Position, STARTPOS},
    util::Rng,
};

/// Against the truth, over random games from positions rich in unusual moves.
#[test]
fn equal_to_looking_after_the_move() {
    Lookup::with_each(|_| look_after_each_move());
}

fn look_after_each_move() {
    let mut rng = Rng::new(11);
    let mut checks = 0;
    for fen in [
        STARTPOS,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "5k2/8/8/8/8/8/8/4K2R w K - 0 1",
        "8/8/8/8/8/8/8/R3K2k w Q - 0 1",
        "8/8/8/8/8/8/8/1RK4k w B - 0 1",
        "1k6/8/8/8/8/8/8/R1KR4 w D - 0 1",
    ] {
        for _ in 0..40 {
            let mut position = Position::from_fen(fen).unwrap();
            for _ in 0..80 {
                let moves = legal_moves(&position);
                if moves.is_empty() {
                    break;
                }
                let squares = position.check_squares();
                for &mv in &moves {
                    let told = position.gives_check(&squares, mv);
                    position.make(mv);
                    assert_eq!(told, position.in_check(), "{mv} to {}", position.fen());
                    position.unmake();
                    checks += u32::from(told);
                }
                position.make(moves[rng.below(moves.len())]);
            }
        }
    }
    assert!(checks > 1_000);
}
