//! The forms of codecs, filters and compressors.

use super::{
    forms::{Features, extension_name, literal},
    types::TypeClass,
};
use crate::zarr::codec::CodecRow;
use crate::zarr::prelude::*;

/// The place of a codec.
#[derive(Clone, Copy)]
struct CodecPlace<'a> {
    format: Format,
    /// Before its name: nothing, `inner ` or `index ` in a shard.
    role: &'static str,
    codecs: &'a Codecs,
    class: &'a TypeClass,
    /// The shape of the chunks that the codecs encode.
    chunk_shape: Option<&'a Json>,
}

/// Adds the forms of all codecs.
pub(super) fn pipeline(array: &ArrayMetadata, root: &Json, class: &TypeClass, out: &mut Features) {
    let codecs = &array.registry.codecs;
    let chunk_shape = root.get("chunk_grid").and_then(chunk_shape);
    let place = CodecPlace { format: array.format, role: "", codecs, class, chunk_shape };
    match array.format {
        Format::V2 => {
            filters(place, root.get("filters"), out);
            let compressor = root.get("compressor");
            match compressor {
                Some(json) if json.as_object().is_some() => place.v2("compressor", json, out),
                other => out.add(
                    "compressor",
                    &[format!("compressor {}", literal(other)), odd_compressor(other)],
                ),
            }
        }
        Format::V3 => list(place, "codecs", root.get("codecs"), out),
    }
}

fn odd_compressor(json: Option<&Json>) -> String {
    match json {
        Some(json) if json.is_null() => "compressor null".into(),
        None => "compressor absent".into(),
        Some(_) => "compressor, not an object".into(),
    }
}

fn filters(place: CodecPlace<'_>, json: Option<&Json>, out: &mut Features) {
    match json.and_then(Json::as_array) {
        Some(list) if !list.is_empty() => {
            if list.len() > 1 {
                out.add("filters", &["filters, several"]);
            }
            for (index, one) in list.iter().enumerate() {
                place.v2(&format!("filters[{index}]"), one, out);
            }
        }
        _ => out.add("filters", &[format!("filters {}", literal(json))]),
    }
}

/// The end of the form of a codec that changes the shape before it is cut into inner chunks.
const UNDIVIDED: &str = ", inner chunks that do not divide the chunk before it";

/// The shape in the configuration of a chunk grid or of shards.
fn chunk_shape(json: &Json) -> Option<&Json> {
    json.get("configuration")?.get("chunk_shape")
}

/// A list of V3 codecs.
fn list(place: CodecPlace<'_>, at: &str, json: Option<&Json>, out: &mut Features) {
    let role = place.role;
    match json.and_then(Json::as_array) {
        Some(items) if !items.is_empty() => {
            for (index, item) in items.iter().enumerate() {
                place.v3(&format!("{at}[{index}]"), item, out);
            }
            if let Some(shards) = items.iter().position(|item| place.is_sharding(item)) {
                for (index, other) in items.iter().enumerate().filter(|(index, _)| *index != shards)
                {
                    let name = extension_name(other).unwrap_or_default();
                    let side = if index < shards { "before" } else { "after" };
                    let divides = items.get(shards).is_none_or(|shard| place.is_divided_by(shard));
                    let odd = if index < shards && !divides { UNDIVIDED } else { "" };
                    out.add(
                        format!("{at}[{index}]"),
                        &[format!("{role}codec {name} {side} shards{odd}")],
                    );
                }
            }
        }
        _ => out.add(at, &[format!("{role}codecs {}", literal(json))]),
    }
}

