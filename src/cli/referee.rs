//! `ferz referee`: events in, rulings out, one JSON object a line.

use std::io::{self, BufRead, Write};

use serde_json::{Map, Value, json};

use super::Failure;
use crate::board::Position;
use crate::laws::{Claims, Event, Game, Ply, Ruleset, TimeControl, WrittenMove};
use crate::notation::{parse_san, to_san};
use crate::types::Color;

/// The arguments of `ferz referee`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    /// The rules of a game that no "start" line sets up
    #[arg(long, default_value = "standard", value_parser = Ruleset::PROFILES)]
    rules: String,
}

/// Reads lines until the input ends. A line that makes no sense is answered with `{"error": …}` and
/// changes nothing.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), Failure> {
    serve(io::stdin().lock(), arguments, out)
}

fn serve(
    mut input: impl BufRead,
    arguments: &Arguments,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let rules = Ruleset::profile(&arguments.rules).unwrap_or_default();
    let game = Game::new(rules, [None, None]);
    let mut game = game.map_err(|error| Failure::Input(error.to_string()))?;
    let mut line = Vec::new();
    while {
        line.clear();
        input.read_until(b'\n', &mut line)? > 0
    } {
        let text = String::from_utf8_lossy(&line);
        if text.trim().is_empty() {
            continue;
        }
        let answer =
            answer(&mut game, text.trim()).unwrap_or_else(|error| json!({ "error": error }));
        writeln!(out, "{answer}")?;
        out.flush()?;
    }
    Ok(())
}

type Answer = Result<Value, String>;

fn answer(game: &mut Game, line: &str) -> Answer {
    let value: Value = serde_json::from_str(line).map_err(|error| format!("not JSON: {error}"))?;
    let Value::Object(mut fields) = value else {
        return Err("a line is a JSON object with the key \"event\"".to_owned());
    };
    match fields.get("event").and_then(Value::as_str) {
        Some("start") => start(game, fields),
        Some("load") => {
            let stored = fields.remove("game").ok_or("the key \"game\" is missing")?;
            *game = serde_json::from_value(stored).map_err(|error| error.to_string())?;
            Ok(state(game))
        }
        Some("ask") => ask(game, &fields),
        Some(_) => event(game, fields),
        None => Err("the key \"event\" is missing".to_owned()),
    }
}

fn start(game: &mut Game, mut fields: Map<String, Value>) -> Answer {
    fields.remove("event");
    let rules = match fields.remove("rules") {
        None => Ruleset::standard(),
        Some(value) => read_rules(value)?,
    };
    let position = match fields.remove("fen") {
        None => Position::startpos(),
        Some(Value::String(fen)) => Position::from_fen(&fen).map_err(|error| error.to_string())?,
        Some(_) => return Err("\"fen\" is a text".to_owned()),
    };
    let controls = [control(&mut fields, "white")?, control(&mut fields, "black")?];
    let tags = match fields.remove("tags") {
        None => Map::new(),
        Some(Value::Object(tags)) => tags,
        Some(_) => return Err("\"tags\" is an object of texts".to_owned()),
    };
    if let Some(unknown) = fields.keys().next() {
        return Err(format!("unknown key \"{unknown}\""));
    }
    let mut new = Game::from_position(position, rules, controls).map_err(|e| e.to_string())?;
    for (name, value) in tags {
        let text = value.as_str().ok_or(format!("the tag \"{name}\" is no text"))?;
        new.set_tag(&name, text).map_err(|error| error.to_string())?;
    }
    *game = new;
    Ok(state(game))
}

/// A profile's name, or an object whose keys replace those of the profile it names.
fn read_rules(value: Value) -> Result<Ruleset, String> {
    let profile = |name: &str| {
        let names = Ruleset::PROFILES.join(", ");
        Ruleset::profile(name).ok_or(format!("no rules \"{name}\"; there are {names}"))
    };
    match value {
        Value::String(name) => profile(&name),
        Value::Object(mut changes) => {
            let base = match changes.remove("profile") {
                None => Ruleset::standard(),
                Some(name) => profile(name.as_str().ok_or("\"profile\" is a text")?)?,
            };
            let mut merged = serde_json::to_value(base).map_err(|error| error.to_string())?;
            for (key, value) in changes {
                merged[&key] = value;
            }
            serde_json::from_value(merged).map_err(|error| format!("rules: {error}"))
        }
        _ => Err("\"rules\" is the name of a profile or an object".to_owned()),
    }
}

fn control(fields: &mut Map<String, Value>, key: &str) -> Result<Option<TimeControl>, String> {
    match fields.remove(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => {
            text.parse().map(Some).map_err(|error| format!("{key}: {error}"))
        }
        Some(_) => Err(format!("\"{key}\" is a time control such as \"5400+30\"")),
    }
}

fn event(game: &mut Game, mut fields: Map<String, Value>) -> Answer {
    let at_ms = match fields.remove("at_ms") {
        None => game.now_ms(),
        Some(value) => value.as_u64().ok_or("\"at_ms\" is a count of milliseconds")?,
    };
    if let Some(Value::String(text)) = fields.get("move") {
        let written = read_move(game.position(), text)?;
        fields.insert("move".to_owned(), written.to_string().into());
    }
    let event: Event =
        serde_json::from_value(Value::Object(fields)).map_err(|error| error.to_string())?;
    let ruling = game.apply(at_ms, event).map_err(|error| error.to_string())?;
    serde_json::to_value(&ruling).map_err(|error| error.to_string())
}

