//! How the words of [`crate::types`] look in JSON: `"white"`, `"e4"`, `"queen"`.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::types::{Color, PieceKind, Square};

/// A word with one spelling in JSON.
trait Word: Sized {
    /// What a reader is told to write.
    const EXPECTED: &'static str;

    fn spell(&self) -> String;
    fn read(text: &str) -> Option<Self>;
}

impl Word for Color {
    const EXPECTED: &'static str = "\"white\" or \"black\"";

    fn spell(&self) -> String {
        match self {
            Color::White => "white".to_owned(),
            Color::Black => "black".to_owned(),
        }
    }

    fn read(text: &str) -> Option<Color> {
        match text.to_ascii_lowercase().as_str() {
            "white" | "w" => Some(Color::White),
            "black" | "b" => Some(Color::Black),
            _ => None,
        }
    }
}

impl Word for Square {
    const EXPECTED: &'static str = "a square from \"a1\" to \"h8\"";

    fn spell(&self) -> String {
        self.to_string()
    }

    fn read(text: &str) -> Option<Square> {
        text.parse().ok()
    }
}

impl Word for PieceKind {
    const EXPECTED: &'static str =
        "\"pawn\", \"knight\", \"bishop\", \"rook\", \"queen\" or \"king\"";

    fn spell(&self) -> String {
        self.name().to_owned()
    }

    fn read(text: &str) -> Option<PieceKind> {
        let text = text.to_ascii_lowercase();
        PieceKind::ALL.into_iter().find(|kind| kind.name() == text)
    }
}

struct WordVisitor<T>(PhantomData<T>);

impl<T: Word> Visitor<'_> for WordVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(T::EXPECTED)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        T::read(text).ok_or_else(|| E::invalid_value(de::Unexpected::Str(text), &self))
    }
}

macro_rules! spelled_in_json {
    ($($word:ty),*) => {$(
        impl Serialize for $word {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.spell())
            }
        }

        impl<'de> Deserialize<'de> for $word {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$word, D::Error> {
                deserializer.deserialize_str(WordVisitor(PhantomData))
            }
        }
    )*};
}

spelled_in_json!(Color, Square, PieceKind);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_round_trip_and_others_are_refused_with_the_expected_words() {
        assert_eq!(serde_json::to_string(&Color::Black).unwrap(), "\"black\"");
        assert_eq!(serde_json::from_str::<Square>("\"e4\"").unwrap(), Square::E4);
        assert_eq!(serde_json::from_str::<PieceKind>("\"queen\"").unwrap(), PieceKind::Queen);
        let error = serde_json::from_str::<Square>("\"e9\"").unwrap_err().to_string();
        assert!(error.contains("a square from"), "{error}");
    }
}
