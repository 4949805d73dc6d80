//! Standings for people and programs: the live line, tables, the JSON summary.

use comfy_table::{CellAlignment, Table, presets};
use serde_json::{Value, json};

use super::fault::FaultClass;
use super::standings::Standings;
use crate::stats::{Estimate, Pentanomial, Sprt, SprtState, Verdict, Wdl};

/// The share of void games beyond which a run is invalid.
pub const MAX_VOID_SHARE: f64 = 0.005;

/// Who played and what was tested.
#[derive(Clone, Debug)]
pub struct Cast {
    /// Names by number.
    pub names: Vec<String>,
    /// The sequential test, if one is run.
    pub sprt: Option<Sprt>,
}

/// What is known of an engine's strength: by pairs if there are any, else by games.
fn estimate(pairs: &Pentanomial, games: &Wdl) -> Option<Estimate> {
    pairs.distribution().estimate().or_else(|| games.distribution().estimate())
}

fn signed(value: f64) -> String {
    match value.is_finite() {
        // Adding zero takes the sign off a negative zero.
        true => format!("{:+.1}", (value * 10.0).round() / 10.0 + 0.0),
        false if value.is_nan() => "?".to_owned(),
        false => format!("{}inf", if value > 0.0 { "+" } else { "-" }),
    }
}

fn elo_text(estimate: &Estimate) -> String {
    let error = match estimate.elo_error.is_finite() {
        true => format!("{:.1}", estimate.elo_error),
        false => "inf".to_owned(),
    };
    format!("{} ± {error}", signed(estimate.elo))
}

fn half_points(half: u64) -> String {
    format!("{}{}", half / 2, if half % 2 == 1 { ".5" } else { "" })
}

fn llr_text(state: &SprtState, sprt: &Sprt) -> String {
    let verdict = match state.verdict {
        Verdict::Open => "",
        Verdict::H0 => " H0 accepted",
        Verdict::H1 => " H1 accepted",
    };
    format!(
        "LLR {:.2} ({:.2}, {:.2}) [{}, {}]{verdict}",
        state.llr, state.lower, state.upper, sprt.elo0, sprt.elo1
    )
}

/// The line that is shown while a run goes on.
pub fn live_line(cast: &Cast, standings: &Standings, total: u32) -> String {
    let voids = match standings.voids {
        0 => String::new(),
        voids => format!("  void {voids}"),
    };
    if cast.names.len() != 2 {
        return format!("{}/{total} games{voids}", standings.games);
    }
    let first = &standings.engines[0];
    let all = first.all;
    let mut line = format!(
        "{}/{total}  {} - {}  {}/{} ({:.1} %)  +{} -{} ={}",
        standings.games,
        cast.names[0],
        cast.names[1],
        half_points(all.half_points()),
        all.games(),
        100.0 * all.score(),
        all.wins,
        all.losses,
        all.draws,
    );
    if let Some(estimate) = estimate(&first.pairs, &all) {
        line.push_str(&format!(
            "  Elo {}  LOS {:.1} %  ptnml {:?}",
            elo_text(&estimate),
            100.0 * estimate.superiority,
            first.pairs.0
        ));
    }
    if let Some(sprt) = &cast.sprt {
        line.push_str(&format!("  {}", llr_text(&sprt.state(&first.pairs), sprt)));
    }
    line + &voids
}

fn table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header(header.iter().copied());
    table
}

fn align_numbers(table: &mut Table, from: usize) {
    for column in table.column_iter_mut().skip(from) {
        column.set_cell_alignment(CellAlignment::Right);
    }
}

/// The final tables: ranking, crosstable, endings, faults.
pub fn tables(cast: &Cast, standings: &Standings) -> String {
    let mut text = ranking_table(cast, standings);
    if cast.names.len() > 2 {
        text.push('\n');
        text.push_str(&cross_table(cast, standings));
    }
    text.push('\n');
    text.push_str(&endings_table(cast, standings));
    text.push_str(&notes(cast, standings));
    text
}

