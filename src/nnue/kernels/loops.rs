//! The kernels' loops, in terms of a few vector operations that each instruction set supplies.

/// Defines `update`, `update_many` and `output` (see [`Kernel`](super::Kernel)) from what the module supplies: the
/// number of 16-bit lanes in a vector (`LANES`), of lanes in a vector of floats (`FLOATS`), of independent sums in the
/// first hidden layer (`SUMS`), and the functions
///
/// - `load` and `store`: between memory and a vector;
/// - `add` and `sub`: lane-wise, wrapping;
/// - `products`: the activations of two vectors and their two partners in the other half of the accumulator,
///   `clamp(value, 0, QA) * clamp(partner, 0, QA) >> ACTIVATION_SHIFT`, in the order of the lanes;
/// - `no_sums`: a 32-bit sum for each output of the first hidden layer, all zero;
/// - `add_products`: adds to such sums the products of a group of activations and a block of weights;
/// - `total`: the total of `SUMS` such sums, in the order of the outputs;
/// - `load_floats`, `store_floats`, `splat` and `convert`: between memory and a vector of floats, also from a number
///   for all lanes, and from integers;
/// - `add_floats`, `mul_floats` and `screlu_floats`: lane-wise;
/// - `sum_floats`: the sum of all lanes: the upper half is added to the lower one until one lane is left.
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
            stack: &LayerStack<H>,
        ) -> f32 {
            const { assert!(H.is_multiple_of(4 * LANES)) };
            let mut activations = [0; H];
            for (activations, accumulator) in activations.chunks_exact_mut(H / 2).zip([us, them]) {
                let (first, second) = accumulator.vectors::<LANES>().split_at(H / 2 / LANES);
                let pairs = first.as_chunks::<2>().0.iter().zip(second.as_chunks::<2>().0);
                for (activations, (first, second)) in activations.as_chunks_mut().0.iter_mut().zip(pairs) {
                    *activations = products([load(&first[0]), load(&first[1])], [load(&second[0]), load(&second[1])]);
                }
            }
            // Independent sums hide the latency of the additions.
            let mut sums = [no_sums(); SUMS];
            for (perspective, activations) in activations.chunks_exact(H / 2).enumerate() {
                let groups = activations.as_chunks::<GROUP>().0.as_chunks::<SUMS>().0;
                for (groups, blocks) in groups.iter().zip(stack.blocks(perspective).as_chunks::<SUMS>().0) {
                    for i in 0..SUMS {
                        sums[i] = add_products(sums[i], groups[i], &blocks[i]);
                    }
                }
            }

            // The floats, always in the same order and without fused operations.
            let scale = splat(1.0 / (Q_ACTIVATION * QB) as f32);
            let (mut l1, mut l1_activations) = ([0.0; L2], [0.0; L2]);
            for (i, sums) in total(sums).as_chunks().0.iter().enumerate() {
                let bias = load_floats(&stack.l1_bias.as_chunks().0[i]);
                let values = add_floats(mul_floats(convert(sums), scale), bias);
                store_floats(values, &mut l1.as_chunks_mut().0[i]);
                store_floats(screlu_floats(values), &mut l1_activations.as_chunks_mut().0[i]);
            }
            let mut l2 = [splat(0.0); L3 / FLOATS];
            for (values, bias) in l2.iter_mut().zip(stack.l2_bias.as_chunks().0) {
                *values = load_floats(bias);
            }
            for (&activation, weights) in l1_activations.iter().zip(&stack.l2_weights) {
                let activation = splat(activation);
                for (values, weights) in l2.iter_mut().zip(weights.as_chunks().0) {
                    *values = add_floats(*values, mul_floats(activation, load_floats(weights)));
                }
            }
            for (values, weights) in l2.iter_mut().zip(stack.l3_weights.as_chunks().0) {
                *values = mul_floats(screlu_floats(*values), load_floats(weights));
            }
            let mut vectors = L3 / FLOATS;
            while vectors > 1 {
                vectors /= 2;
                for i in 0..vectors {
                    l2[i] = add_floats(l2[i], l2[i + vectors]);
                }
            }
            SKIP_FACTOR * l1[L2 - 1] + sum_floats(l2[0])
        }
    };
}

pub(super) use kernels;
