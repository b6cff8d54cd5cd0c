//! What all kernels do, in terms of the few vector operations that each of them supplies.

/// Defines `update`, `update_many` and `output` (see [`Kernel`](super::Kernel)) from what the module supplies: how many
/// 16-bit lanes a vector has (`LANES`), and the functions
///
/// - `load` and `store`: between memory and a vector;
/// - `plus` and `minus`: by lanes, wrapping;
/// - `activated`: by lanes, clamped to `0..=QA`;
/// - `nothing`, `dot` and `total`: a vector of 32-bit sums that is zero; such sums and a vector of values, each times
///   itself times its weight (value times weight wraps to 16 bits); the sum of such sums, wrapping.
///
/// The argument is the attribute that gives the functions their instructions.
macro_rules! kernels {
    ($(#[$instructions:meta])?) => {
        $(#[$instructions])?
        pub(super) fn update<const H: usize, const A: usize, const S: usize>(
            to: &mut Row<H>,
            from: &Row<H>,
            add: [&Row<H>; A],
            sub: [&Row<H>; S],
        ) {
            for i in 0..H / LANES {
                let mut values = load(&from.vectors()[i]);
                for row in add {
                    values = plus(values, load(&row.vectors()[i]));
                }
                for row in sub {
                    values = minus(values, load(&row.vectors()[i]));
                }
                store(values, &mut to.vectors_mut()[i]);
            }
        }

        $(#[$instructions])?
        pub(super) fn update_many<const H: usize>(row: &mut Row<H>, add: &[&Row<H>], sub: &[&Row<H>]) {
            // Two vectors at a time stay in registers while all rows pass by.
            for i in (0..H / LANES).step_by(2) {
                let mut low = load(&row.vectors()[i]);
                let mut high = load(&row.vectors()[i + 1]);
                for row in add {
                    low = plus(low, load(&row.vectors()[i]));
                    high = plus(high, load(&row.vectors()[i + 1]));
                }
                for row in sub {
                    low = minus(low, load(&row.vectors()[i]));
                    high = minus(high, load(&row.vectors()[i + 1]));
                }
                store(low, &mut row.vectors_mut()[i]);
                store(high, &mut row.vectors_mut()[i + 1]);
            }
        }

        $(#[$instructions])?
        pub(super) fn output<const H: usize>(ours: &Row<H>, theirs: &Row<H>, weights: &[Row<H>; 2]) -> i32 {
            // Two sums, because each step waits for the one before.
            let (mut first, mut second) = (nothing(), nothing());
            for i in 0..H / LANES {
                first = dot(first, activated(load(&ours.vectors()[i])), load(&weights[0].vectors()[i]));
                second = dot(second, activated(load(&theirs.vectors()[i])), load(&weights[1].vectors()[i]));
            }
            total(first).wrapping_add(total(second))
        }
    };
}

pub(super) use kernels;