fn ranking_table(cast: &Cast, standings: &Standings) -> String {
    let mut table = table(&[
        "#",
        "engine",
        "games",
        "+",
        "=",
        "-",
        "points",
        "%",
        "white %",
        "Elo",
        "nElo",
        "LOS %",
        "pairs 0-4",
    ]);
    for (place, &engine) in standings.ranking().iter().enumerate() {
        let tally = &standings.engines[engine];
        let estimate = estimate(&tally.pairs, &tally.all);
        let normalised = estimate.and_then(|estimate| {
            let elo = estimate.normalised_elo?;
            Some(format!("{} ± {:.1}", signed(elo), estimate.normalised_error))
        });
        table.add_row(vec![
            (place + 1).to_string(),
            cast.names[engine].clone(),
            tally.all.games().to_string(),
            tally.all.wins.to_string(),
            tally.all.draws.to_string(),
            tally.all.losses.to_string(),
            half_points(tally.all.half_points()),
            format!("{:.2}", 100.0 * tally.all.score()),
            format!("{:.2}", 100.0 * tally.white.score()),
            estimate.map_or_else(|| "?".to_owned(), |estimate| elo_text(&estimate)),
            normalised.unwrap_or_else(|| "?".to_owned()),
            estimate.map_or_else(|| "?".to_owned(), |e| format!("{:.2}", 100.0 * e.superiority)),
            format!("{:?}", tally.pairs.0),
        ]);
    }
    align_numbers(&mut table, 2);
    let mut text = table.to_string();
    text.push('\n');
    if let (Some(sprt), Some(first)) = (&cast.sprt, standings.engines.first()) {
        text.push_str(&llr_text(&sprt.state(&first.pairs), sprt));
        text.push('\n');
    }
    text
}

fn cross_table(cast: &Cast, standings: &Standings) -> String {
    let order = standings.ranking();
    let numbers: Vec<String> = (1..=order.len()).map(|place| place.to_string()).collect();
    let mut header = vec!["#", "engine"];
    header.extend(numbers.iter().map(String::as_str));
    let mut table = table(&header);
    for (place, &engine) in order.iter().enumerate() {
        let mut row = vec![(place + 1).to_string(), cast.names[engine].clone()];
        row.extend(order.iter().map(
            |opponent| match standings.engines[engine].against.get(opponent) {
                Some(wdl) => format!("{}/{}", half_points(wdl.half_points()), wdl.games()),
                None if *opponent == engine => "·".to_owned(),
                None => String::new(),
            },
        ));
        table.add_row(row);
    }
    align_numbers(&mut table, 2);
    format!("{table}\n")
}

fn endings_table(cast: &Cast, standings: &Standings) -> String {
    let endings: std::collections::BTreeSet<_> =
        standings.engines.iter().flat_map(|tally| tally.endings.keys().copied()).collect();
    if endings.is_empty() {
        return String::new();
    }
    let mut header = vec!["endings"];
    header.extend(endings.iter().map(|ending| ending.name()));
    let mut table = table(&header);
    for engine in standings.ranking() {
        let mut row = vec![cast.names[engine].clone()];
        let counts = &standings.engines[engine].endings;
        row.extend(endings.iter().map(|e| counts.get(e).copied().unwrap_or(0).to_string()));
        table.add_row(row);
    }
    align_numbers(&mut table, 1);
    format!("{table}\n")
}

/// Faults, oddities and void games, one line each, when there are any.
fn notes(cast: &Cast, standings: &Standings) -> String {
    let mut text = String::new();
    for (name, tally) in cast.names.iter().zip(&standings.engines) {
        let list = |items: Vec<(&str, u64)>| {
            let items = items.iter().filter(|(_, count)| *count > 0);
            items.map(|(what, count)| format!("{what} {count}")).collect::<Vec<_>>().join(", ")
        };
        let faults = list(tally.faults.iter().map(|(class, &n)| (class.name(), n)).collect());
        if !faults.is_empty() {
            text.push_str(&format!("faults of {name}: {faults}\n"));
        }
        let odd = list(tally.oddities.named().map(|(what, n)| (what, u64::from(n))).to_vec());
        if !odd.is_empty() {
            text.push_str(&format!("odd about {name}: {odd}\n"));
        }
    }
    if standings.voids > 0 {
        let share = standings.void_share();
        text.push_str(&format!("void games: {} ({:.2} %)\n", standings.voids, 100.0 * share));
        if share > MAX_VOID_SHARE {
            text.push_str("INVALID: too many void games; the machine was too busy to judge time\n");
        }
    }
    text
}

/// A number for JSON, which knows no infinity.
fn number(value: f64) -> Value {
    if value.is_finite() { json!(value) } else { Value::Null }
}

