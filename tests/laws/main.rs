//! The laws as a whole: every row of the rule tables, the exact answers about mating, whole games.

mod claims;
mod ends;
mod illegal;
mod mating;
mod random_games;
mod retrograde;
mod rules;
mod table;
mod tools;
mod touch;
