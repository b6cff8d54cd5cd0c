//! Alpha-beta search: iterative deepening over principal variation search, with several threads (lazy SMP).
//!
//! # Words
//!
//! - **Window.** A search looks for a score between *alpha*, which the side to move can have by another line, and
//!   *beta*, above which the opponent will not let it come. A result of at most alpha *fails low*: the true score is no
//!   higher. A result of at least beta *fails high*, and no further move needs a look (*beta cutoff*): the true score
//!   is no lower. Only in between is a score exact. The search is *fail-soft*: what it returns may lie outside the
//!   window, as the closest bound that it has found.
//! - **Null window** (or zero window). A window with no score inside, beta = alpha + 1: a yes-or-no question, but a
//!   cheap one. Principal variation search (PVS) searches the first move with the full window, and asks of each of the
//!   others whether it is better at all. Not to be confused with the null *move*, which passes the turn.
//! - **PV node.** Searched with an open window: the root, and the lines of best play from it, the *principal variation*
//!   (PV). Its score is exact unless it leaves the window.
//! - **Cut node.** Searched with a null window, and expected to fail high: one good move is enough. The child of a PV
//!   node by any move but the first is one, and so is the child of an all node.
//! - **All node.** Searched with a null window, and expected to fail low: none of its moves is good enough, and all of
//!   them have to be tried. The first child of a cut node is one.
//! - **`tt_pv`.** The position is searched as a PV node, or once was, as the transposition table (TT) recalls. Such
//!   positions are pruned and reduced less.
//! - **Improving.** The static evaluation is higher than at the last turn of the same side. Its moves are then more
//!   likely to fail high, and late ones matter more; otherwise it is pruned more.
//! - **Quiescence search.** At the horizon (depth 0), captures are searched until the position is quiet, because a
//!   static evaluation in the middle of a series of captures is worthless.
//! - **Lazy SMP.** All threads search the same root independently; what one finds, the others find in the shared TT.
//!   The move is chosen by a vote of the threads.
//! - **Noisy and quiet moves.** Captures and promotions to a queen; all others.
//!
//! # Files
//!
//! | file | what it does |
//! |---|---|
//! | `worker`, `tree`, `search_state` | a search thread, in two: what it searches; its task and counters |
//! | `iterative_deepening`, `aspiration` | a search, iteration by iteration; aspiration windows |
//! | `node` | a node in numbered steps |
//! | `node/state` | what these steps share: kind of node, TT data, evaluation, progress of the move loop |
//! | `node/cutoffs` | draws, mate distance pruning, TT and tablebase cutoff |
//! | `node/evaluation` | static evaluation, its correction, `improving` |
//! | `node/pruning` | reverse futility (RFP), null move (NMP), ProbCut |
//! | `node/move_loop` | the loop over a node's moves, principal variation search (PVS) of each, TT store |
//! | `node/move_pruning` | late move pruning (LMP), history, futility (FP) and SEE pruning |
//! | `node/extensions` | singular, double, triple and negative extension, multicut |
//! | `node/reductions` | late move reduction (LMR), internal iterative reduction (IIR), hindsight depth adjustment |
//! | `node/history_updates` | what a node reads from the histories (`history`) and what they learn from it |
//! | `node/qsearch` | quiescence search |
//! | `ordering/picker` | staged move ordering (move picker) |
//! | `ordering/scored_moves`, `ordering/quiet_scorer` | its lists of moves; the scores of quiet moves |
//! | `window`, `stack` | window; search stack with the PVs of the search (PV table) |
//! | `root`, `lines`, `pv_completion` | root moves; lines and report to show, from these; continuation of their PVs |
//! | `tablebases` | Syzygy: ranks of root moves, probes |
//! | `voting` | the vote of the threads on the move to play |
//! | `limits`, `clock`, `stop_conditions` | the limits of `go`, time management, what ends a search |
//! | `strength` | limited strength: fewer nodes, and a choice among several lines |
//! | `job`, `shared`, `control`, `report` | the input of a search, what threads share, the output |
//!
//! A rule is a function whose signature shows what it reads and writes: most take the node and a part of the tree by
//! `&`, the updates of histories the tree by `&mut`, and only what searches further nodes the whole worker. It begins,
//! after what it needs to know, with its guard, and returns at once where that is false.
//!
//! `docs/search.md` lists every rule. Elo figures in comments are from `docs/notes/strength.md`: of games at 8,000
//! nodes a move unless they say otherwise, those with the hand-crafted evaluation at 15,000.
//!
//! A worker owns everything that it writes to - position, accumulators, histories, stack - and shares with others
//! only the TT, the [`Control`] flags and its counters. Nothing here prints: results leave as [`SearchReport`]s.

mod aspiration;
mod clock;
mod control;
#[cfg(feature = "evaluated")]
mod evaluated;
mod iterative_deepening;
mod job;
mod limits;
mod lines;
#[cfg(loom)]
pub(crate) mod model_worker;
mod node;
mod ordering;
mod pv_completion;
mod report;
mod root;
mod search_state;
mod shared;
mod stack;
mod stop_conditions;
mod strength;
mod tablebases;
mod tree;
mod voting;
mod window;
mod worker;

pub use control::Control;
#[cfg(feature = "evaluated")]
pub use evaluated::observe_evaluated;
pub use job::{Job, SearchOptions, SyzygyOptions};
pub use limits::Limits;
pub(crate) use report::{DETAILS_FROM, nps};
pub use report::{Line, SearchReport, SearchResult};
pub(crate) use root::wanted_moves;
pub use shared::Shared;
pub use strength::Strength;
pub(crate) use strength::{Candidates, FULL_SKILL, MAX_ELO, MIN_ELO};
pub use worker::Worker;

/// Stack size of a thread that searches, in bytes: the deepest search fits even in a build without optimization.
pub const STACK_BYTES: usize = match usize::from_str_radix(env!("SLEIGHT_STACK_BYTES"), 10) {
    Ok(bytes) => bytes,
    Err(_) => panic!("build.rs says how many bytes"),
};
