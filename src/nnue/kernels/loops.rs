//! The kernels' loops, in terms of a few vector operations that each instruction set supplies.

/// Defines `update`, `update_many` and `output` (see [`Kernel`](super::Kernel)) from what the module supplies: the
/// number of 16-bit lanes in a vector (`LANES`), and the functions
///
/// - `load` and `store`: between memory and a vector;
/// - `add` and `sub`: lane-wise, wrapping;
/// - `clamped`: lane-wise, clamped to `0..=QA` (the clipped ReLU);
/// - `zero`: a vector of 32-bit sums, all zero;
/// - `screlu_dot`: adds `value * value * weight` of clamped values to such sums (`value * weight` wraps to 16 bits);
/// - `reduce_add`: the sum over all lanes of such sums, wrapping.
///
/// The argument is the attribute that enables the instructions.
macro_rules! kernels {
    ($(#[$instructions:meta])?) => {
        $(#[$instructions])?
        pub(super) fn update<const H: usize, const A: usize, const R: usize>(
            to: &mut Accumulator<H>,
            from: &Accumulator<H>,
            added: [&Accumulator<H>; A],
            removed: [&Accumulator<H>; R],
        ) {
            for i in 0..H / LANES {
                let mut values = load(&from.vectors()[i]);
                for weights in added {
                    values = add(values, load(&weights.vectors()[i]));
                }
                for weights in removed {
                    values = sub(values, load(&weights.vectors()[i]));
                }
                store(values, &mut to.vectors_mut()[i]);
            }
        }

        $(#[$instructions])?
        pub(super) fn update_many<const H: usize>(
            accumulator: &mut Accumulator<H>,
            added: &[&Accumulator<H>],
            removed: &[&Accumulator<H>],
        ) {
            // Tiles of two vectors stay in registers while all features are applied to them.
            for i in (0..H / LANES).step_by(2) {
                let mut low = load(&accumulator.vectors()[i]);
                let mut high = load(&accumulator.vectors()[i + 1]);
                for weights in added {
                    low = add(low, load(&weights.vectors()[i]));
                    high = add(high, load(&weights.vectors()[i + 1]));
                }
                for weights in removed {
                    low = sub(low, load(&weights.vectors()[i]));
                    high = sub(high, load(&weights.vectors()[i + 1]));
                }
                store(low, &mut accumulator.vectors_mut()[i]);
                store(high, &mut accumulator.vectors_mut()[i + 1]);
            }
        }

        $(#[$instructions])?
        pub(super) fn output<const H: usize>(
            us: &Accumulator<H>,
            them: &Accumulator<H>,
            weights: &[Accumulator<H>; 2],
        ) -> i32 {
            // Two independent sums hide the latency of the additions.
            let (mut first, mut second) = (zero(), zero());
            for i in 0..H / LANES {
                first = screlu_dot(first, clamped(load(&us.vectors()[i])), load(&weights[0].vectors()[i]));
                second = screlu_dot(second, clamped(load(&them.vectors()[i])), load(&weights[1].vectors()[i]));
            }
            reduce_add(first).wrapping_add(reduce_add(second))
        }
    };
}

pub(super) use kernels;
