//! Checks an engine against the UCI contract and the conventions that clients rely on.
//!
//! Each check starts a fresh process, so that none can spoil the next.

mod play;
mod session;
mod text;

use std::time::Duration;

use comfy_table::{Table, presets};

use super::config::EngineConfig;
use session::Session;

/// Whether the protocol demands it, or clients just count on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// The protocol says so, or a client breaks without it.
    Must,
    /// Clients rely on it.
    Should,
}

/// What a check found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// As it should be.
    Pass,
    /// Not as it should be: what happened.
    Fault(String),
    /// The engine does not offer what would be checked.
    NotOffered(&'static str),
}

/// Why a check did not pass.
#[derive(Debug)]
enum Trouble {
    Fault(String),
    NotOffered(&'static str),
}

impl From<String> for Trouble {
    fn from(text: String) -> Trouble {
        Trouble::Fault(text)
    }
}

impl From<&str> for Trouble {
    fn from(text: &str) -> Trouble {
        Trouble::Fault(text.to_owned())
    }
}

type Result<T = ()> = std::result::Result<T, Trouble>;

/// One rule and the way to see whether it is kept.
struct Check {
    level: Level,
    name: &'static str,
    run: fn(&mut Session) -> Result,
}

const fn must(name: &'static str, run: fn(&mut Session) -> Result) -> Check {
    Check { level: Level::Must, name, run }
}

const fn should(name: &'static str, run: fn(&mut Session) -> Result) -> Check {
    Check { level: Level::Should, name, run }
}

/// A check that was made.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The part of the protocol.
    pub part: &'static str,
    /// How much it matters.
    pub level: Level,
    /// The rule.
    pub name: &'static str,
    /// What was found.
    pub finding: Finding,
}

/// Makes every check; `patience` is what a sound engine may take for an answer at once, `slack` what
/// the machine may add to a time that is asked for.
pub fn check(
    config: &EngineConfig,
    patience: Duration,
    slack: Duration,
    mut done: impl FnMut(&Checked),
) -> Vec<Checked> {
    let parts = [("text", text::CHECKS), ("play", play::CHECKS)];
    let mut results = Vec::new();
    for (part, checks) in parts {
        for check in checks {
            let run = || {
                let mut session = Session::open(config, patience, slack)?;
                (check.run)(&mut session)?;
                session.is_alive()
            };
            let finding = match run() {
                Ok(()) => Finding::Pass,
                Err(Trouble::Fault(text)) => Finding::Fault(text),
                Err(Trouble::NotOffered(what)) => Finding::NotOffered(what),
            };
            let checked = Checked { part, level: check.level, name: check.name, finding };
            done(&checked);
            results.push(checked);
        }
    }
    results
}

/// The results as a table with a last line of counts.
pub fn table(results: &[Checked]) -> String {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header(["", "part", "rule", "found"]);
    for checked in results {
        let (mark, found) = match &checked.finding {
            Finding::Pass => ("pass", String::new()),
            Finding::Fault(text) => (
                match checked.level {
                    Level::Must => "FAULT",
                    Level::Should => "fault",
                },
                text.clone(),
            ),
            Finding::NotOffered(what) => ("-", format!("no {what}")),
        };
        table.add_row([mark, checked.part, checked.name, &found]);
    }
    let count = |test: fn(&Checked) -> bool| results.iter().filter(|checked| test(checked)).count();
    let passed = count(|checked| checked.finding == Finding::Pass);
    let skipped = count(|checked| matches!(checked.finding, Finding::NotOffered(_)));
    format!(
        "{table}\n{passed} passed, {} faults ({} of them against a MUST), {skipped} not offered\n",
        results.len() - passed - skipped,
        count(|checked| {
            checked.level == Level::Must && matches!(checked.finding, Finding::Fault(_))
        }),
    )
}

/// Whether nothing was found wrong.
pub fn is_clean(results: &[Checked]) -> bool {
    !results.iter().any(|checked| matches!(checked.finding, Finding::Fault(_)))
}