impl CodecPlace<'_> {
    fn row(self, name: &str) -> Option<&'static CodecRow> {
        self.codecs.read_as(name, self.format)
    }

    fn is_sharding(self, json: &Json) -> bool {
        let row = extension_name(json).and_then(|name| self.row(name));
        row.is_some_and(|row| row.members.contains(&"index_codecs"))
    }

    /// True if the inner chunks of `shards` divide the chunk as the array has it, or where a shape is not known.
    fn is_divided_by(self, shards: &Json) -> bool {
        let lengths = |json: Option<&Json>| -> Option<Vec<u64>> {
            json?.as_array()?.iter().map(Json::as_u64).collect()
        };
        let shapes = lengths(self.chunk_shape).zip(lengths(chunk_shape(shards)));
        shapes.is_none_or(|(chunk, inner)| {
            chunk.iter().zip(&inner).all(|(length, of)| length.checked_rem(*of) == Some(0))
        })
    }

    fn v2(self, at: &str, json: &Json, out: &mut Features) {
        let Some(name) = json.get_str("id") else {
            let form = if json.get("name").is_some() {
                "a codec with name, as in V3"
            } else {
                "a codec without id"
            };
            return out.add(at, &[form]);
        };
        let row = self.named(at, name, false, out);
        if at == "compressor" && row.is_some_and(|row| row.kind != CodecKind::BytesToBytes) {
            out.add(at, &[format!("codec {name} as the compressor")]);
        }
        let members =
            json.as_object().unwrap_or_default().iter().filter(|member| member.key != "id");
        let members: Vec<_> = members.map(|member| (member.key.as_str(), &member.value)).collect();
        self.members(at, name, row, &members, out);
    }

    fn v3(self, at: &str, json: &Json, out: &mut Features) {
        let role = self.role;
        let Some(name) = extension_name(json) else {
            let form = if json.get("id").is_some() {
                "a codec with id, as in V2"
            } else {
                "a codec without a name"
            };
            return out.add(at, &[form]);
        };
        let excused =
            json.get("must_understand").is_some_and(|json| literal(Some(json)) == "false");
        let row = self.named(at, name, excused, out);
        beside_name(at, json, row.is_some(), out);
        let configuration = json.get("configuration");
        if json.as_str().is_some() {
            let form = format!("{role}codec {name} as a bare name");
            out.add(at, &[form, "a codec as a bare name".into()]);
        }
        if row.is_some_and(|row| row.is_of_numcodecs(name)) && configuration.is_none() {
            let form = "codec of numcodecs without configuration";
            out.add(at, &[format!("{role}{form}"), form.to_owned()]);
        }
        let members = configuration.and_then(Json::as_object).unwrap_or_default();
        let members: Vec<_> =
            members.iter().map(|member| (member.key.as_str(), &member.value)).collect();
        let place = CodecPlace { chunk_shape: chunk_shape(json), ..self };
        place.members(&format!("{at}.configuration"), name, row, &members, out);
    }

    /// True if a codec inside a shard is as good as one outside: what makes bytes of bytes is not asked where it is.
    fn is_plain(self, row: Option<&CodecRow>) -> bool {
        self.role != "index " && row.is_none_or(|row| row.kind == CodecKind::BytesToBytes)
    }

    /// Adds the forms of a codec's name; gives what is known of it.
    fn named(
        self,
        at: &str,
        name: &str,
        excused: bool,
        out: &mut Features,
    ) -> Option<&'static CodecRow> {
        let role = self.role;
        let row = self.row(name);
        let shown = if name.chars().count() > 60 { "of a long name" } else { name };
        let excuse = if excused { ", not to be understood" } else { "" };
        let mut forms = vec![format!("{role}codec {shown}{excuse}")];
        if self.is_plain(row) {
            forms.push(format!("codec {shown}{excuse}"));
        }
        if row.is_none() {
            forms.push(if name.contains("://") {
                "codec named by a URI".into()
            } else {
                format!("codec of an unknown name{excuse}")
            });
        }
        out.add(at, &forms);
        if row.is_some_and(|row| row.kind != CodecKind::BytesToBytes) {
            let family = self.class.family;
            out.add(at, &[format!("{role}codec {shown} on {family}")]);
        }
        row
    }

    /// Adds the forms of a codec's configuration: of what is there, and of what could be.
    fn members(
        self,
        at: &str,
        name: &str,
        row: Option<&CodecRow>,
        members: &[(&str, &Json)],
        out: &mut Features,
    ) {
        let Some(row) = row else { return };
        for (key, value) in members {
            let at = format!("{at}.{key}");
            match *key {
                "codecs" => list(CodecPlace { role: "inner ", ..self }, &at, Some(value), out),
                "index_codecs" => {
                    let class = &index_class();
                    let place = CodecPlace { role: "index ", class, chunk_shape: None, ..self };
                    list(place, &at, Some(value), out);
                    if value.as_array().is_some_and(|list| list.len() == 1) {
                        out.add(&at, &["shard index without a checksum"]);
                    }
                }
                _ => {
                    let form = self.member(key, value);
                    let mut forms = self.forms(row, &format!("{name}, {key} {form}"));
                    if value.as_number().is_some() && matches!(*key, "level" | "clevel") {
                        forms.push(format!("codec {name}, {key} a number"));
                    }
                    if !row.members.contains(key) {
                        forms.push("codec with an unknown member in its configuration".into());
                    }
                    out.add(&at, &forms);
                }
            }
        }
        for key in row.members {
            if !members.iter().any(|(known, _)| known == key) {
                let what =
                    if *key == "endian" { format!(" for {}", self.width()) } else { String::new() };
                out.add(at, &self.forms(row, &format!("{name} without {key}{what}")));
            }
        }
    }

    /// `text` as a form where the codec is, and as one of a codec anywhere.
    fn forms(self, row: &CodecRow, text: &str) -> Vec<String> {
        let mut forms = vec![format!("{}codec {text}", self.role)];
        if self.is_plain(Some(row)) {
            forms.push(format!("codec {text}"));
        }
        forms
    }

    /// The form of a value in a configuration.
    fn member(self, key: &str, value: &Json) -> String {
        let number = value.as_number().and_then(|text| text.parse::<f64>().ok());
        let is_size =
            value.as_u64().is_some_and(|number| usize::try_from(number).ok() == self.class.size);
        match (key, number) {
            ("level" | "clevel", Some(level)) if (0.0..=9.0).contains(&level) => {
                "from 0 to 9".into()
            }
            ("level" | "clevel", Some(level)) if level < -1.0 => "below -1".into(),
            ("level" | "clevel", Some(level)) if level > 9.0 => "above 9".into(),
            ("blocksize", Some(number)) if number >= 0.0 => "a size".into(),
            ("typesize" | "elementsize", Some(_)) if is_size => "of the type".into(),
            ("typesize" | "elementsize", Some(_)) => "of another size".into(),
            ("endian", _) => format!("{} for {}", literal(Some(value)), self.width()),
            ("order", None) if value.as_array().is_some() => permutation(value).into(),
            ("shuffle" | "level" | "check" | "format" | "first_bit" | "last_bit", Some(number)) => {
                number.to_string()
            }
            (_, Some(number)) if number < 0.0 => "negative".into(),
            (_, Some(0.0)) => "0".into(),
            (_, Some(_)) => "a number".into(),
            ("chunk_shape", None) if value.as_array().is_some_and(|list| !list.is_empty()) => {
                "a list".into()
            }
            _ => literal(Some(value)),
        }
    }

    /// The number of bytes of an element that have an order, in words.
    fn width(self) -> &'static str {
        match (self.class.family, self.class.size) {
            ("structs", _) => "structs",
            ("raw bytes" | "byte strings", _) | ("complex numbers", Some(2)) | (_, Some(0 | 1)) => {
                "single bytes"
            }
            (_, Some(_)) => "several bytes",
            (_, None) => "elements of any length",
        }
    }
}

