//! `dtype`: both forms of a data type and of a fill value, or of all data types.

use super::prelude::*;
use super::twins::{self, Given};
use crate::zarr::spelling::{Subject, typed::Typed, values};

mod gallery;

/// The arguments of `dtype`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// V2 JSON or a bare dtype (<i8), V3 JSON or a bare name, or a NumPy name [default: all data types]
    #[arg(allow_hyphen_values = true)]
    spec: Option<String>,
    /// A fill value as JSON, such as -32768, '"NaN"' or '"0x7fc00001"'
    #[arg(long, value_name = "JSON", requires = "spec", allow_hyphen_values = true)]
    fill_value: Option<String>,
    /// The object codec of a V2 |O, such as vlen-utf8
    #[arg(long, value_name = "ID", requires = "spec")]
    object_codec: Option<String>,
    /// The byte order of a SPEC that does not include one
    #[arg(
        long,
        value_enum,
        requires = "spec",
        value_name = "little|big",
        hide_possible_values = true
    )]
    endian: Option<EndianChoice>,
    /// The format of SPEC and the fill value [default: detected]
    #[arg(long, requires = "spec", value_name = "2|3", hide_possible_values = true)]
    format: Option<FormatChoice>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// A byte order on the command line.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum EndianChoice {
    /// Least significant byte first
    Little,
    /// Most significant byte first
    Big,
}

impl From<EndianChoice> for Endian {
    fn from(choice: EndianChoice) -> Self {
        match choice {
            EndianChoice::Little => Self::Little,
            EndianChoice::Big => Self::Big,
        }
    }
}

/// A format on the command line.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum FormatChoice {
    /// V2
    #[value(name = "2")]
    V2,
    /// V3
    #[value(name = "3")]
    V3,
}

impl From<FormatChoice> for Format {
    fn from(choice: FormatChoice) -> Self {
        match choice {
            FormatChoice::V2 => Self::V2,
            FormatChoice::V3 => Self::V3,
        }
    }
}

/// Prints one data type, or all of them.
pub(super) fn run(arguments: &Arguments, output: &mut Output) -> CommandResult {
    let registry = DataTypes::default();
    let Some(text) = &arguments.spec else {
        return gallery::run(&registry, arguments.json, output);
    };
    let wanted = WantedType {
        text,
        object_codec: arguments.object_codec.as_deref(),
        format: arguments.format.map(Format::from),
        endian: arguments.endian.map(Endian::from),
    };
    let typed = match wanted.resolve(&registry) {
        Ok(typed) => typed,
        Err(error) => return refuse(&error, arguments.json, output),
    };
    let fill = arguments.fill_value.as_deref().map(|text| typed.fill_value(text));
    let refused = matches!(&fill, Some(FillValue::Unreadable { .. }));
    if arguments.json {
        output.json(&to_json(&typed.resolved, fill.as_ref()))?;
    } else {
        print(typed, fill, output)?;
    }
    Ok(ExitStatus::flawed_if(refused))
}

fn refuse(error: &Error, json: bool, output: &mut Output) -> CommandResult {
    if json {
        output.json(&json_forms::refusal(error))?;
    } else {
        output::complain(&error);
    }
    Ok(ExitStatus::Flawed)
}

fn to_json(resolved: &Resolved, fill: Option<&FillValue>) -> Json {
    let mut notes = Vec::new();
    let mut form = json_forms::data_type(resolved, &mut notes);
    if let Some(fill) = fill {
        form.set("fill_value", json_forms::fill_value(resolved, fill, &mut notes));
    }
    form.set("notes", json_forms::notes(&notes));
    form
}

fn print(typed: Typed, fill: Option<FillValue>, output: &mut Output) -> Printed {
    let data_type = &typed.resolved.data_type;
    output.line(&twins::title(&[
        data_type.name(),
        data_type.kind().to_owned(),
        data_type.description(),
    ]))?;
    output.line("")?;
    let format = typed.format;
    let given = if typed.is_numpy { Given::Nowhere } else { Given::Typed };
    let subject = Subject::of_type(format, typed.json, typed.resolved, fill);
    twins::write(output, format, given, &values::rows(&subject))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zarr::Result;

    fn shape(text: &str, fill: Option<&str>) -> Result<Json> {
        let wanted = WantedType { text, object_codec: None, format: None, endian: None };
        let typed = wanted.resolve(&DataTypes::default())?;
        let fill = fill.map(|fill| typed.fill_value(fill));
        Ok(to_json(&typed.resolved, fill.as_ref()))
    }

    #[test]
    fn the_shape_is_the_promised_one() {
        let found = shape(">i2", Some("-32768")).unwrap();
        let wanted = r#"{"name":"int16","kind":"Int16","item_size":2,"byte_order":"big","v2":{"dtype":">i2","object_codec":null},"v3":{"data_type":"int16","endian":"big"},"default":{"v2":0,"v3":0,"bytes":"0000"},"fill_value":{"value":"-32768","bytes_little":"0080","bytes_big":"8000","v2":-32768,"v3":-32768},"notes":[]}"#;
        assert_eq!(found.to_line(), wanted);
    }

    #[test]
    fn refusals_keep_what_is_known() {
        assert!(shape("int17", None).is_err());
        let found = shape("uint8", Some("256")).unwrap();
        assert_eq!(found.get_str("name"), Some("uint8"));
        let why = |form: &Json| form.get("fill_value")?.get("error").cloned();
        assert_eq!(why(&found).unwrap().get_str("place"), Some("fill_value"));
        let found = shape("uint8", Some("nonsense")).unwrap();
        assert!(why(&found).unwrap().get_str("found").is_some());
    }
}