/// Two squares, or algebraic notation of a legal move.
fn read_move(position: &Position, text: &str) -> Result<WrittenMove, String> {
    if let Ok(written) = text.parse() {
        return Ok(written);
    }
    let legal = parse_san(position, text).map_err(|error| error.to_string())?;
    Ok(legal.into())
}

fn ask(game: &Game, fields: &Map<String, Value>) -> Answer {
    match fields.get("what").and_then(Value::as_str) {
        Some("state") => Ok(state(game)),
        Some("pgn") => Ok(json!({ "pgn": game.pgn() })),
        Some("game") => serde_json::to_value(game).map_err(|error| error.to_string()),
        _ => Err("\"what\" is \"state\", \"pgn\" or \"game\"".to_owned()),
    }
}

fn claim_words(claims: Claims) -> Vec<&'static str> {
    let named = [(claims.threefold, "threefold"), (claims.fifty_moves, "fifty-moves")];
    named.into_iter().filter(|(may, _)| *may).map(|(_, name)| name).collect()
}

/// Everything a game can be asked at any time.
fn state(game: &Game) -> Value {
    let position = game.position();
    let san = |mv: &crate::types::Move| to_san(position, *mv);
    let legal = game.legal_moves();
    let claims_with: Map<String, Value> = legal
        .iter()
        .map(|mv| (san(mv), claim_words(game.claims_with(*mv))))
        .filter(|(_, claims)| !claims.is_empty())
        .map(|(mv, claims)| (mv, json!(claims)))
        .collect();
    let allowed: Vec<String> = match game.outcome() {
        Some(_) => Vec::new(),
        None => game.obligation().moves.iter().map(san).collect(),
    };
    let clock = |color| game.clock_ms(color);
    json!({
        "fen": position.fen(),
        "on_move": game.on_move(),
        "legal_moves": legal.iter().map(san).collect::<Vec<_>>(),
        "allowed_moves": allowed,
        "moves": game.plies().iter().map(Ply::to_string).collect::<Vec<_>>(),
        "clocks_ms": { "white": clock(Color::White), "black": clock(Color::Black) },
        "clock_running": game.running(),
        "draw_now": game.draw_now(),
        "claims_now": claim_words(game.claims()),
        "claims_with": claims_with,
        "outcome": game.outcome(),
        "words": game.outcome().map(ToString::to_string),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn talk(lines: &str) -> Vec<Value> {
        let mut out = Vec::new();
        let arguments = Arguments { rules: "standard".to_owned() };
        serve(lines.as_bytes(), &arguments, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    #[test]
    fn a_game_is_refereed_line_by_line() {
        let answers = talk(concat!(
            r#"{"event":"start","rules":"blitz","white":"180+2","black":"180+2"}"#,
            "\n",
            r#"{"at_ms":1000,"event":"move","player":"white","move":"f3"}"#,
            "\n",
            r#"{"at_ms":1500,"event":"press","player":"white"}"#,
            "\n",
            r#"{"at_ms":2000,"event":"move","player":"black","move":"e5"}"#,
            "\n",
            r#"{"event":"move","player":"white","move":"g2g4"}"#,
            "\n",
            r#"{"event":"move","player":"black","move":"Qh4#"}"#,
            "\n",
            r#"{"event":"ask","what":"pgn"}"#,
            "\n",
        ));
        assert_eq!(answers[0]["on_move"], "white");
        assert_eq!(answers[2]["ruling"], "accepted");
        assert_eq!(answers[5]["ruling"], "game-over");
        assert_eq!(answers[5]["outcome"]["reason"]["kind"], "checkmate");
        assert!(answers[6]["pgn"].as_str().unwrap().contains("0-1"));
    }

    #[test]
    fn lines_without_sense_are_named_and_change_nothing() {
        let answers = talk(concat!(
            "nonsense\n",
            "[1]\n",
            r#"{"event":"dance"}"#,
            "\n",
            r#"{"event":"move","player":"green","move":"e4"}"#,
            "\n",
            r#"{"event":"move","player":"black","move":"e7e5"}"#,
            "\n",
            r#"{"event":"move","player":"white","move":"Ke5"}"#,
            "\n",
            r#"{"event":"start","rules":{"profile":"rapid","tuoch":1}}"#,
            "\n",
            r#"{"event":"ask","what":"state"}"#,
            "\n",
        ));
        assert!(answers[..7].iter().all(|answer| answer["error"].is_string()), "{answers:?}");
        assert_eq!(answers[7]["moves"], json!([]));
    }

    #[test]
    fn a_stored_game_is_taken_up_again() {
        let first = talk(concat!(
            r#"{"event":"move","player":"white","move":"e4"}"#,
            "\n",
            r#"{"event":"ask","what":"game"}"#,
            "\n",
        ));
        let load = json!({ "event": "load", "game": first[1] });
        let answers = talk(&format!("{load}\n"));
        assert_eq!(answers[0]["moves"], json!(["e2e4"]));
    }
}
