//! The one list of search tunables, and the one list of rules that can be switched off to see what they are worth.
//!
//! In a plain build each is a constant. With feature `tune` each is a value that a UCI option of the same name sets,
//! and `all` lists the tunables for OpenBench's SPSA.

macro_rules! tunables {
    ($($(#[doc = $doc:literal])* $name:ident = $default:literal, $min:literal..=$max:literal;)*) => {
        $(
            $(#[doc = $doc])*
            #[cfg(not(feature = "tune"))]
            #[inline(always)]
            pub const fn $name() -> i32 {
                $default
            }

            $(#[doc = $doc])*
            #[cfg(feature = "tune")]
            #[inline(always)]
            pub fn $name() -> i32 {
                values::$name.load(std::sync::atomic::Ordering::Relaxed)
            }
        )*

        #[cfg(feature = "tune")]
        #[expect(non_upper_case_globals, reason = "each value bears the name of its reader")]
        mod values {
            use std::sync::atomic::AtomicI32;
            $(pub(super) static $name: AtomicI32 = AtomicI32::new($default);)*
        }

        /// Every tunable, in the order of the source.
        #[cfg(feature = "tune")]
        pub fn all() -> &'static [Tunable] {
            static ALL: &[Tunable] = &[$(Tunable {
                name: stringify!($name),
                default: $default,
                min: $min,
                max: $max,
                value: &values::$name,
            }),*];
            ALL
        }

        $(const _: () = assert!($min <= $default && $default <= $max);)*
    };
}

/// A search tunable that can be set at run time.
#[cfg(feature = "tune")]
#[derive(Debug)]
pub struct Tunable {
    /// Also the name of its UCI option.
    pub name: &'static str,
    /// The value of a plain build.
    pub default: i32,
    /// The least value worth trying.
    pub min: i32,
    /// The greatest value worth trying.
    pub max: i32,
    value: &'static std::sync::atomic::AtomicI32,
}

#[cfg(feature = "tune")]
impl Tunable {
    /// Sets the value, clamped to the range.
    pub fn set(&self, value: i32) {
        self.value.store(value.clamp(self.min, self.max), std::sync::atomic::Ordering::Relaxed);
    }

    /// The line that OpenBench's SPSA form wants: name, type, value, range, step and learning rate.
    pub fn spsa_line(&self) -> String {
        let step = f64::from(self.max - self.min) / 20.0;
        format!("{}, int, {}, {}, {}, {}, 0.002", self.name, self.default, self.min, self.max, step.max(0.5))
    }
}

/// A rule of the search that can be switched off at run time.
#[cfg(feature = "tune")]
#[derive(Debug)]
pub struct Rule {
    /// Also the name of its UCI option.
    pub name: &'static str,
    value: &'static std::sync::atomic::AtomicBool,
}

#[cfg(feature = "tune")]
impl Rule {
    /// Switches the rule on or off.
    pub fn set(&self, on: bool) {
        self.value.store(on, std::sync::atomic::Ordering::Relaxed);
    }
}

macro_rules! rules {
    ($($(#[doc = $doc:literal])* $name:ident;)*) => {
        /// The rules of the search: whether each is in force. Always, except where an experiment says otherwise.
        pub mod rules {
            $(
                $(#[doc = $doc])*
                #[cfg(not(feature = "tune"))]
                #[inline(always)]
                pub const fn $name() -> bool {
                    true
                }

                $(#[doc = $doc])*
                #[cfg(feature = "tune")]
                #[inline(always)]
                pub fn $name() -> bool {
                    values::$name.load(std::sync::atomic::Ordering::Relaxed)
                }
            )*

            #[cfg(feature = "tune")]
            #[expect(non_upper_case_globals, reason = "each value bears the name of its reader")]
            mod values {
                use std::sync::atomic::AtomicBool;
                $(pub(super) static $name: AtomicBool = AtomicBool::new(true);)*
            }

            /// Every rule, in the order of the source.
            #[cfg(feature = "tune")]
            pub fn all() -> &'static [super::Rule] {
                static ALL: &[super::Rule] =
                    &[$(super::Rule { name: stringify!($name), value: &values::$name }),*];
                ALL
            }
        }
    };
}

rules! {
    /// Null-move pruning.
    null_move_pruning;
    /// Late move reductions.
    late_move_reductions;
    /// Reverse futility pruning.
    reverse_futility_pruning;
    /// Late move pruning.
    late_move_pruning;
    /// Futility pruning, of quiet moves and of losing captures.
    futility_pruning;
    /// Pruning of moves that lose material by exchange.
    see_pruning;
    /// Pruning of quiet moves with a bad history.
    history_pruning;
    /// Razoring.
    razoring;
    /// ProbCut.
    probcut;
    /// Internal iterative reductions.
    internal_iterative_reductions;
    /// Adjusting the depth by what became of the move before.
    hindsight_adjustment;
    /// Singular extensions, with multicut and negative extensions.
    singular_extensions;
    /// Continuation history.
    continuation_history;
    /// Correction history.
    correction_history;
}

tunables! {
    /// First half-width of the aspiration window, in internal units.
    aspiration_window = 15, 5..=50;

    /// Reverse futility: margin per ply of depth, in internal units.
    rfp_margin = 72, 30..=150;
    /// Reverse futility: how much less margin an improving position needs, in internal units.
    rfp_improving = 78, 0..=150;
    /// Razoring: margin per ply of depth, in internal units.
    razor_margin = 282, 100..=600;
    /// Reverse futility: how far towards beta the returned score is moved, in 1/1024.
    rfp_lerp = 502, 0..=1024;
    /// Null move: reduction at no depth at all, in 1/1024 ply.
    nmp_base = 4096, 2048..=6144;
    /// Null move: reduction per ply of depth, in 1/1024 ply.
    nmp_depth_factor = 255, 100..=450;
    /// Null move: how far below beta the evaluation may lie at no depth at all, in internal units.
    nmp_margin = 125, 0..=400;
    /// Null move: how much less per ply of depth, in internal units.
    nmp_depth_margin = 22, 0..=50;
    /// Null move: internal units above beta for one more ply of reduction.
    nmp_eval_divisor = 180, 80..=400;
    /// ProbCut: internal units above beta that a shallow search must reach.
    probcut_margin = 194, 80..=400;
    /// ProbCut: how much less where the side to move is improving, in internal units.
    probcut_improving = 49, 0..=150;
    /// Hindsight: internal units that a reduced move must have lost for still less depth.
    hindsight_margin = 72, 10..=250;

    /// Late move reductions: constant part, in 1/1024 ply.
    lmr_base = 869, 200..=1600;
    /// Late move reductions: divisor of ln(depth) * ln(move number), in 1/1024.
    lmr_divisor = 2126, 1400..=4000;
    /// More reduction where a cut is expected, in 1/1024 ply.
    lmr_cut_node = 1533, 0..=3000;
    /// More reduction where the side to move is not improving, in 1/1024 ply.
    lmr_not_improving = 636, 0..=1500;
    /// Less reduction near the principal variation, in 1/1024 ply.
    lmr_tt_pv = 814, 0..=2500;
    /// Less reduction in a node with an open window, in 1/1024 ply.
    lmr_pv = 414, 0..=2000;
    /// Less reduction for noisy moves, on top of half, in 1/1024 ply.
    lmr_noisy = 294, 0..=1500;
    /// Less reduction for a move that gives check, in 1/1024 ply.
    lmr_check = 815, 0..=2500;
    /// More reduction when the hash move is noisy, in 1/1024 ply.
    lmr_noisy_tt_move = 565, 0..=2000;
    /// More reduction when the child nodes keep failing high, in 1/1024 ply.
    lmr_cutoffs = 968, 0..=2500;
    /// History that is worth one ply of reduction.
    lmr_history = 9221, 4000..=24000;

    /// A reduced move this many internal units above alpha, and two more per ply, is searched a ply deeper.
    lmr_deeper_margin = 42, 0..=120;

    /// Late move pruning: moves tried at no depth at all, in 1/1024.
    lmp_base = 3342, 1024..=8192;
    /// Late move pruning: further moves per squared ply, in 1/1024.
    lmp_depth_factor = 1431, 400..=2048;
    /// Futility: constant part, in internal units.
    futility_base = 82, 20..=250;
    /// Futility: margin per ply of reduced depth, in internal units.
    futility_margin = 75, 30..=200;
    /// Noisy futility: internal units per ply of depth.
    bad_noisy_futility_margin = 84, 30..=250;
    /// Quiet moves whose history is worse than this per ply of depth are skipped.
    history_pruning_margin = 2907, 1000..=8000;
    /// Exchange loss per squared ply that a quiet move may risk, in internal units.
    see_quiet_margin = 25, 5..=80;
    /// Exchange loss per ply that a noisy move may risk, in internal units.
    see_noisy_margin = 94, 30..=200;

    /// Singular search: internal units below the hash score, per ply, in 1/64.
    singular_margin = 64, 20..=160;
    /// A move this many internal units more singular than needed is extended twice.
    double_extension_margin = 19, 4..=60;
    /// A quiet move this many internal units more singular than needed is extended three times.
    triple_extension_margin = 99, 40..=250;

    /// Weight of the butterfly history in the order of quiet moves, in 1/8.
    order_butterfly = 17, 0..=48;
    /// Weight of the pawn-structure history, in 1/8.
    order_pawn = 7, 0..=32;
    /// Weight of the continuation history of the last move, in 1/8.
    order_continuation_1 = 16, 0..=48;
    /// Weight of the continuation history two plies back, in 1/8.
    order_continuation_2 = 9, 0..=32;
    /// Weight of the continuation history four plies back, in 1/8.
    order_continuation_4 = 8, 0..=32;
    /// Weight of the continuation history six plies back, in 1/8.
    order_continuation_6 = 4, 0..=32;

    /// Weight of history in the order of noisy moves, in 1/16; a pawn taken counts 1600.
    order_capture = 7, 0..=24;

    /// Weight of the error by pawn structure in the corrected evaluation, in 1/128.
    correction_pawn = 52, 0..=160;
    /// Weight of the errors by each side's other men, in 1/128.
    correction_non_pawn = 57, 0..=160;
    /// Weight of the error by the last two moves, in 1/128.
    correction_continuation = 57, 0..=160;

    /// History bonus per ply of depth.
    history_bonus_factor = 264, 100..=500;
    /// Largest history bonus.
    history_bonus_max = 1974, 800..=4000;
    /// History malus per ply of depth.
    history_malus_factor = 335, 100..=600;
    /// Largest history malus.
    history_malus_max = 1536, 600..=4000;

    /// Quiescence search, futility pruning: margin above static evaluation and captured piece, in internal units.
    qsearch_futility_margin = 158, 50..=400;
    /// Quiescence: what a capture may lose by exchange, in internal units.
    qsearch_see_margin = 37, 0..=150;
    /// Quiescence: how far towards beta a static evaluation above it is moved, in 1/1024.
    stand_pat_lerp = 480, 0..=1024;
}