/// The summary as JSON.
pub fn summary(cast: &Cast, standings: &Standings) -> Value {
    let engines: Vec<Value> = standings
        .engines
        .iter()
        .zip(&cast.names)
        .map(|(tally, name)| {
            let strength = estimate(&tally.pairs, &tally.all).map(|estimate| {
                json!({
                    "score": estimate.score,
                    "elo": number(estimate.elo),
                    "elo_error_95": number(estimate.elo_error),
                    "normalised_elo": estimate.normalised_elo.map(number),
                    "normalised_error_95": number(estimate.normalised_error),
                    "superiority": estimate.superiority,
                })
            });
            let against: serde_json::Map<String, Value> = tally
                .against
                .iter()
                .map(|(&opponent, wdl)| (cast.names[opponent].clone(), json!(wdl)))
                .collect();
            let faults: serde_json::Map<String, Value> = FaultClass::ALL
                .iter()
                .map(|class| {
                    let count = tally.faults.get(class).copied().unwrap_or(0);
                    (class.name().to_owned(), json!(count))
                })
                .collect();
            json!({
                "name": name,
                "games": tally.all,
                "with_white": tally.white,
                "pentanomial": tally.pairs,
                "strength": strength,
                "against": against,
                "endings": tally.endings,
                "faults": faults,
                "oddities": tally.oddities,
            })
        })
        .collect();
    let openings: Vec<Value> = standings
        .openings
        .iter()
        .map(|(number, tally)| {
            json!({"opening": number, "white": tally.white, "endings": tally.endings})
        })
        .collect();
    let sprt = cast.sprt.as_ref().map(|sprt| {
        let state = standings.engines.first().map(|first| sprt.state(&first.pairs));
        json!({"test": sprt, "state": state})
    });
    json!({
        "games": standings.games,
        "voids": standings.voids,
        "valid": standings.void_share() <= MAX_VOID_SHARE,
        "engines": engines,
        "openings": openings,
        "sprt": sprt,
    })
}

#[cfg(test)]
mod tests {
    use super::super::game::Oddities;
    use super::super::referee::{Ending, GameResult};
    use super::super::standings::GameRecord;
    use super::*;

    fn played() -> (Cast, Standings) {
        let names = vec!["New".to_owned(), "Old".to_owned()];
        let mut standings = Standings::new(2);
        for game in 0..8 {
            let white = game as usize % 2;
            standings.add(&GameRecord {
                game,
                pair: game / 2,
                white,
                black: 1 - white,
                opening: game / 2,
                result: if game % 4 == 0 { GameResult::White } else { GameResult::Draw },
                ending: Some(Ending::Repetition),
                plies: 40,
                fault: None,
                oddities: [Oddities::default(); 2],
            });
        }
        (Cast { names, sprt: Some(Sprt::new(0.0, 5.0)) }, standings)
    }

    #[test]
    fn the_line_and_the_tables_hold_the_counts() {
        let (cast, mut standings) = played();
        let line = live_line(&cast, &standings, 10);
        assert!(line.starts_with("8/10  New - Old  5/8 (62.5 %)  +2 -0 =6  Elo +88.7"), "{line}");
        assert!(line.contains("ptnml [0, 0, 2, 2, 0]") && line.contains("LLR 0."), "{line}");
        standings.voids = 1;
        let text = tables(&cast, &standings);
        for part in ["New", "[0, 0, 2, 2, 0]", "repetition", "void games: 1", "INVALID"] {
            assert!(text.contains(part), "{part} in\n{text}");
        }
        let summary = summary(&cast, &standings);
        assert_eq!(summary["valid"], json!(false));
        assert_eq!(summary["engines"][0]["pentanomial"], json!([0, 0, 2, 2, 0]));
        assert_eq!(summary["openings"].as_array().unwrap().len(), 4);
    }

    #[test]
    fn nothing_played_is_no_nonsense() {
        let cast = Cast { names: vec!["A".to_owned(), "B".to_owned()], sprt: None };
        let standings = Standings::new(2);
        assert_eq!(live_line(&cast, &standings, 4), "0/4  A - B  0/0 (50.0 %)  +0 -0 =0");
        assert!(tables(&cast, &standings).contains('?'));
        assert_eq!(summary(&cast, &standings)["valid"], json!(true));
    }
}
