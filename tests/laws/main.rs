//! The laws as a whole: every row of the rule tables, the exact answers about mating, whole games.

mod mating;
mod retrograde;