/// Adds the forms of what a codec has beside name and configuration.
fn beside_name(at: &str, json: &Json, is_known: bool, out: &mut Features) {
    for member in json.as_object().unwrap_or_default() {
        match member.key.as_str() {
            "name" | "configuration" => {}
            "must_understand" => {
                let known = if is_known { "a codec" } else { "an unknown codec" };
                let form = format!("{known} with must_understand {}", literal(Some(&member.value)));
                out.add(format!("{at}.must_understand"), &[form]);
            }
            _ => out.add(at, &["a codec with other members beside its name"]),
        }
    }
}

fn permutation(value: &Json) -> &'static str {
    let axes = value.as_array().unwrap_or_default();
    let Some(axes) = axes.iter().map(Json::as_u64).collect::<Option<Vec<_>>>() else {
        return "with something other than an axis";
    };
    let mut sorted = axes.clone();
    sorted.sort_unstable();
    let all = 0..axes.len() as u64;
    match () {
        () if !sorted.iter().copied().eq(all.clone()) => "not a permutation",
        () if axes.iter().copied().eq(all) => "the identity",
        () if axes
            .iter()
            .enumerate()
            .all(|(at, &axis)| usize::try_from(axis).is_ok_and(|axis| axes[axis] == at as u64)) =>
        {
            "a permutation that is its own inverse"
        }
        () => "a permutation that is not its own inverse",
    }
}

/// The data type of a shard's index.
fn index_class() -> TypeClass {
    TypeClass { name: "index".into(), family: "the index", size: Some(8), fields: None }
}
