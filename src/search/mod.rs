//! The search: how a move is chosen.
//!
//! A [`Searcher`] owns the transposition table and what its threads learn; [`Searcher::search`]
//! runs one search and reports by a callback. Nothing here prints or reads commands.

mod correction;
mod evaluation;
mod extensions;
mod history;
mod limits;
mod mate_line;
mod move_picker;
mod negamax;
mod node_pruning;
pub mod params;
mod pool;
mod pruning;
mod pv;
mod quiescence;
mod reductions;
mod report;
mod root;
mod stack;
mod table;
mod tables;
mod thread;
mod time;
mod weakness;

pub use evaluation::{StaticEval, static_eval};
pub use limits::{Clock, Control, Limits, Options};
pub use params::{PARAMETERS, Parameter, Params};
pub use pool::Searcher;
pub use report::{Bound, Line, Outcome, Report, SearchInfo};
pub use table::TableError;
pub use weakness::{Level, Weakness};
