//! Conventions: each finding with a store that has the fault, and the same store without it, which has none.
//!
//! Sentences about xarray were seen with xarray 2026.9.0 and cftime 1.6.6; the rules of OME-Zarr are those of its
//! specification, versions 0.4 and 0.5.2, and 0.6 in a file of its own; what is said of anndata was seen with anndata 0.13.4.

use std::{collections::BTreeMap, fs, path::Path};
use zarrscope::zarr::{
    Hierarchy, Json, NodePath,
    check::{CheckOptions, Event, check},
    conventions::{Convention, Wanted, of_node},
};

mod ome_06;

/// A store: documents and chunks by their keys.
#[derive(Clone, Default)]
struct Made(BTreeMap<String, Vec<u8>>);

/// A member of an object: its key and its JSON.
type Members<'a> = &'a [(&'a str, &'a str)];

fn object(members: Members<'_>) -> String {
    let members: Vec<String> =
        members.iter().map(|(key, json)| format!("{key:?}: {json}")).collect();
    format!("{{{}}}", members.join(", "))
}

/// The document of a V2 array of one chunk.
fn zarray(shape: &[u64], data_type: &str, fill: &str) -> String {
    let dtype = match data_type {
        "int64" => "<i8",
        "int16" => "<i2",
        "uint8" => "|u1",
        "float32" => "<f4",
        _ => "<f8",
    };
    let chunks: Vec<u64> = shape.iter().map(|length| *length.max(&1)).collect();
    format!(
        r#"{{"zarr_format": 2, "shape": {shape:?}, "chunks": {chunks:?}, "dtype": "{dtype}", "compressor": null,
            "fill_value": {fill}, "order": "C", "filters": null, "dimension_separator": "/"}}"#
    )
}

/// The document of a V3 array of one chunk.
fn zarr_json(
    shape: &[u64],
    data_type: &str,
    fill: &str,
    names: &str,
    attributes: Members<'_>,
) -> String {
    format!(
        r#"{{"zarr_format": 3, "node_type": "array", "shape": {shape:?}, "data_type": "{data_type}",
            "chunk_grid": {{"name": "regular", "configuration": {{"chunk_shape": {shape:?}}}}},
            "chunk_key_encoding": {{"name": "default"}}, "fill_value": {fill}, {names}
            "codecs": [{{"name": "bytes", "configuration": {{"endian": "little"}}}}],
            "attributes": {}}}"#,
        object(attributes)
    )
}

impl Made {
    fn put(&mut self, path: &str, name: &str, bytes: impl Into<Vec<u8>>) {
        let key = if path.is_empty() { name.to_owned() } else { format!("{path}/{name}") };
        self.0.insert(key, bytes.into());
    }

    fn group(&mut self, format: u8, path: &str, attributes: &str) {
        if format == 2 {
            self.put(path, ".zgroup", r#"{"zarr_format": 2}"#);
            self.put(path, ".zattrs", attributes);
        } else {
            let document = format!(
                r#"{{"zarr_format": 3, "node_type": "group", "attributes": {attributes}}}"#
            );
            self.put(path, "zarr.json", document);
        }
    }

    /// An array of one chunk; `values` are its bytes, little-endian.
    fn array(
        &mut self,
        format: u8,
        path: &str,
        (data_type, fill): (&str, &str),
        dimensions: &[(&str, u64)],
        attributes: Members<'_>,
        values: Option<Vec<u8>>,
    ) {
        let shape: Vec<u64> = dimensions.iter().map(|(_, size)| *size).collect();
        let names: Vec<&str> = dimensions.iter().map(|(name, _)| *name).collect();
        let has_names = dimensions.is_empty() || names.iter().any(|name| !name.is_empty());
        let names = format!("{names:?}");
        let zeros = vec!["0"; shape.len()];
        let key = if format == 2 {
            let mut members = attributes.to_vec();
            members.extend(has_names.then_some(("_ARRAY_DIMENSIONS", names.as_str())));
            self.put(path, ".zarray", zarray(&shape, data_type, fill));
            self.put(path, ".zattrs", object(&members));
            if zeros.is_empty() { "0".to_owned() } else { zeros.join(".") }
        } else {
            let member = format!("\"dimension_names\": {names},");
            let names = if has_names { member } else { String::new() };
            self.put(path, "zarr.json", zarr_json(&shape, data_type, fill, &names, attributes));
            [&["c"], zeros.as_slice()].concat().join("/")
        };
        if let Some(values) = values {
            self.put(path, &key, values);
        }
    }

    fn write(&self, folder: &Path) {
        for (key, bytes) in &self.0 {
            let path = folder.join(key);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
    }

    /// Everything that is found, as `node: severity code: text`.
    fn found(&self, wanted: Wanted) -> Vec<String> {
        let folder = crate::scratch();
        self.write(folder.path());
        let (hierarchy, target) = Hierarchy::open(folder.path()).unwrap();
        let options = CheckOptions { conventions: wanted, ..CheckOptions::default() };
        let mut lines = Vec::new();
        check(&hierarchy, &target.node, &options, &mut |event| {
            if let Event::Problem(NodePath(path), problem) = event {
                let (severity, error) = (problem.severity.word(), problem.error);
                if !matches!(error.code.as_str(), "chunks-missing") {
                    lines.push(format!("{path}: {severity} {}: {error}", error.code));
                }
            }
        });
        lines
    }
}

fn int64(values: &[i64]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// A group as xarray writes it: sst(time, lat, lon) with its coordinates.
fn dataset(format: u8) -> Made {
    let mut made = Made::default();
    made.group(format, "", "{}");
    sst(&mut made, format, &[]);
    time(&mut made, format, &[0, 1, 2, 3], &[]);
    let numbers = |count: u16| (0..count).flat_map(|n| f64::from(n).to_le_bytes()).collect();
    made.array(format, "lat", ("float64", "\"NaN\""), &[("lat", 3)], &[], Some(numbers(3)));
    made.array(format, "lon", ("float64", "\"NaN\""), &[("lon", 2)], &[], Some(numbers(2)));
    made
}

fn sst(made: &mut Made, format: u8, attributes: Members<'_>) {
    let dimensions = [("time", 4), ("lat", 3), ("lon", 2)];
    made.array(format, "sst", ("float32", "\"NaN\""), &dimensions, attributes, None);
}

fn time(made: &mut Made, format: u8, values: &[i64], attributes: Members<'_>) {
    let usual = [("units", "\"days since 2000-01-01\""), ("calendar", "\"standard\"")];
    let kept = usual.iter().filter(|(key, _)| attributes.iter().all(|(other, _)| other != key));
    let members: Vec<_> = kept.chain(attributes).copied().collect();
    let fill = if format == 2 { "null" } else { "0" };
    let size = [("time", values.len() as u64)];
    made.array(format, "time", ("int64", fill), &size, &members, Some(int64(values)));
}

/// Checks that `made` has one finding, of this severity and code, which says `told`; and no others.
#[track_caller]
fn finds(made: &Made, what: &str, told: &str) {
    let lines = made.found(Wanted::default());
    let [line] = lines.as_slice() else { panic!("{what}: {lines:#?}") };
    for part in told.split('|') {
        assert!(line.contains(part), "{what}: {part} in {line}");
    }
}

#[test]
fn a_group_as_xarray_writes_it_has_no_findings() {
    for format in [2, 3] {
        let mut made = dataset(format);
        assert_eq!(made.found(Wanted::default()), Vec::<String>::new(), "V{format}");
        made.array(format, "area", ("float32", "\"NaN\""), &[("lat", 3), ("lon", 2)], &[], None);
        // In V2 xarray takes a fill value for missing.
        let fill = if format == 2 { "null" } else { "0" };
        let mapping = [("grid_mapping_name", "\"latitude_longitude\"")];
        made.array(format, "crs", ("int64", fill), &[], &mapping, Some(int64(&[0])));
        let attributes = [
            ("coordinates", "\"area lat\""),
            ("grid_mapping", "\"crs\""),
            ("cell_measures", "\"area: area\""),
            ("scale_factor", "0.5"),
            ("add_offset", "[0]"),
            ("missing_value", "[-1, -2]"),
        ];
        sst(&mut made, format, &attributes);
        time(&mut made, format, &[3, 2, 1, 0], &[("units", "\"hours since 1990\"")]);
        assert_eq!(made.found(Wanted::default()), Vec::<String>::new(), "V{format}");
    }
}

#[test]
fn attributes_of_variables_are_as_cf_has_them() {
    let cases: &[(&str, &str, &str)] = &[
        ("scale_factor", "\"0.1\"", "warning cf-packing|the string \"0.1\""),
        ("scale_factor", "[1, 2]", "warning cf-packing|ValueError"),
        ("scale_factor", "0", "warning cf-packing|other than 0"),
        ("add_offset", "true", "warning cf-packing|takes true as 1"),
        ("coordinates", "\"lat nowhere\"", "warning cf-reference|\"nowhere\""),
        ("coordinates", "[\"lat\"]", "warning cf-reference|AttributeError"),
        ("grid_mapping", "\"crs\"", "note cf-reference|\"crs\""),
        ("bounds", "\"time_bnds\"", "note cf-reference"),
        ("cell_measures", "\"area: cell_area\"", "note cf-reference|\"cell_area\""),
        ("missing_value", "{\"a\": 1}", "warning cf-fill-value|TypeError"),
        ("units", "\"days since yesterday\"", "warning cf-time-units|\"yesterday\""),
        ("coordinates", "\"lat lno\"", "warning cf-reference|\"lno\"|Likely meant: \"lon\"."),
        ("cell_methods", "\"tme: mean\"", "note cf-reference|\"tme\"|\"time\", a dimension"),
        ("scale_facor", "0.5", "note cf-attribute|likely meant: \"scale_factor\""),
        ("unit", "\"days since 2000-01-01\"", "note cf-attribute|likely meant: \"units\""),
        ("coordinats", "\"lat\"", "note cf-attribute|likely meant: \"coordinates\""),
        ("units", "\"day snce 2000-01-01\"", "note cf-attribute|\"day since 2000-01-01\""),
        ("units", "\"degree_nort\"", "note cf-attribute|\"degree_north\""),
        ("units", "\"dys since 2000-01-01\"", "warning cf-time-units|days, or other"),
    ];
    for format in [2, 3] {
        for (name, json, told) in cases {
            let mut made = dataset(format);
            sst(&mut made, format, &[(name, json)]);
            finds(&made, &format!("V{format} {name} {json}"), told);
        }
    }
}

/// Names and words that look like those of CF, and are others.
#[test]
fn attributes_that_are_alike_are_let_be() {
    for format in [2, 3] {
        for (name, json) in [
            ("cell_methods", "\"time: mean (interval: 1 hour) area: mean where land\""),
            ("cell_methods", "\"lat: lon: mean air_temperature: maximum\""),
            ("unit", "\"K\""),
            ("scale_facor", "\"linear\""),
            ("coordinats", "\"somewhere\""),
            ("units", "\"degrees\""),
            ("units", "\"1e-3\""),
        ] {
            let mut made = dataset(format);
            sst(&mut made, format, &[(name, json)]);
            assert_eq!(made.found(Wanted::default()), Vec::<String>::new(), "{name} {json}");
        }
    }
    // V3 has the names of the dimensions beside the attributes; the same ones in both are no contradiction.
    let with = |names: &str| {
        let mut made = dataset(3);
        sst(&mut made, 3, &[("_ARRAY_DIMENSIONS", names)]);
        made
    };
    let same = r#"["time", "lat", "lon"]"#;
    assert_eq!(with(same).found(Wanted::default()), Vec::<String>::new());
    finds(&with(r#"["time", "y", "x"]"#), "names", "note dimension-names|goes by dimension_names");
}

#[test]
fn what_attributes_name_fits_the_variable() {
    for format in [2, 3] {
        let bounds = |dimensions: &[(&str, u64)]| {
            let mut made = dataset(format);
            let fill = ("float64", "\"NaN\"");
            let three: Vec<u8> = (0..3).flat_map(|n| f64::from(n).to_le_bytes()).collect();
            let named = [("bounds", "\"lat_bnds\"")];
            made.array(format, "lat", fill, &[("lat", 3)], &named, Some(three));
            made.array(format, "lat_bnds", fill, dimensions, &[], None);
            made
        };
        let told = "lat: note cf-reference|\"lat_bnds\" of shape|the shape [3,n]";
        for fault in
            [[("cell", 2), ("bnds", 2)].as_slice(), &[("lat", 3)], &[("bnds", 2), ("lat", 3)]]
        {
            finds(&bounds(fault), "bounds", told);
        }
        let fits = bounds(&[("lat", 3), ("bnds", 2)]);
        assert_eq!(fits.found(Wanted::default()), Vec::<String>::new(), "V{format}");
        let coordinate = |dimensions: &[(&str, u64)]| {
            let mut made = dataset(format);
            sst(&mut made, format, &[("coordinates", "\"place\"")]);
            made.array(format, "place", ("float64", "\"NaN\""), dimensions, &[], None);
            made
        };
        finds(
            &coordinate(&[("lat", 3), ("cell", 9)]),
            "cell",
            "note cf-reference|\"place\" with the dimension \"cell\"",
        );
        let fits = coordinate(&[("lat", 3), ("lon", 2)]);
        assert_eq!(fits.found(Wanted::default()), Vec::<String>::new(), "V{format}");
    }
}

/// Coordinates other than time: one break in an even spacing, and missing values.
#[test]
fn evenly_spaced_coordinates_have_no_break() {
    let even: Vec<f64> = (0..12).map(|n| f64::from(n) * 15.0 - 80.0).collect();
    let with = |at: usize, value: f64| {
        let mut values = even.clone();
        values[at] = value;
        values
    };
    let twice: Vec<f64> = even.iter().take(6).chain(even.iter().take(6)).copied().collect();
    let mut tail = even.clone();
    tail[9..].fill(f64::NAN);
    for format in [2, 3] {
        let of = |values: &[f64]| {
            let mut made = dataset(format);
            let size = [("level", values.len() as u64)];
            let bytes = values.iter().flat_map(|value| value.to_le_bytes()).collect();
            made.array(format, "level", ("float64", "\"NaN\""), &size, &[], Some(bytes));
            made
        };
        for (values, told) in [
            (with(5, 500.0), "warning cf-coordinate-order|500 at [5]|here -5 would be"),
            (with(5, -3.0), "note cf-coordinate-order|-3 at [5]|an even spacing"),
            (twice.clone(), "warning cf-coordinate-order|the value at [0]|appended twice"),
            (tail.clone(), "note cf-coordinate-missing|3 of 12 values|the first at [9]|enlarged"),
        ] {
            finds(&of(&values), told, told);
        }
        let longitudes = |first: i32, count: i32| {
            let mut made = dataset(format);
            let values = (0..count).map(|n| f64::from((first + n * 10 + 180) % 360 - 180));
            let bytes = values.flat_map(f64::to_le_bytes).collect();
            let units = [("units", "\"degrees_east\"")];
            let size = [("x", count.unsigned_abs().into())];
            made.array(format, "x", ("float64", "\"NaN\""), &size, &units, Some(bytes));
            made
        };
        finds(&longitudes(0, 36), "", "warning cf-coordinate-order|-180 at [18] after 170");
        finds(
            &longitudes(100, 16),
            "",
            "note cf-coordinate-order|-180 at [8]|can go on (181, 182)",
        );
        assert_eq!(longitudes(180, 36).found(Wanted::default()), Vec::<String>::new());
        let turn: Vec<f64> = (0..36).map(|n| f64::from((n * 10 + 180) % 360 - 180)).collect();
        let uneven = [1000.0, 925.0, 850.0, 700.0, 850.0, 500.0, 400.0, 300.0, 250.0, 200.0];
        let gap: Vec<f64> =
            even.iter().copied().filter(|value| *value < 0.0 || *value > 20.0).collect();
        for healthy in [even.as_slice(), &turn, &uneven, &gap, &[f64::NAN; 12]] {
            assert_eq!(of(healthy).found(Wanted::default()), Vec::<String>::new(), "{healthy:?}");
        }
    }
}

#[test]
fn times_are_near_enough_to_be_decoded() {
    for (units, far, near) in [
        ("days since 2000-01-01", 108_000_000, 106_000_000),
        ("seconds since 1970-01-01", i64::MIN + 1, 9_000_000_000_000),
    ] {
        let of = |last: i64| {
            let mut made = dataset(3);
            let attributes = [("units", &*format!("{units:?}")), ("missing_value", "7")];
            time(&mut made, 3, &[1, 2, 3, last], &attributes);
            made
        };
        finds(&of(far), units, "warning cf-time-units|1 of 4 times, the first at [3]|ValueError");
        let told = of(near).found(Wanted::default());
        assert!(!told.iter().any(|line| line.contains("too far")), "{told:?}");
        // What xarray 2026.9 reads as NaT is missing.
        finds(
            &of(i64::MIN),
            units,
            "warning cf-coordinate-missing|1 of 4 times that read as missing|",
        );
    }
    let mut made = dataset(3);
    time(&mut made, 3, &[1, 2, 3, i64::MIN], &[("missing_value", "-9223372036854775808")]);
    let told = made.found(Wanted::default());
    assert!(!told.iter().any(|line| line.contains("too far")), "{told:?}");
}

#[test]
fn fill_values_in_attributes_are_those_that_xarray_uses() {
    let v3 = |data_type, json: &str| {
        let mut made = dataset(3);
        let size = [("lat", 3)];
        made.array(3, "x", (data_type, "0"), &size, &[("_FillValue", json)], None);
        made
    };
    for (data_type, json) in
        [("float32", "\"AAAAAAAA+H8=\""), ("int16", "-999"), ("int16", "-999.0"), ("int16", "true")]
    {
        assert_eq!(v3(data_type, json).found(Wanted::default()), Vec::<String>::new(), "{json}");
    }
    for (data_type, json) in [
        ("float32", "-999.0"),
        ("float32", "\"NaN\""),
        ("float32", "null"),
        ("float32", "[1]"),
        ("int16", "\"-999\""),
        ("int16", "null"),
    ] {
        finds(&v3(data_type, json), json, "warning cf-fill-value|raises an error");
    }
    let v2 = |fill: &str, json: &str| {
        let mut made = dataset(2);
        made.array(2, "x", ("int16", fill), &[("lat", 3)], &[("_FillValue", json)], None);
        made
    };
    for (fill, json) in [("-1", "-1"), ("null", "-1"), ("0", "\"text\""), ("-1", "[-1, 3]")] {
        assert_eq!(v2(fill, json).found(Wanted::default()), Vec::<String>::new(), "{fill} {json}");
    }
    finds(&v2("0", "-1"), "V2", "warning cf-fill-value|reads 0 as missing");
    // What the data type cannot hold marks nothing; its ends do.
    finds(&v2("0", "40000"), "V2", "warning cf-fill-value|would have stored -25536 for it");
    for (data_type, json, stored) in
        [("uint16", "-9999", "55537"), ("uint8", "300", "44"), ("int8", "-129.0", "127")]
    {
        let told = format!("warning cf-fill-value|would have stored {stored} for it");
        finds(&v3(data_type, json), json, &told);
    }
    for (data_type, json) in [("uint16", "65535"), ("uint8", "0"), ("int8", "-128")] {
        assert_eq!(v3(data_type, json).found(Wanted::default()), Vec::<String>::new(), "{json}");
    }
}

#[test]
fn units_and_calendars_are_those_that_xarray_decodes() {
    for format in [2, 3] {
        for (name, json, told) in [
            ("units", "\"fortnights since 2000-01-01\"", "cf-time-units|\"fortnights\""),
            ("units", "\"days since 2000-02-30\"", "cf-time-units|\"2000-02-30\""),
            ("units", "\"days since 0000-01-01\"", "cf-time-units|standard, which has no year 0"),
            ("calendar", "\"lunar\"", "cf-calendar|\"lunar\""),
            ("calendar", "5", "cf-calendar|the number 5"),
        ] {
            let mut made = dataset(format);
            time(&mut made, format, &[0, 1, 2, 3], &[(name, json)]);
            finds(&made, json, told);
        }
        for (name, json) in [("units", "\"days\""), ("units", "5"), ("calendar", "\"360_day\"")] {
            let mut made = dataset(format);
            time(&mut made, format, &[0, 1, 2, 3], &[(name, json)]);
            assert_eq!(made.found(Wanted::default()), Vec::<String>::new(), "{json}");
        }
        for (calendar, severity) in [("\"standard\"", "warning"), ("\"none\"", "note")] {
            let mut made = dataset(format);
            let name = ("standard_name", "\"time\"");
            time(
                &mut made,
                format,
                &[0, 1, 2],
                &[name, ("units", "\"hours\""), ("calendar", calendar)],
            );
            made.0.retain(|key, _| !key.starts_with("sst/"));
            finds(&made, calendar, &format!("{severity} cf-time-units|\"hours since 2000-01-01\""));
        }
    }
}

#[test]
fn times_of_far_years_are_counts_in_a_shorter_unit() {
    let millis = [0, 1, 2, 3].map(|n| 1_700_000_000_000 + n * 600_000);
    for (units, values, told) in [
        (
            "seconds since 1970-01-01",
            millis,
            "warning cf-time-units|the year 55840|the year 2023|most likely milliseconds",
        ),
        (
            "days since 1900-01-01",
            [0, 1, 2, 3].map(|n| 3_786_912_000 + n * 86_400),
            "most likely seconds|the year 2020",
        ),
    ] {
        let mut made = dataset(3);
        time(&mut made, 3, &values, &[("units", &format!("{units:?}"))]);
        finds(&made, units, told);
    }
    // The seconds themselves, times of a far future, and years of a model.
    for (units, values) in [
        ("seconds since 1970-01-01", millis.map(|value| value / 1000)),
        ("seconds since 1970-01-01", [0, 1, 2, 3].map(|n| 9_000_000_000_000 + n * 600)),
        ("days since 0001-01-01", [0, 1, 2, 3].map(|n| 3_659_000 + n * 365)),
    ] {
        let mut made = dataset(3);
        time(&mut made, 3, &values, &[("units", &format!("{units:?}"))]);
        assert_eq!(made.found(Wanted::default()), Vec::<String>::new(), "{units}");
    }
}

#[test]
fn times_appended_in_another_unit_are_told_with_the_step() {
    let of = |units: &str, values: &[i64]| {
        let mut made = Made::default();
        made.group(3, "", "{}");
        made.array(
            3,
            "time",
            ("int64", "0"),
            &[("time", values.len() as u64)],
            &[("units", &format!("{units:?}"))],
            Some(int64(values)),
        );
        made
    };
    let days: Vec<i64> = (10..40).collect();
    let later = |change: &dyn Fn(i64) -> i64| -> Vec<i64> {
        days.iter().map(|day| if *day < 22 { *day } else { change(*day) }).collect()
    };
    let units = "days since 2000-01-01";
    for (told, change) in [
        ("hours since 2000-01-01", &(|day: i64| day * 24) as &dyn Fn(i64) -> i64),
        ("seconds since 2000-01-01", &|day| day * 86_400),
        ("days since 1970-01-01", &|day| day + 10_957),
        ("seconds since 1970-01-01", &|day| (day + 10_957) * 86_400),
    ] {
        let made = of(units, &later(change));
        finds(
            &made,
            told,
            &format!("warning cf-time-units|from [12] on|{told}|2000-01-23T00:00:00"),
        );
    }
    let months = [0, 31, 60, 91, 121, 152, 182, 213, 244, 274, 305, 335];
    let hours: Vec<i64> =
        months.iter().map(|day| if *day < 182 { *day } else { day * 24 }).collect();
    finds(&of(units, &hours), "months", "from [6] on|hours since 2000-01-01");
    // A gap, months, steps that become longer, and the days of weeks.
    for values in [
        later(&|day| day + 30),
        later(&|day| day + 10_900),
        months.to_vec(),
        later(&|day| 22 + (day - 22) * 24),
        (0..24).map(|n| 1 << n).collect(),
        (0..30).map(|n| n / 5 * 7 + n % 5).collect(),
    ] {
        assert_eq!(of(units, &values).found(Wanted::default()), Vec::<String>::new(), "{values:?}");
    }
}

#[test]
fn times_go_on_in_one_direction() {
    for format in [2, 3] {
        let of = |values: &[i64]| {
            let mut made = dataset(format);
            time(&mut made, format, values, &[]);
            made
        };
        finds(
            &of(&[0, 1, 1, 2]),
            "a repeat",
            "warning cf-coordinate-order|1 repeated value|at [2]",
        );
        finds(
            &of(&[0, 1, 2, 1]),
            "a step back",
            "1 step backward|2000-01-02T00:00:00 after 2000-01-03",
        );
        // What lies before all of it was not appended twice.
        finds(&of(&[5, 6, 5, 6]), "appended twice", "appended twice");
        finds(&of(&[48, 51, 2, 3]), "hours", "from [2] on, data of an earlier time");
        assert_eq!(of(&[9, 7, 5, 3]).found(Wanted::default()), Vec::<String>::new());
    }
    // The shape was enlarged, and nothing was written: missing chunks read as the fill value.
    let mut made = dataset(3);
    time(&mut made, 3, &[5, 6, 0, 0], &[]);
    finds(&made, "not written", "cf-coordinate-order|did not write its last 2 values");
    let mut made = dataset(2);
    let units = [("units", "\"days since 2000-01-01\"")];
    made.array(2, "time", ("int64", "0"), &[("time", 4)], &units, Some(int64(&[5, 6, 7, 0])));
    finds(&made, "missing", "warning cf-coordinate-missing|1 of 4 times");
    // Only of times it is known that they go on.
    let mut made = dataset(3);
    made.array(3, "lat", ("int64", "0"), &[("lat", 3)], &[], Some(int64(&[2, 1, 2])));
    assert_eq!(made.found(Wanted::default()), Vec::<String>::new());
}

/// A variable of eight numbers of one dimension that has no coordinate.
fn numbers(format: u8, attributes: Members<'_>, values: [f64; 8]) -> Made {
    let mut made = dataset(format);
    let bytes = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    let fill = ("float64", "\"NaN\"");
    made.array(format, "x", fill, &[("cell", 8)], attributes, Some(bytes));
    made
}

/// The attributes and the values of a variable.
type Side<'a> = (Members<'a>, [f64; 8]);

#[test]
fn numbers_are_in_the_range_that_attributes_declare() {
    let name = |name: &'static str| ("standard_name", name);
    let units = |units: &'static str| ("units", units);
    let air = name("\"air_temperature\"");
    let pressure = name("\"surface_air_pressure\"");
    let warm = [-3.5, 0.0, 4.0, 12.0, 18.0, 21.5, 30.0, 9.0];
    let kelvin = warm.map(|value| value + 273.15);
    let high = [98_000.0, 99_100.0, 1e5, 101_300.0, 1.02e5, 97_000.0, 1e5, 1e5];
    let humid = [0.5, 2.0, 7.0, 12.0, 18.0, 21.5, 14.0, 9.0];
    let depth = name("\"depth\"");
    let marked = [3.0, 4.0, -9999.0, 5.0, -9999.0, 2.0, 7.0, 6.0];
    let nat = -9_223_372_036_854_775_808.0;
    let outgoing = name("\"toa_outgoing_longwave_flux\"");
    let angle = name("\"projection_y_coordinate\"");
    let growth = name("\"gross_primary_productivity_of_biomass_expressed_as_carbon\"");
    let grown = [0.1, -0.02, 3.0, 0.4, 0.5, 0.6, 0.7, 0.8];
    let turned = [0.0, 45.0, 90.0, 135.0, 180.0, 225.0, 270.0, 315.0];
    let classes = [0.0, 1.0, 2.0, 1.0, 0.0, 5.0, 1.0, 2.0];
    let flags = ("flag_values", "[0, 1, 2]");
    let named = ("flag_meanings", "\"sea land ice\"");
    // Attributes and values with a fault, attributes and values without it, and what is told.
    let cases: &[(Side<'_>, Side<'_>, &str)] = &[
        (
            (&[units("\"degrees_north\"")], turned),
            (&[units("\"degrees_east\"")], turned),
            "warning cf-value-range|latitudes from 0 to 315 are outside of -90 to 90",
        ),
        (
            (&[units("\"degreesE\"")], turned.map(|value| value * 10.0)),
            (&[units("\"degrees\"")], turned.map(|value| value * 10.0)),
            "warning cf-value-range|longitudes",
        ),
        (
            (&[air, units("\"K\"")], warm),
            (&[air, units("\"K\"")], kelvin),
            "warning cf-units|air_temperature from -3.5 to 30 in \"K\"; such values are usual in \"°C\"",
        ),
        (
            (&[air, units("\"degC\"")], kelvin),
            (&[name("\"air_temperature anomaly\""), units("\"degC\"")], kelvin),
            "warning cf-units|usual in \"K\"",
        ),
        (
            (&[pressure, units("\"hPa\"")], high),
            (&[pressure, units("\"Pa\"")], high),
            "warning cf-units|usual in \"Pa\"",
        ),
        (
            (&[air, units("\"K\"")], warm),
            (&[air, units("\"K\""), ("add_offset", "273.15")], warm),
            "warning cf-units|usual",
        ),
        (
            (&[name("\"specific_humidity\""), units("\"kg kg-1\"")], humid),
            (&[name("\"specific_humidity\""), units("\"g kg-1\"")], humid),
            "warning cf-units|usual in \"g kg-1\"",
        ),
        (
            (&[name("\"precipitation_flux\""), units("\"kg m-2 s-1\"")], humid),
            (&[name("\"precipitation_flux\""), units("\"mm day-1\"")], humid),
            "warning cf-units|usual in \"mm day-1\"|not divided by its seconds",
        ),
        (
            (&[name("\"relative_humidity\""), units("\"1\"")], high.map(|value| value / 2000.0)),
            (&[name("\"relative_humidity\""), units("\"%\"")], high.map(|value| value / 2000.0)),
            "warning cf-units|usual in \"%\"",
        ),
        (
            (&[name("\"geopotential\""), units("\"m\"")], high),
            (&[name("\"geopotential_height\""), units("\"m\"")], high),
            "warning cf-units|usual in \"m2 s-2\"",
        ),
        (
            (&[name("\"wind_speed\""), ("comment", "\"normal operation\"")], warm),
            (&[name("\"wind_speed\""), ("comment", "\"departure from normal\"")], warm),
            "warning cf-value-range|negative values of wind_speed",
        ),
        (
            (&[growth], grown.map(|value: f64| -value.abs())),
            (&[growth], grown),
            "warning cf-value-range|negative values of gross_|likely, all have the wrong sign",
        ),
        (
            (&[name("\"projection_x_angular_coordinate\""), units("\"rad\"")], turned),
            (&[name("\"projection_x_angular_coordinate\""), units("\"1\"")], turned),
            "warning cf-value-range|projection_x_angular_coordinate from 0 to 315 are outside of -3.14159 to 3.14159",
        ),
        (
            (&[depth, ("positive", "\"down\"")], high.map(|value| -value)),
            (&[depth, ("positive", "\"up\"")], high.map(|value| -value)),
            "warning cf-value-range|depths are all negative, -102000 to -97000, and positive is \"down\"",
        ),
        (
            (&[depth, ("positive", "\"down\"")], high.map(|value| -value)),
            (&[depth, ("positive", "\"down\"")], warm),
            "warning cf-value-range|depths",
        ),
        (
            (&[name("\"sea_water_temperature\""), units("\"degrees_C\"")], kelvin),
            (&[name("\"sea_water_temperature\""), units("\"degrees_C\"")], warm),
            "warning cf-units|usual in \"K\"",
        ),
        (
            (&[("valid_range", "[0, 20]")], warm),
            (&[("valid_range", "[-10, 30]")], warm),
            "note cf-value-range|stored values from -3.5 to 30 are outside of valid_range, 0 to 20|reads them as data",
        ),
        (
            (&[("valid_max", "20.0")], warm),
            (&[("valid_max", "30.0")], warm),
            "note cf-value-range|outside of valid_max, any to 20",
        ),
        (
            (&[flags, named], classes),
            (
                &[("flag_values", "[0, 1, 2, 5]"), ("flag_meanings", "\"sea land ice lake\"")],
                classes,
            ),
            "warning cf-flags|the value 5|one of the 3 values from 0 to 2",
        ),
        (
            (&[("flag_values", "[0, 1, 2, 5]"), named], classes),
            (&[("flag_masks", "[1, 2, 4]"), named, ("add_offset", "0.0")], classes),
            "note cf-flags|flag_values with 4 items|flag_meanings, which has 3 words",
        ),
        (
            (&[units("\"m\"")], marked),
            (&[units("\"m\""), ("missing_value", "-9999.0")], marked),
            "note cf-mark|2 of 8 values are -9999, the others 2 to 7; no attribute marks them as missing",
        ),
        (
            (&[units("\"m\"")], marked),
            (&[units("\"m\""), ("nodata", "\"-9999\"")], marked),
            "note cf-mark",
        ),
        (
            (&[units("\"days\"")], marked.map(|it| if it < 0.0 { nat } else { it })),
            (&[units("\"days\"")], marked.map(f64::abs)),
            "warning cf-mark|2 of 8 values are -9223372036854775808|That is NaT as a number",
        ),
        // None of the others is below 0, though they are larger than it.
        (
            (&[units("\"m\"")], marked.map(|it| if it < 0.0 { -999.0 } else { 1e3 * it })),
            (&[units("\"m\"")], marked.map(|it| if it < 0.0 { -999.0 } else { 1e3 * (it - 4.0) })),
            "note cf-mark|2 of 8 values are -999, the others 2000 to 7000",
        ),
        (
            (&[outgoing, units("\"W m-2\"")], high.map(|it| -it / 400.0)),
            (&[outgoing, units("\"W m-2\"")], high.map(|it| it / 400.0)),
            "warning cf-value-range|negative values of toa_outgoing_longwave_flux|None is above 0",
        ),
        (
            (&[angle, units("\"microradian\"")], high.map(|it| it * 40.0)),
            (&[angle, units("\"microradian\"")], high),
            "warning cf-value-range|projection_y_coordinate from 3880000 to 4080000|half a turn",
        ),
        (
            (&[units("\"m\"")], marked),
            (&[units("\"m\"")], marked.map(|value| value * 1.5)),
            "note cf-mark",
        ),
    ];
    for format in [2, 3] {
        for ((attributes, values), (clean, healthy), told) in cases {
            finds(
                &numbers(format, attributes, *values),
                &format!("V{format} {attributes:?}"),
                told,
            );
            let lines = numbers(format, clean, *healthy).found(Wanted::default());
            assert_eq!(lines, Vec::<String>::new(), "V{format} {clean:?}");
        }
    }
}

#[test]
fn the_arrays_of_a_group_agree_on_their_dimensions() {
    for format in [2, 3] {
        let mut made = dataset(format);
        time(&mut made, format, &[0, 1, 2], &[]);
        let told = "warning cf-dimensions|\"time\" with size 3 in \"time\", 4 in \"sst\"|an append";
        finds(&made, "time", told);
        let mut made = dataset(format);
        let turned = [("time", 4), ("lon", 3), ("lat", 2)];
        made.array(format, "sst", ("float32", "\"NaN\""), &turned, &[], None);
        made.array(format, "area", ("float32", "0.0"), &[("lat", 3), ("lon", 2)], &[], None);
        let told = "warning cf-dimensions|\"sst\" with 2 for \"lat\" and 3 for \"lon\"|swapped in the metadata";
        finds(&made, "swapped", told);
        let mut made = dataset(format);
        made.array(format, "x", ("float32", "0.0"), &[("lat", 3), ("lat", 3)], &[], None);
        finds(&made, "twice", "warning cf-dimensions|\"lat\"");
        let mut made = dataset(format);
        made.array(format, "x", ("float32", "0.0"), &[("", 3)], &[], None);
        finds(&made, "unnamed", "warning cf-dimensions|\"x\" without dimension names");
    }
    // What xarray wrote without coordinates, and levels by number.
    for (names, told) in [(["a", "b"], 1), (["0", "1"], 0), (["s0", "s1"], 0)] {
        let mut made = Made::default();
        made.group(3, "", "{}");
        made.array(3, names[0], ("float32", "0.0"), &[("y", 4)], &[], None);
        made.array(3, names[1], ("float32", "0.0"), &[("y", 6)], &[], None);
        let found = made.found(Wanted::default());
        let is_note = |line: &String| line.contains("note cf-dimensions");
        assert!(found.len() == told && found.iter().all(is_note), "{found:#?}");
    }
    // Levels of an image, and arrays that nobody calls variables.
    let mut made = Made::default();
    made.group(3, "", "{}");
    made.array(3, "a", ("float32", "0.0"), &[("y", 4)], &[], None);
    made.array(3, "b", ("float32", "0.0"), &[("y", 2)], &[], None);
    made.array(3, "c", ("float32", "0.0"), &[("", 2)], &[], None);
    assert_eq!(made.found(Wanted::default()), Vec::<String>::new());
    let asked = made.found(Wanted::only(&[Convention::Cf]));
    assert!(asked.iter().any(|line| line.contains("cf-dimensions")), "{asked:#?}");
    made.group(3, "", r#"{"Conventions": "CF-1.10"}"#);
    assert_eq!(made.found(Wanted::default()).len(), 2);
    assert_eq!(made.found(Wanted::only(&[])), Vec::<String>::new());
}

/// Variables of a group are looked for in the groups around it too, and by paths.
#[test]
fn references_lead_upwards() {
    let mut made = dataset(3);
    made.group(3, "inner", "{}");
    for (names, count) in
        [("lat /lon ../time", 0), ("nope", 1), ("/inner/nope", 1), ("../../time", 1)]
    {
        let json = format!("{names:?}");
        made.array(3, "inner/x", ("float32", "0.0"), &[("n", 3)], &[("coordinates", &json)], None);
        assert_eq!(made.found(Wanted::default()).len(), count, "{names}");
    }
    made.group(3, "inner", r#"{"external_variables": "nope"}"#);
    made.array(3, "inner/x", ("float32", "0.0"), &[("n", 3)], &[("coordinates", "\"nope\"")], None);
    assert_eq!(made.found(Wanted::default()), Vec::<String>::new());
}

const AXES: &str = r#"[{"name": "c", "type": "channel"}, {"name": "y", "type": "space"}, {"name": "x", "type": "space"}]"#;

fn level(path: &str, scale: &str) -> String {
    format!(
        r#"{{"path": "{path}", "coordinateTransformations": [{{"type": "scale", "scale": {scale}}}]}}"#
    )
}

/// The attributes of an image whose metadata are `multiscales` with `more` members beside it.
fn attributes(format: u8, multiscales: &str, more: &str) -> String {
    if format == 2 {
        format!(r#"{{"multiscales": [{multiscales}]{more}}}"#)
    } else {
        format!(r#"{{"ome": {{"version": "0.5", "multiscales": [{multiscales}]{more}}}}}"#)
    }
}

fn multiscales(format: u8) -> String {
    let version = if format == 2 { r#""version": "0.4", "# } else { "" };
    let levels = [level("0", "[1, 1, 1]"), level("1", "[1, 2, 2.0]")].join(", ");
    format!(r#"{{{version}"axes": {AXES}, "datasets": [{levels}]}}"#)
}

fn plane(made: &mut Made, format: u8, path: &str, size: u64) {
    let names = if format == 2 { ["", "", ""] } else { ["c", "y", "x"] };
    let dimensions = [(names[0], 2), (names[1], size), (names[2], size)];
    made.array(format, path, ("uint8", "0"), &dimensions, &[], None);
}

/// An image of two levels at `path`, with labels.
fn image(made: &mut Made, format: u8, path: &str) {
    made.group(format, path, &attributes(format, &multiscales(format), ""));
    for (name, size) in [("0", 8), ("1", 4)] {
        plane(made, format, format!("{path}/{name}").trim_start_matches('/'), size);
    }
}

#[test]
fn other_parts_of_anndata_fit_too() {
    let table = r#"{"encoding-type": "dataframe", "_index": "id", "column-order": []}"#;
    let raw = [
        ("raw", r#"{"encoding-type": "raw"}"#),
        ("raw/var", table),
        ("raw/var/id", "0 1 2 3 4"),
        ("raw/X", r#"{"encoding-type": "csr_matrix", "shape": [4, 5]}"#),
        ("raw/X/indptr", "0 1 1 2 2"),
        ("raw/X/indices", "4 0"),
        ("raw/X/data", "1 2"),
        ("uns", r#"{"encoding-type": "dict"}"#),
        ("uns/type_colors", "1 2"),
        ("obs/age", r#"{"encoding-type": "nullable-integer"}"#),
        ("obs/age/values", "1 2 3 4"),
        ("obs/age/mask", "0 0 0 1"),
        (
            "obs",
            r#"{"encoding-type": "dataframe", "_index": "id", "column-order": ["type", "age"]}"#,
        ),
    ];
    for format in [2, 3] {
        assert_eq!(anndata(format, &raw).found(Wanted::default()), Vec::<String>::new());
        for (path, text, told) in [
            ("raw/var/id", "0 1 2", "warning anndata-table|\"raw/X\" of shape [4,5]|4 × 3"),
            (
                "uns/type_colors",
                "1",
                "note anndata-table|1 colour for the 2 categories of \"obs/type\"",
            ),
            ("obs/age/mask", "0 0 1", "obs/age: warning anndata-table|a mask of shape [3]"),
        ] {
            finds(&anndata(format, &[&raw[..], &[(path, text)]].concat()), path, told);
        }
    }
}

fn with_labels(format: u8) -> Made {
    let mut made = Made::default();
    image(&mut made, format, "");
    image(&mut made, format, "labels/cells");
    let label = r#", "image-label": {"colors": [{"label-value": 1, "rgba": [0, 0, 255, 255]}],
        "source": {"image": "../../"}}"#;
    made.group(format, "labels/cells", &attributes(format, &multiscales(format), label));
    made.group(format, "labels", &ome(format, r#""labels": ["cells"]"#));
    made
}

const PLATE: &str = r#""plate": {"version": "VERSION", "rows": [{"name": "A"}, {"name": "B"}],
    "columns": [{"name": "1"}, {"name": "2"}], "acquisitions": [{"id": 0}],
    "wells": [{"path": "B/2", "rowIndex": 1, "columnIndex": 1}]}"#;

/// Attributes with these members of OME-Zarr.
fn ome(format: u8, members: &str) -> String {
    if format == 2 {
        format!("{{{}}}", members.replace("VERSION", "0.4"))
    } else {
        format!(r#"{{"ome": {{"version": "0.5", {}}}}}"#, members.replace("VERSION", "0.5"))
    }
}

fn plate(format: u8) -> Made {
    let mut made = Made::default();
    made.group(format, "", &ome(format, PLATE));
    made.group(format, "B", "{}");
    made.group(
        format,
        "B/2",
        &ome(format, r#""well": {"images": [{"path": "0", "acquisition": 0}]}"#),
    );
    image(&mut made, format, "B/2/0");
    made
}

#[test]
fn images_labels_and_plates_without_a_fault_have_no_findings() {
    for format in [2, 3] {
        assert_eq!(with_labels(format).found(Wanted::default()), Vec::<String>::new(), "V{format}");
        assert_eq!(plate(format).found(Wanted::default()), Vec::<String>::new(), "V{format}");
    }
    // SpatialData names channels alone, and transforms images to systems of its own.
    let of = |version: &str| {
        let mut made = with_labels(3);
        let affine = r#""name": "i", "coordinateTransformations": [{"type": "affine", "affine": [[1, 0], [0, 1]]}], "axes""#;
        let channels = r#", "omero": {"channels": [{"label": "a"}, {"label": "b"}]}"#;
        let members = attributes(3, &multiscales(3).replacen(r#""axes""#, affine, 1), channels);
        made.group(3, "", &members.replace(r#""0.5""#, &format!("{version:?}")));
        made.found(Wanted::default())
    };
    assert_eq!(of("0.5-dev-spatialdata"), Vec::<String>::new());
    assert_eq!(of("0.5").len(), 3, "{:?}", of("0.5"));
}

/// A change of the attributes of an image, and what is told of it.
const IMAGE_FAULTS: &[(&str, &str, &str)] = &[
    (r#""path": "1""#, r#""path": "2""#, "ome-path|\"2\", where there is no array"),
    (r#""path": "1""#, r#""path": 1"#, "ome-member|datasets[1].path|the number 1"),
    (r#""name": "y", "#, "", "ome-member|axes[1].name|nothing"),
    (r#""name": "y", "#, r#""name": "x", "#, "ome-member|\"x\" twice"),
    (
        r#"{"name": "c", "type": "channel"}"#,
        r#"{"name": "c", "type": "space", "unit": 5}"#,
        "ome-member|unit",
    ),
    (
        r#""name": "y", "type": "space""#,
        r#""name": "y", "type": "time""#,
        "ome-axes|1 axis of type",
    ),
    (
        r#""type": "scale", "scale": [1, 1, 1]"#,
        r#""type": "affine""#,
        "ome-transformations|\"affine\"",
    ),
    (r#""scale": [1, 1, 1]"#, r#""scale": [1, 1]"#, "ome-transformations|an array of 2|3 numbers"),
    (r#""scale": [1, 1, 1]"#, r#""scale": [1, 1, "1"]"#, "ome-transformations|the string"),
    (r#"[{"type": "scale", "scale": [1, 1, 1]}]"#, "[]", "ome-member|an array of 0"),
    (
        r#"[{"type": "scale", "scale": [1, 1, 1]}]"#,
        r#"[{"type": "translation", "translation": [1, 1, 1]}, {"type": "scale", "scale": [1, 1, 1]}]"#,
        "ome-transformations|translation, scale",
    ),
];

#[test]
fn faults_of_images_are_told() {
    for format in [2, 3] {
        for (good, bad, told) in IMAGE_FAULTS {
            let mut made = Made::default();
            image(&mut made, format, "");
            let changed = multiscales(format).replacen(good, bad, 1);
            made.group(format, "", &attributes(format, &changed, ""));
            let lines = made.found(Wanted::default());
            let is_told = |line: &&String| told.split('|').all(|part| line.contains(part));
            assert!(lines.iter().find(is_told).is_some(), "V{format} {bad}: {lines:#?}");
        }
        let mut made = Made::default();
        image(&mut made, format, "");
        plane(&mut made, format, "0", 2);
        finds(&made, "order", "warning ome-resolutions|\"1\" of shape");
        let mut made = Made::default();
        image(&mut made, format, "");
        made.array(format, "1", ("uint8", "0"), &[("y", 4), ("x", 4)], &[], None);
        finds(&made, "rank", "warning ome-axes|2 dimensions|3 dimensions");
        made.group(format, "", &attributes(format, &multiscales(format), r#", "omero": {}"#));
        assert_eq!(made.found(Wanted::default()).len(), 2);
    }
}

/// A level of half as many elements has elements of twice the size; rounded sizes do.
#[test]
fn scales_of_levels_fit_their_shapes() {
    let image_of = |format: u8, scale: &str, sizes: [u64; 2]| {
        let mut made = Made::default();
        let changed = multiscales(format).replacen("[1, 2, 2.0]", scale, 1);
        made.group(format, "", &attributes(format, &changed, ""));
        plane(&mut made, format, "0", sizes[0]);
        plane(&mut made, format, "1", sizes[1]);
        made
    };
    for format in [2, 3] {
        let told = "warning ome-transformations|1 for axis \"y\" of \"1\" (60 elements), 1 for \"0\" (120)|about 2|datasets[1]";
        finds(&image_of(format, "[1, 1, 2.0]", [120, 60]), "same scale", told);
        finds(
            &image_of(format, "[1, 2, 4]", [120, 60]),
            "twice",
            "axis \"x\" of \"1\"|about 2: 1 × 120 / 60",
        );
        for sizes in [[120, 60], [121, 60], [121, 61], [3, 1], [1, 1], [2, 2]] {
            let found = image_of(format, "[1, 2, 2]", sizes).found(Wanted::default());
            assert!(found.is_empty(), "{sizes:?}: {found:?}");
        }
    }
}

/// An array beside the levels that is in no list is a note; one of another rank or type is none of the image.
#[test]
fn levels_that_are_not_listed_are_noted() {
    for format in [2, 3] {
        let mut made = Made::default();
        image(&mut made, format, "");
        made.array(format, "table", ("float32", "0"), &[("", 4)], &[], None);
        assert_eq!(made.found(Wanted::default()), Vec::<String>::new(), "V{format}");
        plane(&mut made, format, "2", 2);
        finds(&made, "not listed", "note ome-resolutions|\"2\"|not in the list");
    }
}

#[test]
fn levels_and_channels_are_alike() {
    for format in [2, 3] {
        let of = |change: &dyn Fn(&mut Made)| {
            let mut made = Made::default();
            image(&mut made, format, "");
            change(&mut made);
            made
        };
        let names = if format == 2 { ["", "", ""] } else { ["c", "y", "x"] };
        let second = |made: &mut Made, data_type, [c, y, x]: [u64; 3]| {
            let dimensions = [(names[0], c), (names[1], y), (names[2], x)];
            made.array(format, "1", (data_type, "0"), &dimensions, &[], None);
        };
        finds(
            &of(&|made| second(made, "int16", [2, 4, 4])),
            "type",
            "note ome-resolutions|the level \"1\" is of int16, \"0\" of uint8",
        );
        finds(
            &of(&|made| second(made, "uint8", [1, 4, 4])),
            "channels",
            "note ome-resolutions|\"1\" with 1 for the axis \"c\", 2 in \"0\"",
        );
        let told = of(&|made| second(made, "uint8", [2, 2, 9])).found(Wanted::default());
        let larger = |line: &String| {
            line.contains("warning ome-res")
                && line.contains("with 9 for the axis \"x\", 8 in \"0\"")
        };
        assert!(told.iter().any(larger), "{told:?}");
        let channel =
            r#"{"color": "00FF00", "window": {"min": 0, "max": 1, "start": 0, "end": 1}}"#;
        for (count, is_told) in [(1, true), (2, false), (3, true)] {
            let omero =
                format!(r#", "omero": {{"channels": [{}]}}"#, vec![channel; count].join(", "));
            let made = of(&|made| {
                made.group(format, "", &attributes(format, &multiscales(format), &omero));
            });
            if is_told {
                finds(
                    &made,
                    "omero",
                    &format!("note ome-axes|omero describes {count} channel|expected 2"),
                );
            } else {
                assert_eq!(made.found(Wanted::default()), Vec::<String>::new());
            }
        }
        let zero = multiscales(format).replacen("[1, 2, 2.0]", "[1, 0, 2.0]", 1);
        let made = of(&|made| made.group(format, "", &attributes(format, &zero, "")));
        finds(&made, "zero", "warning ome-transformations|a scale of 0");
    }
}

/// Metadata in a place or a form in which no reader finds it.
#[test]
fn metadata_in_the_wrong_place_is_told() {
    for format in [2, 3] {
        let right = attributes(format, &multiscales(format), "");
        let at = |text: &str| {
            let mut made = Made::default();
            image(&mut made, format, "");
            made.group(format, "", text);
            made
        };
        assert_eq!(at(&right).found(Wanted::default()), Vec::<String>::new());
        finds(
            &at(&format!(r#"{{"attributes": {right}}}"#)),
            "twice",
            "warning ome-format|inside the attributes",
        );
        let typo = right.replacen("\"multiscales\"", "\"multiscale\"", 1);
        finds(&at(&typo), "typo", "warning ome-format|\"multiscale\"|the name \"multiscales\"");
        let parsed = Json::parse_str(&right).unwrap();
        let member = if format == 2 { "multiscales" } else { "ome" };
        let text = format!("{{{member:?}: {:?}}}", parsed.get(member).unwrap().to_string());
        finds(&at(&text), "text", "warning ome-format|as a string that holds JSON");
    }
    let bare = format!(r#"{{"version": "0.5", "multiscales": [{}]}}"#, multiscales(3));
    let mut made = Made::default();
    image(&mut made, 3, "");
    made.group(3, "", &bare);
    finds(&made, "bare", "warning ome-format|0.5 directly among the attributes");
    let beside =
        attributes(3, &multiscales(3), "").replacen('{', "{\"omero\": {\"channels\": []}, ", 1);
    made.group(3, "", &beside);
    finds(&made, "beside", "warning ome-format|\"omero\" beside \"ome\"");
    let mut made = Made::default();
    image(&mut made, 2, "");
    made.group(2, "", &format!(r#"{{"multiscales": {}}}"#, multiscales(2)));
    finds(&made, "object", "warning ome-format|as one object");
}

/// Images in a folder and in no list, which readers do not open.
#[test]
fn lists_of_images_are_complete() {
    for format in [2, 3] {
        let mut made = with_labels(format);
        image(&mut made, format, "labels/nuclei");
        let label = attributes(format, &multiscales(format), r#", "image-label": {}"#);
        made.group(format, "labels/nuclei", &label);
        finds(&made, "label", "labels: note ome-label|the image \"nuclei\" is not in the list");
        let mut made = plate(format);
        image(&mut made, format, "B/2/7");
        finds(&made, "image", "B/2: note ome-plate|the image \"7\" is not in the list");
    }
}

#[test]
fn axes_are_ordered_by_their_type() {
    let axes = AXES
        .replacen(r#"{"name": "c", "type": "channel"}, "#, "", 1)
        .replace(']', r#", {"name": "c", "type": "channel"}]"#);
    let mut made = Made::default();
    image(&mut made, 2, "");
    made.group(2, "", &attributes(2, &multiscales(2).replace(AXES, &axes), ""));
    finds(&made, "order", "warning ome-axes|the axes in the order \"y\", \"x\", \"c\"");
}

#[test]
fn names_versions_and_formats_fit() {
    let mut made = Made::default();
    image(&mut made, 3, "");
    made.array(3, "1", ("uint8", "0"), &[("c", 2), ("x", 4), ("y", 4)], &[], None);
    finds(&made, "names", "warning ome-dimension-names|\"c\", \"x\", \"y\"");
    made.array(3, "1", ("uint8", "0"), &[("", 2), ("", 4), ("", 4)], &[], None);
    finds(&made, "no names", "note ome-dimension-names|0.5.2");
    let mut made = Made::default();
    image(&mut made, 3, "");
    made.group(3, "", &attributes(2, &multiscales(2), ""));
    finds(&made, "0.4 in V3", "warning ome-format|0.4 in a Zarr V3 group");
    made.group(3, "", &attributes(3, &multiscales(3), "").replace(r#""version": "0.5", "#, ""));
    finds(&made, "no version", "warning ome-version|nothing");
    made.group(3, "", &attributes(3, "{}", "").replace("0.5", "0.7"));
    finds(&made, "a later version", "limit ome-version-not-checked|\"0.7\"");
    let mut made = Made::default();
    image(&mut made, 2, "");
    made.group(2, "", &attributes(3, &multiscales(3), ""));
    finds(&made, "0.5 in V2", "warning ome-format|0.5 in a Zarr V2 group");
    // Others have lists of this name.
    made.group(2, "", r#"{"multiscales": [{"datasets": [{"path": "7"}], "type": "reduce"}]}"#);
    assert_eq!(made.found(Wanted::default()), Vec::<String>::new());
}

#[test]
fn what_readers_of_ome_refuse_is_told() {
    let broken = |format: u8, path: &str, from: &str, to: &str| {
        let mut made = with_labels(format);
        let file = if format == 2 { ".zattrs" } else { "zarr.json" };
        let file = if path.is_empty() { file.to_owned() } else { format!("{path}/{file}") };
        let text = String::from_utf8(made.0.remove(&file).unwrap()).unwrap();
        assert!(text.contains(from), "{file} has no {from}: {text}");
        made.0.insert(file, text.replacen(from, to, 1).into());
        made
    };
    let tells = |made: &Made, words: &str| {
        let found = made.found(Wanted::default());
        let has = |line: &String| words.split('|').all(|word| line.contains(word));
        assert!(found.iter().any(has), "{words}: {found:#?}");
    };
    for format in [2, 3] {
        let same = broken(format, "", r#""path": "1""#, r#""path": "0""#);
        tells(&same, "ome-member|datasets");
        let typed = broken(format, "", r#""axes""#, r#""type": 7, "axes""#);
        tells(&typed, "ome-member|type is the number 7");
        let text = broken(format, "labels", r#"["cells"]"#, r#"["cells", 7]"#);
        tells(&text, "ome-member|labels[1]");
    }
    let text = broken(3, "", r#""ome": {"#, r#""ome": "text", "other": {"#);
    tells(&text, "ome-format|\"ome\" as the string");
    let bare = broken(3, "labels", r#""labels": ["#, r#""others": ["#);
    tells(&bare, "ome-format|\"ome\" without contents");
}

#[test]
fn faults_of_labels_are_told() {
    for format in [2, 3] {
        let of = |change: &dyn Fn(&mut Made)| {
            let mut made = with_labels(format);
            change(&mut made);
            made
        };
        let lost = of(&|made| {
            let members = ome(format, r#""labels": ["cells", "nuclei"]"#);
            made.group(format, "labels", &members);
        });
        finds(&lost, "lost", "warning ome-path|labels[1]|\"nuclei\", where there is no group");
        let floats = of(&|made| {
            let names = if format == 2 { ["", "", ""] } else { ["c", "y", "x"] };
            let dimensions = [(names[0], 2), (names[1], 8), (names[2], 8)];
            made.array(format, "labels/cells/0", ("float32", "0.0"), &dimensions, &[], None);
            let dimensions = [(names[0], 2), (names[1], 4), (names[2], 4)];
            made.array(format, "labels/cells/1", ("float32", "0.0"), &dimensions, &[], None);
        });
        finds(&floats, "floats", "warning ome-label|an array of float32");
        let label = |label: &str| {
            let label = format!(r#", "image-label": {label}"#);
            of(&|made| {
                let members = attributes(format, &multiscales(format), &label);
                made.group(format, "labels/cells", &members);
            })
        };
        let rgba = r#"{"colors": [{"label-value": 1, "rgba": [0, 0, 256, 1]}]}"#;
        finds(&label(rgba), "rgba", "warning ome-member|rgba");
        let twice = r#"{"colors": [{"label-value": 1}, {"label-value": 1}]}"#;
        finds(&label(twice), "twice", "warning ome-member|the number 1 twice");
        finds(&label(r#"{"source": {"image": "../x"}}"#), "source", "warning ome-path|\"../x\"");
        let levels = of(&|made| {
            let one = multiscales(format).replace(&format!(", {}", level("1", "[1, 2, 2.0]")), "");
            made.group(format, "labels/cells", &attributes(format, &one, ""));
        });
        finds(&levels, "levels", "note ome-label|1 level;|2, as many");
        let scale = of(&|made| {
            let one = multiscales(format).replace(&format!(", {}", level("1", "[1, 2, 2.0]")), "");
            made.group(format, "labels/cells", &attributes(format, &one, ""));
            let names = if format == 2 { ["", "", ""] } else { ["c", "y", "x"] };
            let dimensions = [(names[0], 2), (names[1], 4), (names[2], 4)];
            made.array(format, "labels/cells/0", ("uint8", "0"), &dimensions, &[], None);
        });
        finds(&scale, "scale", "warning ome-label|cover 4 along|the shape of level \"1\"");
    }
    let mut made = with_labels(3);
    made.group(3, "labels", "{}");
    finds(&made, "unlisted", "warning ome-label|without a list of them");
}

#[test]
fn faults_of_plates_and_wells_are_told() {
    let cases = [
        (r#""rowIndex": 1"#, r#""rowIndex": 0"#, "warning ome-plate|rowIndex 0, which is \"A\""),
        (
            r#""columnIndex": 1"#,
            r#""columnIndex": 2"#,
            "warning ome-plate|columnIndex 2, of 2 columns",
        ),
        (r#""rowIndex": 1, "#, "", "warning ome-member|rowIndex|nothing"),
        (r#"{"name": "A"}"#, r#"{"name": "A 1"}"#, "warning ome-member|letters and digits"),
        (r#"{"name": "A"}"#, r#"{"name": "B"}"#, "warning ome-member|\"B\" twice"),
        (r#"{"id": 0}"#, r#"{"id": 1}"#, "warning ome-plate|the number 0"),
        (r#"{"path": "B/2", "#, r#"{"path": "B/2/x", "#, "warning ome-member|a slash"),
    ];
    for format in [2, 3] {
        for (good, bad, told) in cases {
            let mut made = plate(format);
            made.group(format, "", &ome(format, &PLATE.replacen(good, bad, 1)));
            let lines = made.found(Wanted::default());
            let is_told = |line: &&String| told.split('|').all(|part| line.contains(part));
            assert!(lines.iter().find(is_told).is_some(), "V{format} {bad}: {lines:#?}");
        }
        let mut made = plate(format);
        made.group(format, "B/2", "{}");
        finds(&made, "no well", "warning ome-path|a group without a well");
        let mut made = plate(format);
        made.group(format, "B/2", &ome(format, r#""well": {"images": [{"path": "7"}]}"#));
        finds(&made, "no image", "warning ome-path|well.images[0].path|\"7\"");
        let mut made = plate(format);
        let several = PLATE.replace(r#"{"id": 0}"#, r#"{"id": 0}, {"id": 1}"#);
        made.group(format, "", &ome(format, &several));
        made.group(format, "B/2", &ome(format, r#""well": {"images": [{"path": "0"}]}"#));
        finds(&made, "which one", "warning ome-plate|several");
    }
}

#[test]
fn collections_of_images_are_complete() {
    for format in [2, 3] {
        let mut made = Made::default();
        made.group(format, "", &ome(format, r#""bioformats2raw.layout": 3"#));
        finds(&made, "no image", "warning ome-path|no image \"0\"");
        image(&mut made, format, "0");
        assert_eq!(made.found(Wanted::default()), Vec::<String>::new());
        made.group(format, "OME", &ome(format, r#""series": ["0", "1"]"#));
        let lines = made.found(Wanted::default());
        assert!(lines.iter().all(|line| line.contains("series[1]")), "{lines:#?}");
    }
}

/// The inspector shows at a node what concerns it.
#[test]
fn a_node_alone_is_told_what_concerns_it() {
    let mut made = dataset(3);
    sst(&mut made, 3, &[("coordinates", "\"nowhere\"")]);
    time(&mut made, 3, &[0, 1, 2], &[]);
    let folder = crate::scratch();
    made.write(folder.path());
    let (hierarchy, _) = Hierarchy::open(folder.path()).unwrap();
    let codes = |path: &str| {
        let node = hierarchy.node(&NodePath(path.into()));
        let found = of_node(&hierarchy, &node, Wanted::default());
        found.iter().map(|problem| problem.error.code.as_str()).collect::<Vec<_>>()
    };
    assert_eq!(codes(""), ["cf-dimensions"]);
    assert_eq!(codes("sst"), ["cf-reference"]);
    assert_eq!(codes("lat"), Vec::<&str>::new());
}

/// Every finding of a convention has its place in the document.
#[test]
fn findings_point_into_the_document() {
    let mut made = Made::default();
    image(&mut made, 3, "");
    let document =
        attributes(3, &multiscales(3), "").replace(r#""path": "1""#, r#""path": "gone""#);
    made.group(3, "", &document);
    let folder = crate::scratch();
    made.write(folder.path());
    let (hierarchy, _) = Hierarchy::open(folder.path()).unwrap();
    let node = hierarchy.node(&NodePath::default());
    let found = of_node(&hierarchy, &node, Wanted::default());
    let place = &found[0].error.place;
    assert_eq!(place.field.as_deref(), Some("attributes.ome.multiscales[0].datasets[1].path"));
    let bytes = &made.0["zarr.json"];
    let at = usize::try_from(place.offset.unwrap()).unwrap();
    assert!(bytes[at..].starts_with(b"\"gone\""));
    assert_eq!(Convention::of(found[0].error.code), Some(Convention::Ome));
    assert!(Json::parse(bytes).is_ok());
}

/// Four observations of three variables as anndata 0.13.4 writes them, the texts left out; `change` makes the fault.
fn anndata(format: u8, change: &[(&str, &str)]) -> Made {
    let mut texts: BTreeMap<&str, &str> = BTreeMap::from([
        ("", r#"{"encoding-type": "anndata"}"#),
        ("obs", r#"{"encoding-type": "dataframe", "_index": "id", "column-order": ["type"]}"#),
        ("var", r#"{"encoding-type": "dataframe", "_index": "id", "column-order": []}"#),
        ("obs/type", r#"{"encoding-type": "categorical", "ordered": false}"#),
        ("X", r#"{"encoding-type": "csr_matrix", "shape": [4, 3]}"#),
        ("obsm", r#"{"encoding-type": "dict"}"#),
        ("obs/id", "0 1 2 3"),
        ("var/id", "0 1 2"),
        ("obs/type/codes", "0 1 -1 1"),
        ("obs/type/categories", "7 8"),
        ("X/indptr", "0 2 2 3 5"),
        ("X/indices", "0 2 1 0 1"),
        ("X/data", "1 2 3 4 5"),
        ("obsm/pca", "1 2 3 4"),
    ]);
    texts.extend(change.iter().copied());
    let mut made = Made::default();
    for (path, text) in texts {
        if text.starts_with('{') {
            made.group(format, path, text);
        } else if !text.is_empty() {
            let values: Vec<i64> = text.split(' ').map(|value| value.parse().unwrap()).collect();
            let dimensions = [("", values.len() as u64)];
            made.array(format, path, ("int64", "0"), &dimensions, &[], Some(int64(&values)));
        }
    }
    made
}

/// A change of the store, and what is told of it.
const ANNDATA_FAULTS: &[(&str, &str, &str)] = &[
    (
        "obs/type/codes",
        "0 1 2 1",
        "obs/type/codes: warning anndata-categories|1 of 4 values in \"codes\" is out of range|the categories|has 2; the first is 2 at [2]|anndata 0.13.4 raises ValueError",
    ),
    ("obs/type/codes", "0 1 -2 1", "anndata-categories|-2"),
    (
        "obs/type/categories",
        "7 7",
        "obs/type/categories: warning anndata-categories|7 at [0] and again at [1]|raises ValueError",
    ),
    (
        "obs",
        r#"{"encoding-type": "dataframe", "_index": "id", "column-order": []}"#,
        "obs: note anndata-table|\"type\", which is not in column-order",
    ),
    (
        "obs",
        r#"{"encoding-type": "dataframe", "_index": "id", "column-order": ["Type"]}"#,
        "obs: warning anndata-table|\"Type\"|Likely meant: \"type\"",
    ),
    (
        "obs",
        r#"{"encoding-type": "dataframe", "column-order": ["type"]}"#,
        "obs: warning anndata-table|_index|raises KeyError",
    ),
    ("X", r#"{"shape": [4, 3]}"#, "warning anndata-encoding|\"X\", a group without"),
    (
        "X",
        r#"{"encoding-type": "csc_matrix", "shape": [3, 4]}"#,
        "anndata-table|\"X\" of shape [3,4]",
    ),
    (
        "obs/type/codes",
        "0 1 1",
        "obs: warning anndata-table|\"type\" of 3 values|4, as the index has",
    ),
    ("obs/type", "", "obs: warning anndata-table|\"type\", which is no column|raises KeyError"),
    (
        "obs",
        r#"{"encoding-type": "dataframe", "_index": "id", "column-order": ["type", "a+b"]}"#,
        "obs: warning anndata-table|\"a+b\", which is no column",
    ),
    ("X/indptr", "0 2 1 3 5", "X/indptr: warning anndata-sparse|decreases after [1], from 2 to 1"),
    (
        "X/indptr",
        "0 2 2 3 6",
        "anndata-sparse|ends at 6, and \"X/indices\" has 5 elements|raises ValueError",
    ),
    ("X/indptr", "0 2 2 3 4", "anndata-sparse|ends at 4|leaves out the rest"),
    ("X/indptr", "1 2 2 3 5", "X/indptr: warning anndata-sparse|begins at 1"),
    ("X/indptr", "0 2 2 5", "X: warning anndata-sparse|indptr of 4 elements|5 elements"),
    (
        "X/indices",
        "0 2 1 0 3",
        "X/indices: warning anndata-sparse|1 of 5 values|the columns, and \"X\" has 3; the first is 3 at [4]",
    ),
    ("X/data", "1 2 3 4", "X: warning anndata-sparse|5 indices, 4 data"),
    ("X/data", "", "X: error anndata-sparse|without \"X/data\"|raises KeyError"),
    (
        "obs/id",
        "0 1 0 1",
        "obs/id: warning anndata-table|2 names for the 4 rows of \"obs\", each twice, from [2] on",
    ),
    ("var/id", "0 1 0", "var/id: note anndata-table|2 names for the 3 rows|again at [2]: 0"),
    (
        "obsm/pca",
        "1 2 3",
        "warning anndata-table|\"obsm/pca\" of shape [3]|4 rows|raises ValueError",
    ),
    (
        "var/id",
        "0 1",
        "warning anndata-table|\"X\" of shape [4,3]|4 × 2, the lengths of obs and var",
    ),
];

#[test]
fn parts_of_anndata_fit_together() {
    for format in [2, 3] {
        assert_eq!(anndata(format, &[]).found(Wanted::default()), Vec::<String>::new());
        for (path, text, told) in ANNDATA_FAULTS {
            let mut made = anndata(format, &[(path, text)]);
            if text.is_empty() {
                made.0.retain(|key, _| !key.starts_with(path));
            }
            finds(&made, path, told);
            assert_eq!(made.found(Wanted::only(&[])), Vec::<String>::new());
            // The same members without the claim are nobody's.
            for bytes in made.0.values_mut() {
                let text = String::from_utf8_lossy(bytes).replace("encoding-type", "encoded-type");
                if text.starts_with('{') {
                    *bytes = text.into_bytes();
                }
            }
            assert_eq!(made.found(Wanted::default()), Vec::<String>::new());
        }
    }
}

const SPATIAL: &str = "689b58e2-cf7b-45e0-9fff-9cfc0883d6b4";
const PROJ: &str = "f17cb550-5864-4468-aeb7-f3180cfb622f";
const MULTISCALES: &str = "d35379db-88df-4056-af3a-620245f8e347";

/// A list of conventions by their UUIDs.
fn declared(uuids: &[&str]) -> String {
    let items = uuids.iter().map(|uuid| format!("{{\"uuid\": {uuid:?}}}"));
    format!("[{}]", items.collect::<Vec<_>>().join(", "))
}

/// A raster that declares proj: and spatial:, with some members otherwise; of none, the member is left out.
fn raster(changes: Members<'_>) -> Made {
    let conventions = declared(&[SPATIAL, PROJ]);
    let mut members = vec![
        ("zarr_conventions", conventions.as_str()),
        ("proj:code", "\"EPSG:32633\""),
        ("spatial:dimensions", "[\"y\", \"x\"]"),
        ("spatial:transform", "[10, 0, 500000, 0, -10, 5000000]"),
        ("spatial:shape", "[8, 12]"),
        ("spatial:bbox", "[500000, 4999920, 500120, 5000000]"),
    ];
    for (name, json) in changes {
        members.retain(|(known, _)| known != name);
        members.extend((!json.is_empty()).then_some((*name, *json)));
    }
    let mut made = Made::default();
    let values = (0..96).collect();
    made.array(3, "", ("uint8", "0"), &[("y", 8), ("x", 12)], &members, Some(values));
    made
}

#[test]
fn rasters_are_where_zarr_conventions_place_them() {
    let other = declared(&["11111111-5864-4468-aeb7-f3180cfb622f", PROJ, SPATIAL]);
    let misspelled = declared(&[PROJ, SPATIAL]).replace("d6b4\"", "d6b5\", \"name\": \"spatial\"");
    let without = declared(&[PROJ]);
    let url = "https://raw.githubusercontent.com/zarr-conventions/spatial/refs/tags/v1/schema.json";
    let by_url = declared(&[PROJ, SPATIAL])
        .replace(&format!("\"uuid\": {SPATIAL:?}"), &format!("\"schema_url\": {url:?}"));
    for (name, json, told) in [
        (
            "spatial:transform",
            "[500000, 10, 0, 5000000, 0, -10]",
            "needs [10,0,500000,0,-10,5000000]|GetGeoTransform",
        ),
        ("spatial:transform", "[10, 0, 500000, 0, 0, 5000000]", "every cell has an area"),
        ("spatial:transform", "[10, 0, 500000]", "a list of 6 to 9"),
        (
            "spatial:bbox",
            "[4999920, 500000, 5000000, 500120]",
            "spatial:bbox is|contradict each other",
        ),
        ("spatial:dimensions", "[\"lat\", \"x\"]", "spatial:dimensions is \"lat\""),
        ("spatial:dimensions", "", "spatial:dimensions is missing"),
        ("proj:code", "\"32633\"", "such as \"EPSG:4326\""),
        ("proj:code", "", "no coordinate reference system"),
        ("zarr_conventions", &misspelled, "the UUID of \"spatial\""),
        ("zarr_conventions", &other, "note zarr-convention|is not checked by zarrscope"),
        ("zarr_conventions", &without, "note zarr-convention|\"spatial:dimensions\" without"),
    ] {
        finds(&raster(&[(name, json)]), json, &format!("zarr-convention|{told}"));
    }
    // Those that are asked for are judged, and no others.
    let wrong = raster(&[("proj:code", "\"32633\"")]);
    assert_eq!(wrong.found(Wanted::only(&[Convention::Zarr])).len(), 1);
    assert_eq!(wrong.found(Wanted::only(&[Convention::Cf])), Vec::<String>::new());
    let centres = ("spatial:bbox", "[500005, 4999925, 500115, 4999995]");
    let pixel = ("spatial:registration", "\"pixel\"");
    finds(&raster(&[centres, pixel]), "centres", "spatial:bbox is|half a cell too small");
    assert_eq!(raster(&[centres]).found(Wanted::default()), Vec::<String>::new());
    let swapped = raster(&[("spatial:shape", "[12, 8]"), ("spatial:bbox", "")]);
    finds(&swapped, "shape", "spatial:shape is [12,8]; the convention needs [8,12]");
    for healthy in [
        &[][..],
        &[("proj:code", "\"IAU_2015:30100\"")],
        &[("proj:code", ""), ("proj:wkt2", "\"GEOGCRS[]\"")],
        &[
            ("spatial:registration", "\"node\""),
            ("spatial:bbox", "[500000, 4999930, 500110, 5000000]"),
        ],
        &[("spatial:transform", "[10, 0, 500000, 0, 10, 4999920]")],
        &[("spatial:transform", "[7, 7, 500000, 7, -7, 5000000]"), ("spatial:bbox", "")],
        &[("zarr_conventions", &by_url)],
    ] {
        assert_eq!(raster(healthy).found(Wanted::default()), Vec::<String>::new(), "{healthy:?}");
    }
}

#[test]
fn coordinates_are_where_the_transform_of_their_group_places_them() {
    let placed = |start: f64, members: &str| {
        let mut made = Made::default();
        let attributes = format!(
            "{{\"zarr_conventions\": {}, \"spatial:dimensions\": [\"y\", \"x\"], {members}
                \"spatial:transform\": [10, 0, 500000, 0, -10, 5000000]}}",
            declared(&[SPATIAL])
        );
        made.group(3, "", &attributes);
        let values = (0..12).flat_map(|n| (start + f64::from(n) * 10.0).to_le_bytes()).collect();
        made.array(3, "x", ("float64", "0"), &[("x", 12)], &[], Some(values));
        made
    };
    finds(
        &placed(400_005.0, ""),
        "moved",
        "warning zarr-convention|from 400005 to 400115|500005 to 500115",
    );
    for (start, members) in
        [(500_005.0, ""), (500_000.0, ""), (500_000.0, "\"spatial:registration\": \"node\",")]
    {
        let found = placed(start, members).found(Wanted::default());
        assert_eq!(found, Vec::<String>::new(), "{start} {members}");
    }
}

#[test]
fn levels_are_as_zarr_conventions_derive_them() {
    let levels = |from: &str, to: &str, is_nested: bool| {
        let layout = r#"{"asset": "0", "spatial:shape": [16, 25]},
            {"asset": "1", "derived_from": "0", "transform": {"scale": [2, 2]}, "spatial:shape": [8, 13]}"#;
        assert!(layout.contains(from), "{from}");
        let layout = layout.replace(from, to);
        let mut made = Made::default();
        let conventions = declared(&[MULTISCALES]);
        let members = [
            ("zarr_conventions", &*conventions),
            ("multiscales", &format!("{{\"layout\": [{layout}]}}")),
        ];
        made.group(3, "", &object(&members));
        for (path, y, x) in [("0", 16, 25), ("1", 8, 13)] {
            let path = if is_nested {
                made.group(3, path, "{}");
                format!("{path}/b")
            } else {
                path.to_owned()
            };
            let dimensions = [("y", y), ("x", x)];
            made.array(
                3,
                &path,
                ("uint8", "0"),
                &dimensions,
                &[],
                Some((0..y * x).map(|n| n.to_le_bytes()[0]).collect()),
            );
        }
        made
    };
    for is_nested in [false, true] {
        assert_eq!(
            levels("[2, 2]", "[2, 2]", is_nested).found(Wanted::default()),
            Vec::<String>::new()
        );
        for (from, to, told) in [
            ("\"asset\": \"1\"", "\"asset\": \"2\"", "asset is \"2\""),
            ("\"derived_from\": \"0\"", "\"derived_from\": \"full\"", "derived_from is \"full\""),
            ("[2, 2]", "[4, 4]", "scale is [4,4]"),
            ("[8, 13]", "[9, 13]", "spatial:shape is [9,13]"),
            ("\"transform\": {\"scale\": [2, 2]},", "", "transform is nothing"),
        ] {
            finds(&levels(from, to, is_nested), to, &format!("warning zarr-convention|{told}"));
        }
    }
}

#[test]
fn bounds_enclose_their_coordinates() {
    let of = |name: &str, attribute: &str, values: &[f64], cells: &[[f64; 2]], units: &str| {
        let mut made = Made::default();
        made.group(3, "", "{}");
        let count = values.len() as u64;
        let bytes = |numbers: &[f64]| numbers.iter().flat_map(|it| it.to_le_bytes()).collect();
        let attributes = [(attribute, "\"cells\""), ("units", &*format!("{units:?}"))];
        let float = ("float64", "\"NaN\"");
        made.array(3, name, float, &[(name, count)], &attributes, Some(bytes(values)));
        let dimensions = [(name, count), ("bnds", 2)];
        made.array(3, "cells", float, &dimensions, &[], Some(bytes(&cells.concat())));
        made
    };
    let lats: Vec<f64> = (-8..9).map(|n| f64::from(n) * 10.0).collect();
    let around = |below: f64, above: f64| -> Vec<[f64; 2]> {
        lats.iter().map(|lat| [lat - below, lat + above]).collect()
    };
    let reversed: Vec<[f64; 2]> = around(5.0, 5.0).into_iter().rev().collect();
    let mut one = around(5.0, 5.0);
    one[4] = [0.0, 10.0];
    let mut short = around(5.0, 5.0);
    short[4][1] = -37.0;
    for (cells, told) in [
        (
            around(-5.0, 15.0),
            "17 of 17 values|-80 is not within -75 to -65|in the cell before its own",
        ),
        (around(15.0, -5.0), "17 of 17 values|in the cell after its own"),
        (reversed, "16 of 17 values|In reverse order"),
        (one, "1 of 17 values, the first at [4]"),
        (short, "1 cell that does not join the next, the first [4], which ends at -37"),
    ] {
        let made = of("lat", "bounds", &lats, &cells, "degrees_north");
        finds(&made, told, &format!("warning cf-reference|{told}"));
    }
    let mut beyond = around(5.0, 5.0);
    beyond[16][1] = 95.0;
    let mut narrow = around(5.0, 5.0);
    narrow[0][0] = -82.0;
    for (cells, told) in [
        (beyond, "reaches to 95, beyond the pole"),
        (narrow, "has cells 7 and 10 wide at its ends"),
    ] {
        let made = of("lat", "bounds", &lats, &cells, "degrees_north");
        finds(&made, told, &format!("note cf-reference|{told}"));
    }
    let flat = of("lat", "bounds", &lats, &around(0.0, 0.0), "degrees_north");
    finds(&flat, "no width", "note cf-reference|each cell at one place");
    let mut to_pole = around(5.0, 5.0);
    to_pole[0][0] = -90.0;
    // In the middle or not, either end first, with a gap, rounded, and of a climatology.
    let turned: Vec<[f64; 2]> = around(5.0, 5.0).iter().map(|[a, b]| [*b, *a]).collect();
    for (attribute, cells) in [
        ("bounds", around(5.0, 5.0)),
        ("bounds", around(3.0, 7.0)),
        ("bounds", around(-1e-6, 10.0)),
        ("bounds", around(1.0, 1.0)),
        ("bounds", to_pole),
        ("bounds", turned),
        ("climatology", around(-5.0, 15.0)),
    ] {
        let made = of("lat", attribute, &lats, &cells, "degrees_north");
        assert_eq!(made.found(Wanted::default()), Vec::<String>::new(), "{attribute} {cells:?}");
    }
    let lons: Vec<f64> = (0..12).map(|n| f64::from(n) * 30.0).collect();
    let west = |lon: &f64| if *lon > 180.0 { lon - 360.0 } else { *lon };
    let across: Vec<[f64; 2]> = lons.iter().map(|it| [(it + 345.0) % 360.0, it + 15.0]).collect();
    let beyond: Vec<[f64; 2]> = lons.iter().map(|it| [it - 15.0, it + 15.0]).collect();
    let wests: Vec<f64> = lons.iter().map(west).collect();
    for (values, cells) in [(&lons, &across), (&wests, &beyond)] {
        let made = of("lon", "bounds", values, cells, "degrees_east");
        let found = made.found(Wanted::default());
        let is_told =
            |line: &String| ["enclose", "join", "ends"].iter().any(|it| line.contains(it));
        assert!(!found.iter().any(is_told), "{found:?}");
    }
    let mut clipped = beyond.clone();
    clipped[0][0] = 0.0;
    clipped[11][1] = 360.0;
    let made = of("lon", "bounds", &lons, &clipped, "degrees_east");
    finds(
        &made,
        "clipped",
        "note cf-reference|has cells 15 and 45 wide at its ends, and 30 elsewhere",
    );
    let twice: Vec<f64> = lons.iter().copied().chain([360.0]).collect();
    let cells: Vec<[f64; 2]> = twice.iter().map(|it| [it - 15.0, it + 15.0]).collect();
    let made = of("lon", "bounds", &twice, &cells, "degrees_east");
    finds(&made, "twice", "note cf-reference|covers 390 degrees: 0 and 360 are one meridian");
}

#[test]
fn bounds_of_terms_enclose_these() {
    let of = |is_reversed: bool| {
        let mut made = Made::default();
        made.group(3, "", "{}");
        let float = ("float64", "\"NaN\"");
        let levels: Vec<f64> = (0..10).map(|n| 0.95 - f64::from(n) * 0.1).collect();
        let mut cells: Vec<[f64; 2]> = levels.iter().map(|it| [it + 0.05, it - 0.05]).collect();
        let mut array = |name: &str, cells: &[f64], terms: &str| {
            let attributes = [("formula_terms", terms), ("bounds", "\"lev_bnds\"")];
            let dimensions = [("lev", 10), ("bnds", 2)];
            let bytes = Some(float64(cells));
            let dimensions = &dimensions[..cells.len() / 10];
            let members = if terms.is_empty() { &[][..] } else { &attributes };
            made.array(
                3,
                name,
                float,
                dimensions,
                &members[..members.len().min(3 - dimensions.len())],
                bytes,
            );
        };
        array("lev", &levels, "\"b: b\"");
        array("b", &levels, "");
        array("lev_bnds", &cells.concat(), "\"b: b_bnds\"");
        if is_reversed {
            cells.reverse();
        }
        array("b_bnds", &cells.concat(), "");
        made
    };
    let told = "lev: warning cf-reference|\"b_bnds\" does not enclose 10 of 10|In reverse order";
    finds(&of(true), "reversed", told);
    let found = of(false).found(Wanted::default()).join("");
    assert!(!found.contains("enclose"), "{found}");
}

/// The attributes of a variable of eight numbers and these numbers: with a fault, without it, and what is told.
#[test]
fn words_of_cf_agree_with_each_other() {
    let name = |name: &'static str| ("standard_name", name);
    let units = |units: &'static str| ("units", units);
    let (air, k) = (name("\"air_temperature\""), units("\"K\""));
    let warm = [270.0, 271.0, 274.0, 280.0, 290.0, 285.0, 300.0, 279.0];
    let deep = [1.0, 5.0, 10.0, 20.0, 30.0, 50.0, 75.0, 100.0];
    let (degrees, one) = (units("\"degrees_north\""), units("\"1\""));
    let lats = [-80.0, -57.5, -35.0, -12.5, 10.0, 32.5, 55.0, 77.5];
    let lons = [0.0, 45.0, 90.0, 135.0, 180.0, 225.0, 270.0, 315.0];
    let radians = |values: [f64; 8]| values.map(f64::to_radians);
    let depth = name("\"depth\"");
    let ndvi = name("\"normalized_difference_vegetation_index\"");
    let green = [0.1, 0.2, 0.5, 0.8, 0.7, 0.3, -0.1, 0.4];
    let hours = [0.0, 6.0, 12.0, 18.0, 24.0, 30.0, 36.0, 42.0];
    let period = [name("\"forecast_period\""), units("\"hours\"")];
    let co2 = [name("\"mole_fraction_of_carbon_dioxide_in_air\""), units("\"mol mol-1\"")];
    let ppm = [400.0, 410.0, 405.0, 401.0, 399.0, 420.0, 415.0, 403.0];
    let crs = ("grid_mapping_name", "\"latitude_longitude\"");
    let salinity = name("\"sea_water_practical_salinity\"");
    let salts = [33.0, 34.0, 35.0, 36.0, 37.0, 32.0, 31.0, 35.5];
    let hybrid = name("\"atmosphere_hybrid_sigma_pressure_coordinate\"");
    let lambert = ("grid_mapping_name", "\"lambert_conformal_conic\"");
    let cases: &[(Side<'_>, Side<'_>, &str)] = &[
        (
            (&[lambert, ("latitude_of_projection_origin", "40.0")], warm),
            (&[lambert], warm),
            "warning cf-reference|there is no standard_parallel",
        ),
        (
            (&[air, units("\"m s-1\"")], warm),
            (&[air, k], warm),
            "warning cf-units|those of a speed",
        ),
        (
            (&[name("\"sea_ice_velocity\""), units("\"degree\"")], warm),
            (&[name("\"direction_of_sea_ice_velocity\""), units("\"degree\"")], warm),
            "warning cf-units|those of an angle",
        ),
        (
            (&[name("\"mean_wind_speed\""), units("\"m2 s-2\"")], warm),
            (&[name("\"square_of_eastward_wind\""), units("\"m2 s-2\"")], warm),
            "warning cf-units|those of a geopotential",
        ),
        (
            (&[name("\"precipitation_flux\""), units("\"mm\"")], green.map(f64::abs)),
            (&[name("\"precipitation_flux\""), units("\"mm day-1\"")], green.map(f64::abs)),
            "note cf-units|those of a length",
        ),
        (
            (&[name("\"air_temprature\""), k], warm),
            (&[air, k], warm),
            "note cf-attribute|\"air_temperature\"",
        ),
        (
            (&[("valid_range", "[400, 100]")], warm),
            (&[("valid_range", "[100, 400]")], warm),
            "warning cf-value-range|above",
        ),
        (
            (&[("valid_range", "[400, 100]")], warm),
            (&[("valid_range", "[0, -6]"), ("_Unsigned", "\"true\"")], warm),
            "warning cf-value-range|above",
        ),
        (
            (&[("valid_range", "\"100 400\"")], warm),
            (&[("valid_min", "[100]")], warm),
            "note cf-attribute|a list of 2",
        ),
        (
            (&[("flag_masks", "[0, 1]"), ("scale_factor", "1.0")], green),
            (&[("flag_masks", "[1, 2]"), ("scale_factor", "1.0")], green),
            "note cf-attribute|none of which is 0",
        ),
        (
            (&[("positive", "\"downward\"")], deep),
            (&[("positive", "\"Down\"")], deep),
            "note cf-attribute|\"up\", \"down\"",
        ),
        (
            (&[degrees, ("axis", "\"X\"")], lats),
            (&[degrees, ("axis", "\"Y\"")], lats),
            "warning cf-attribute|likely meant: \"Y\"",
        ),
        ((&[degrees], radians(lats)), (&[degrees], lats), "warning cf-units|in radians"),
        (
            (&[degrees], radians(lats)),
            (&[degrees], [0.0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4]),
            "in radians",
        ),
        (
            (&[units("\"degrees_east\"")], radians(lons)),
            (&[units("\"degrees_east\"")], lons),
            "warning cf-units|0 to 315 degrees",
        ),
        (
            (&[depth, ("positive", "\"up\"")], deep),
            (&[depth, ("positive", "\"up\"")], deep.map(|it| -it)),
            "warning cf-value-range|CF has \"down\"",
        ),
        (
            (&[ndvi, one], green.map(|it| it * 1e4)),
            (&[ndvi, one], green),
            "warning cf-value-range|-2 to 3",
        ),
        (
            (&period, hours.map(|it| it * 3.6e12)),
            (&period, hours),
            "warning cf-units|\"nanoseconds\"",
        ),
        ((&co2, ppm), (&co2, ppm.map(|it| it * 1e-6)), "warning cf-units|\"1e-6\""),
        (
            (&[("grid_mapping_name", "\"latitude_longtitude\"")], warm),
            (&[crs], warm),
            "warning cf-reference|\"latitude_longitude\"",
        ),
        (
            (&[crs, ("semi_major_axis", "6378.137")], warm),
            (&[crs, ("semi_major_axis", "6378137")], warm),
            "cf-units|kilometres",
        ),
        (
            (&[salinity, ("units", "\"1\"")], salts.map(|it| it / 1e3)),
            (&[salinity, ("units", "\"1\"")], salts),
            "warning cf-units|usual in \"kg kg-1\"",
        ),
        (
            (&[salinity, ("units", "\"1\"")], salts.map(|it| it / 1e3)),
            (&[salinity, ("units", "\"1\"")], [0.0, 0.01, 0.02, 0.03, 0.04, 0.02, 0.01, 0.0]),
            "warning cf-units|usual in \"kg kg-1\"",
        ),
        (
            (&[name("\"ocean_s_coordinate_g2\"")], deep.map(|it| -it / 10.0)),
            (&[name("\"ocean_s_coordinate_g2\"")], deep.map(|it| -it / 100.0)),
            "warning cf-value-range|-1.05 to 0.05",
        ),
        (
            (&[air, units("\"degrees C\"")], green),
            (&[air, units("\"degrees_C\"")], green),
            "warning cf-units|degrees times coulombs|\"degrees_C\"",
        ),
        (
            (&[("flag_masks", "[1, 2]")], green),
            (&[("flag_masks", "[1, 2]"), ("scale_factor", "1.0")], green),
            "warning cf-flags|bits of integers",
        ),
        (
            (&[("cell_methods", "[\"time: mean\"]")], warm),
            (&[("cell_methods", "\"time: mean\"")], warm),
            "note cf-attribute|likely meant: a string",
        ),
        (
            (&[("cell_methods", "\"area: mean (weighted) time: Average\"")], warm),
            (&[("cell_methods", "\"area: time: mean (by average)\"")], warm),
            "note cf-attribute|the word of CF is \"mean\"",
        ),
        (
            (&[hybrid, ("formula_terms", "\"a: lat bb: lat p0: lat\"")], lats),
            (&[hybrid, ("formula_terms", "\"a: lat b: lat p0: lat\"")], lats),
            "warning cf-attribute|has the term \"bb\"",
        ),
        (
            (&[("compress", "\"lat lon\"")], [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 5.0, 6.0]),
            (&[("compress", "\"lat lon\"")], [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 5.0, 0.0]),
            "warning cf-reference|indices from 0 to 6, of the 6 points of lat lon",
        ),
        (
            (&[("scale_factor", "0.5"), ("actual_range", "[270, 300]")], warm),
            (&[("scale_factor", "0.5"), ("actual_range", "[135, 150]")], warm),
            "note cf-value-range|unpacked, they are 135 to 150",
        ),
        (
            (&[("mesh", "\"nowhere\""), ("location", "\"face\"")], warm),
            (&[("mesh", "\"nowhere\"")], warm),
            "warning cf-reference|UGRID",
        ),
    ];
    for format in [2, 3] {
        for ((fault, values), (clean, healthy), told) in cases {
            finds(&numbers(format, fault, *values), told, told);
            let twin = numbers(format, clean, *healthy).found(Wanted::default());
            assert_eq!(twin, Vec::<String>::new(), "{clean:?} {healthy:?}");
        }
    }
}

#[test]
fn grid_mappings_say_a_projection() {
    let of = |attributes: Members<'_>| {
        let mut made = dataset(2);
        sst(&mut made, 2, &[("grid_mapping", "\"crs\"")]);
        made.array(2, "crs", ("int64", "null"), &[], attributes, Some(int64(&[0])));
        made
    };
    let axis = ("semi_major_axis", "6378137.0");
    finds(&of(&[axis]), "axis", "warning cf-reference|neither grid_mapping_name nor crs_wkt");
    for said in [("spatial_ref", "\"PROJCS[]\""), ("epsg_code", "\"EPSG:3035\"")] {
        assert_eq!(of(&[axis, said]).found(Wanted::default()), Vec::<String>::new());
    }
}

#[test]
fn times_are_as_far_apart_as_the_group_says() {
    let of = |members: &str| {
        let mut made = dataset(2);
        made.group(2, "", members);
        made
    };
    let told =
        "warning cf-time-units|time_coverage_resolution is \"P1M\", and the times are a day apart";
    finds(&of(r#"{"time_coverage_resolution": "P1M"}"#), "months", told);
    let day = of(r#"{"time_coverage_resolution": "P1D"}"#);
    assert_eq!(day.found(Wanted::default()), Vec::<String>::new());
}

/// A store of groups, each an object of attributes, and of arrays of integers: their shape, and their attributes behind it.
fn counted(parts: &[(&str, &str)]) -> Made {
    let mut made = Made::default();
    for (path, text) in parts {
        if text.starts_with('{') {
            made.group(2, path, text);
            continue;
        }
        let (values, attributes) = text.split_once('{').unwrap_or((text, ""));
        let values: Vec<i64> =
            values.split_whitespace().map(|value| value.parse().unwrap()).collect();
        let dimensions = [("", values.len() as u64)];
        let attributes = attributes.strip_suffix('}').unwrap_or_default();
        let (name, json) = attributes.split_once(": ").unwrap_or_default();
        let members = [(name.trim_matches('"'), json)];
        let members = if name.is_empty() { &[][..] } else { &members };
        let chunk = Some(int64(&values)).filter(|bytes| !bytes.is_empty());
        made.array(2, path, ("int64", "null"), &dimensions, members, chunk);
    }
    made
}

/// The parts of a store, the part with the fault, and what is told.
type CountedCase<'a> = (&'a [(&'a str, &'a str)], (&'a str, &'a str), &'a str);

/// Variants of two contigs, and a graph of three nodes.
const VARIANTS: &[(&str, &str)] = &[
    ("", "{}"),
    ("contig_id", "5 6"),
    ("contig_length", "5 7"),
    ("variant_contig", "0 0 1"),
    // At the telomere of the second.
    ("variant_position", "3 5 8"),
];
const GRAPH: &[(&str, &str)] = &[
    ("", r#"{"geff": {"node_props_metadata": {"x": {}}, "axes": [{"name": "x"}]}}"#),
    ("nodes", "{}"),
    ("nodes/ids", "4 5 6"),
    ("nodes/props", "{}"),
    ("nodes/props/x", "{}"),
    ("nodes/props/x/values", "1 2 3"),
];

#[test]
fn alleles_are_counted_of_the_samples_that_are_there() {
    let of = |counts: &str| {
        let mut made = counted(&[("", "{}"), ("variant_AN", counts)]);
        made.put("call_genotype", ".zarray", zarray(&[3, 2, 2], "int64", "-1"));
        made.put("call_genotype", "0/0/0", int64(&[0, 1, 0, 0, 1, 1, -1, -1, 0, 0, 0, 1]));
        made
    };
    let told = "variant_AN: warning related-values|2 of 3 counts of alleles are above 4, the most that 2 samples have; the first is 6 at [1]";
    finds(&of("4 6 8"), told, told);
    assert_eq!(of("4 2 4").found(Wanted::default()), Vec::<String>::new());
}

#[test]
fn edges_of_graphs_are_there_once_and_make_the_tracks() {
    let of = |edges: &[i64], meta: &str, tracks: &str| {
        let mut made = counted(GRAPH);
        let meta = format!(r#"{{"geff": {{"directed": true, "track_node_props": {meta}}}}}"#);
        made.group(2, "", &meta);
        made.0.extend(
            counted(&[("edges", "{}"), ("nodes/props/t", "{}"), ("nodes/props/t/values", tracks)])
                .0,
        );
        made.put("edges/ids", ".zarray", zarray(&[edges.len() as u64 / 2, 2], "int64", "null"));
        made.put("edges/ids", "0/0", int64(edges));
        made
    };
    let (tracklet, lineage) = (r#"{"tracklet": "t"}"#, r#"{"lineage": "t"}"#);
    for (edges, meta, tracks) in [
        (&[4, 5, 5, 6][..], tracklet, "1 1 1"),
        // A node that divides begins two.
        (&[4, 5, 4, 6], tracklet, "1 2 3"),
        (&[4, 5, 4, 6], lineage, "1 1 1"),
        (&[4, 5, 5, 4], "null", "1 1 1"),
        (&[4, 5, 5, 6], tracklet, "1 2 -1"),
    ] {
        assert_eq!(of(edges, meta, tracks).found(Wanted::default()), Vec::<String>::new());
    }
    for (edges, meta, tracks, told) in [
        (&[4, 5, 6, 6], "null", "1 1 1", "[1] is an edge from node 6 to itself"),
        (&[4, 5, 4, 5], "null", "1 1 1", "from 4 to 5 is at [0] and again at [1]"),
        (&[4, 5, 4, 6], tracklet, "1 1 1", "[1] from 4 to 6 is a branch within the tracklet 1"),
        (
            &[4, 5, 5, 6],
            tracklet,
            "1 2 1",
            "tracklet 1 of \"nodes/props/t\" has 2 nodes, and 0 edges",
        ),
        (&[4, 5, 5, 6], lineage, "1 1 2", "[1] from 5 to 6 is between two lineages"),
    ] {
        finds(&of(edges, meta, tracks), told, told);
    }
}

#[test]
fn an_index_of_regions_is_that_of_the_chunks() {
    let of = |rows: &[i64]| {
        let mut made = counted(VARIANTS);
        made.put("region_index", ".zarray", zarray(&[rows.len() as u64 / 6, 6], "int64", "null"));
        made.put("region_index", "0/0", int64(rows));
        made
    };
    assert_eq!(
        of(&[0, 0, 3, 5, 6, 2, 0, 1, 8, 8, 8, 1]).found(Wanted::default()),
        Vec::<String>::new()
    );
    for (rows, told) in [
        (
            &[0, 0, 3, 5, 6, 3, 0, 1, 8, 8, 8, 1][..],
            "row [0] says that chunk 0 of variant_position has 3 variants from 3 to 5 of contig 0; it has 2",
        ),
        (&[0, 0, 3, 5, 6, 2], "its rows have 2 variants, and there are 3"),
    ] {
        finds(&of(rows), told, told);
    }
}

#[test]
fn counts_are_those_of_what_is_counted() {
    let rows = "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19";
    let one_less = "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18";
    let table = r#"{"neurodata_type": "DynamicTable", "colnames": ["a"]}"#;
    let index = r#"2 4 {"neurodata_type": "VectorIndex"}"#;
    let station = r#"7 8 9 {"cf_role": "timeseries_id"}"#;
    let categories =
        r#"{"encoding-type": "categorical", "encoding-version": "0.2.0", "ordered": false}"#;
    let series = ("s", r#"{"neurodata_type": "TimeSeries"}"#);
    let cmip = r#"{"Conventions": "CF-1.7 CMIP-6.2", "variable_id": "tas", "variant_label": "r2i1p1f1",
        "realization_index": 2, "initialization_index": 1, "physics_index": 1, "forcing_index": 1}"#;
    let cases: &[CountedCase<'_>] = &[
        (
            &[("", cmip), ("tas", "1 2")],
            ("", &cmip.replace("tas", "tos")),
            "note cf-attribute|variable_id is \"tos\"",
        ),
        (
            &[("", cmip), ("tas", "1 2")],
            ("", &cmip.replace("r2i", "r1i")),
            "warning cf-attribute|variant_label is \"r1i1p1f1\", and the indices say r2i1p1f1",
        ),
        (
            &[("", r#"{"Conventions": "CF-1.8", "featureType": "timeseries"}"#)],
            ("", r#"{"Conventions": "CF-1.8", "featureType": "timeserie"}"#),
            "note cf-attribute|featureType",
        ),
        (
            &[("", "{}"), series, ("s/data", "5 6 7 8"), ("s/timestamps", "1 2 3 4")],
            ("s/timestamps", "3 4 1 2"),
            "warning related-values|\"timestamps\" decreases after [1], from 4 to 1",
        ),
        // The images of a series may be in another file.
        (
            &[("", "{}"), series, ("s/data", ""), ("s/timestamps", "1 2 3 4")],
            ("s/data", "5 6 7"),
            "warning related-values|\"timestamps\" has 4 elements|\"s/data\" 3",
        ),
        (
            &[("", "{}"), ("azimuth", "0 1 2 3"), ("sweep_end_ray_index", "1 3")],
            ("sweep_end_ray_index", "1 4"),
            "warning related-values|the rays|has 4; the first is 4 at [1]",
        ),
        (
            &[("", "{}"), ("contig_id", "5 6"), ("variant_contig", "0 0 1")],
            ("variant_contig", "0 1 2"),
            "warning related-values|the contigs, and \"contig_id\" has 2",
        ),
        (
            &[("", "{}"), ("contig_id", "5 6"), ("variant_contig", "0 0 1")],
            ("variant_contig", "0 -1 1"),
            "warning related-values|the first is -1 at [1]",
        ),
        (VARIANTS, ("variant_position", "3 2 1"), "after [0], from 3 to 2"),
        (
            &[
                ("", r###"{"vcf_header": "##INFO=<ID=SB,Number=1,Type=Integer>"}"###),
                ("variant_SB", "1 2 3"),
            ],
            ("", r###"{"vcf_header": "##INFO=<ID=SB,Number=4,Type=Integer>"}"###),
            "variant_SB: warning related-values|has the shape [3] and no dimension of 4|Number=4",
        ),
        (
            &[
                (
                    "",
                    r#"{"date_created": "2023-08-20T22:16:40Z", "time_coverage_start": "2023-08-20T22:08:08Z"}"#,
                ),
                ("sweep_group_name", "0"),
            ],
            (
                "",
                r#"{"date_created": "2023-08-20T22:16:40Z", "time_coverage_start": "2023-08-21T22:08:08Z"}"#,
            ),
            "sweep_group_name: warning related-values|time_coverage_start is 2023-08-21|before it was measured",
        ),
        (
            &[("", r#"{"proj:shape": [2, 3]}"#), ("y", "0 1"), ("x", "0 1 2")],
            ("", r#"{"proj:shape": [3, 2]}"#),
            "y: warning related-values|proj:shape is [3, 2]|the columns come first",
        ),
        (
            &[
                ("", "{}"),
                ("lat", r#"10 12 14 {"standard_name": "latitude"}"#),
                (
                    "lon",
                    r#"170 172 174 176 178 180 182 184 186 188 190 {"standard_name": "longitude"}"#,
                ),
            ],
            ("lon", r#"170 136 102 68 34 0 -34 -68 -102 -136 -170 {"standard_name": "longitude"}"#),
            "lon: warning related-values|by -34 each, the long way|it would be by 2 each",
        ),
        (
            VARIANTS,
            ("variant_position", "3 5 9"),
            "1 of 3 positions are beyond the end of their contig; the first is 9 at [2], and contig 1 has 7",
        ),
        (
            &[
                ("", "{}"),
                ("sweep_0", "{}"),
                ("sweep_0/sweep_fixed_angle", "-2"),
                ("sweep_0/azimuth", "10 20 30"),
                ("sweep_0/elevation", "-2 -1 -2"),
            ],
            ("sweep_0/sweep_fixed_angle", "358"),
            "sweep_0/sweep_fixed_angle: warning related-values|\"sweep_0\" is 358, and no ray is near to it|Minus 360",
        ),
        (
            &[("", "{}"), ("call_genotype", "0 -1 -2"), ("call_genotype_mask", "0 1 1")],
            ("call_genotype_mask", "0 0 1"),
            "1 of 3 elements of the mask do not fit the genotypes: the first shows -1, which is missing",
        ),
        (
            GRAPH,
            ("nodes/ids", "4 5 5"),
            "nodes/ids: warning related-values|5 at [1] and again at [2]",
        ),
        (
            GRAPH,
            ("nodes/props/x/values", "1 2"),
            "nodes/props/x/values: warning related-values|\"values\" has 2 elements|\"nodes/ids\" 3",
        ),
        (
            GRAPH,
            ("nodes/props/x/missing", "0 0 1"),
            "nodes/ids: warning related-values|\"nodes/props/x\" is an axis, and has missing values",
        ),
        (
            GRAPH,
            ("", r#"{"geff": {"node_props_metadata": {"y": {}}}}"#),
            "describes \"nodes/props/y\", which is not there",
        ),
        (
            &[("", "{}"), ("call_genotype", "0 1"), ("sample_id", "5 6")],
            ("sample_id", "5 5"),
            "[0] and again at [1]",
        ),
        (
            &[
                ("", "{}"),
                ("meta", "{}"),
                ("data", "{}"),
                ("data/action", rows),
                ("meta/episode_ends", "8 20"),
            ],
            ("meta/episode_ends", "8 24"),
            "warning related-values|ends at 24|\"data/action\" has 20",
        ),
        (
            &[("", "{}"), ("images", rows), ("labels", rows)],
            ("labels", one_less),
            "warning related-values|\"labels\" has 19 elements|\"images\" 20",
        ),
        (
            &[("", "{}"), ("station", station)],
            ("station", r#"7 8 8 {"cf_role": "timeseries_id"}"#),
            "[1] and again at [2]",
        ),
        (
            &[("", "{}"), ("t", table), ("t/id", "0 1"), ("t/a", "5 6 7 8"), ("t/a_index", index)],
            ("t/a_index", r#"2 7 {"neurodata_type": "VectorIndex"}"#),
            "t/a_index: warning related-values|ends at 7",
        ),
        (
            &[("", "{}"), ("t", table), ("t/id", "0 1"), ("t/a", "5 6")],
            ("t/a", "5 6 7"),
            "t: warning related-values|3 rows",
        ),
        (
            &[("", "{}"), ("t", table), ("t/id", "0 1"), ("t/a", "5 6")],
            ("t", r#"{"neurodata_type": "DynamicTable", "colnames": ["a", "b"]}"#),
            "t: warning related-values|\"b\"",
        ),
        (
            &[("", "{}"), ("t", table), ("t/id", "0 1"), ("t/a", "5 6")],
            ("t/b", r#"5 6 {"neurodata_type": "VectorData"}"#),
            "t: note related-values|a column \"b\"",
        ),
        (
            &[("", r#"{"encoding-type": "dict", "encoding-version": "0.1.0"}"#)],
            ("", r#"{"encoding-type": "dict", "encoding-version": "0.3.0"}"#),
            "warning anndata-encoding|\"0.3.0\"|IORegistryError",
        ),
        (
            &[("", r#"{"encoding-type": "dict"}"#)],
            ("", r#"{"encoding-type": "csr-matrix"}"#),
            "warning anndata-encoding|\"csr_matrix\"",
        ),
        (
            &[("", categories), ("codes", "0 1"), ("categories", "7 8")],
            ("", r#"{"encoding-type": "categorical"}"#),
            "warning anndata-categories|\"ordered\"|KeyError",
        ),
    ];
    // Elements of all stations in one list, each with the number of its own.
    let stations = |numbers: &[i64]| {
        let mut made = Made::default();
        made.group(3, "", "{}");
        let number = [("instance_dimension", "\"station\"")];
        made.array(3, "lat", ("int64", "0"), &[("station", 2)], &[], Some(int64(&[50, 60])));
        let dimensions = [("obs", numbers.len() as u64)];
        made.array(3, "n", ("int64", "9"), &dimensions, &number, Some(int64(numbers)));
        made
    };
    assert_eq!(stations(&[0, 0, 1, 0]).found(Wanted::default()), Vec::<String>::new());
    let told = "n: warning related-values|1 of 4 values in \"n\" is out of range: they index the instances|has 2; the first is 2 at [2]";
    finds(&stations(&[0, 0, 2, 0]), told, told);
    for (parts, fault, told) in cases {
        let clean = counted(parts);
        assert_eq!(clean.found(Wanted::default()), Vec::<String>::new(), "{told}");
        let mut made = clean;
        made.0.extend(counted(&[*fault]).0);
        finds(&made, told, told);
    }
}

#[test]
fn series_of_nwb_are_in_the_units_and_times_of_their_file() {
    let table = r#"{"neurodata_type": "TimeIntervals", "colnames": ["start_time", "stop_time"]}"#;
    let rows = r#"0 1 2 {"table": {"value": {"source": ".", "path": "/units"}}, "neurodata_type": "DynamicTableRegion"}"#;
    let link = |name: &str, path: &str, kind: &str| {
        format!(
            r#"{{"neurodata_type": "{kind}", "zarr_link": [{{"name": "{name}", "path": "{path}", "source": "."}}]}}"#
        )
    };
    let linked = link("timestamps", "/acquisition/t/timestamps", "TimeSeries");
    let images = link("indexed_images", "/stimulus/i", "IndexSeries");
    let clean = [
        ("", r#"{"neurodata_type": "NWBFile"}"#),
        ("acquisition", "{}"),
        ("acquisition/e", r#"{"neurodata_type": "ElectricalSeries"}"#),
        ("acquisition/e/data", r#"1 2 3 4 5 6 7 8 {"unit": "volts", "conversion": 0.001}"#),
        ("acquisition/e/starting_time", r#"0 {"rate": 1}"#),
        ("acquisition/t", r#"{"neurodata_type": "TimeSeries"}"#),
        ("acquisition/t/data", r#"5 6 7 {"unit": "n/a"}"#),
        ("acquisition/t/timestamps", "1 2 3"),
        ("acquisition/l", &linked),
        ("acquisition/l/data", r#"5 6 7 {"unit": "n/a"}"#),
        // Images in a file beside the store.
        ("acquisition/v", &linked),
        ("acquisition/v/data", r#" {"unit": "n/a"}"#),
        ("acquisition/v/external_file", r#"7 8 {"starting_frame": [0, 2]}"#),
        ("stimulus", "{}"),
        ("stimulus/presentation", "{}"),
        ("stimulus/presentation/e", r#"{"neurodata_type": "TimeSeries"}"#),
        ("stimulus/presentation/e/data", r#"1 2 3 4 5 6 7 9 {"unit": "n/a"}"#),
        ("stimulus/presentation/e/starting_time", r#"0 {"rate": 20000}"#),
        ("stimulus/i", r#"{"neurodata_type": "Images"}"#),
        ("stimulus/i/order_of_images", "1 2 3"),
        ("stimulus/s", &images),
        ("stimulus/s/data", r#"0 2 1 {"unit": "N/A"}"#),
        ("stimulus/s/timestamps", "1 2 3"),
        ("general", "{}"),
        ("general/plane", r#"{"neurodata_type": "ImagingPlane"}"#),
        ("general/plane/excitation_lambda", "920"),
        ("intervals", "{}"),
        ("intervals/trials", table),
        ("intervals/trials/id", "0 1 2"),
        ("intervals/trials/start_time", "0 2 4"),
        ("intervals/trials/stop_time", "1 3 5"),
        ("units", r#"{"neurodata_type": "Units", "colnames": ["spike_times"]}"#),
        ("units/id", "0 1 2"),
        ("units/spike_times", r#"1 2 3 4 5 6 7 {"resolution": 0.001}"#),
        ("units/spike_times_index", r#"3 7 7 {"neurodata_type": "VectorIndex"}"#),
        ("units/rows", rows),
    ];
    let made = counted(&clean);
    assert_eq!(made.found(Wanted::default()), Vec::<String>::new());
    let warning = "warning related-values|";
    for (path, fault, told) in [
        ("units/rows", rows.replace("0 1 2", "0 1 -1"), "the first is -1 at [2]"),
        ("acquisition/l/data", r#"5 6 {"unit": "n/a"}"#.into(), "\"data\" has 2 elements"),
        (
            "stimulus/s/data",
            r#"0 3 1 {"unit": "N/A"}"#.into(),
            "the images, and \"stimulus/i\" has 3",
        ),
        ("acquisition/e/data", r#"1 2 3 {"unit": "microvolts"}"#.into(), "NWB fixes \"volts\""),
        (
            "acquisition/e/data",
            r#"1 2 3 {"unit": "volts", "conversion": 0}"#.into(),
            "conversion is 0",
        ),
        (
            "acquisition/e/data",
            r#"1 2 8 {"unit": "volts", "conversion": 10}"#.into(),
            "up to 80 volts",
        ),
        ("acquisition/e/starting_time", r#"0 {"rate": -1}"#.into(), "at a rate of -1 Hz"),
        ("acquisition/e/starting_time", r#"0 {"rate": 0.002}"#.into(), "in kHz"),
        (
            "acquisition/e/starting_time",
            r#"0 {"rate": 20}"#.into(),
            "at a rate of 20 Hz. \"stimulus/presentation/e\" has as many from the same time on, at 20,000 Hz",
        ),
        ("acquisition/e/starting_time", "0".into(), "has no rate"),
        (
            "acquisition/t/timestamps",
            r#"1 2 3 {"unit": "ms"}"#.into(),
            "unit of timestamps is \"ms\"",
        ),
        ("acquisition/t/timestamps", "1000 2000 3000".into(), "Counted in milliseconds"),
        (
            "acquisition/v/external_file",
            r#"7 8 {"starting_frame": [0]}"#.into(),
            "2 files, and starting_frame [0]",
        ),
        ("general/plane/excitation_lambda", "1".into(), "in nanometers"),
        (
            "intervals/trials/stop_time",
            "1 1 5".into(),
            "1 of 3 intervals stop before they start, the first at [1]",
        ),
        (
            "units/spike_times",
            "30000 60000 90000 40000 150000 180000 240000".into(),
            "samples at 30,000 Hz",
        ),
        (
            "units/spike_times",
            "1000 2000 3000 4000 5000 6000 7000".into(),
            "Counted in milliseconds",
        ),
        (
            "units/spike_times",
            r#"1 2 3 4 5 6 7 {"resolution": 30000}"#.into(),
            "resolution is 30000",
        ),
    ] {
        let mut made = made.clone();
        made.0.extend(counted(&[(path, &fault)]).0);
        finds(&made, told, &format!("{warning}{told}"));
    }
    let mut timeless = made.clone();
    timeless.0.retain(|key, _| !key.starts_with("acquisition/e/starting_time"));
    finds(&timeless, "no times", "note related-values|neither timestamps nor starting_time");
    // A recording of SpikeInterface, and its gains in microvolts.
    let recording = |gain: &str| {
        let mut made =
            counted(&[("", "{}"), ("properties", "{}"), ("properties/gain_to_uV", gain)]);
        let dimensions = [("", 2), ("", 2)];
        made.array(
            2,
            "traces_seg0",
            ("int64", "null"),
            &dimensions,
            &[],
            Some(int64(&[9, 90, -80, 7])),
        );
        let chunk = made.0.remove("traces_seg0/0.0").unwrap();
        made.put("traces_seg0/0", "0", chunk);
        made
    };
    assert_eq!(recording("1 1").found(Wanted::default()), Vec::<String>::new());
    finds(&recording("1 1000000"), "gains", &format!("{warning}up to 90 V"));
    // Traces that were made signed, and those that are around the middle.
    let with_offset = |offset: &str, traces: [i64; 4]| {
        let mut made = recording("1 1");
        made.put("traces_seg0/0", "0", int64(&traces));
        made.0.extend(counted(&[("properties/offset_to_uV", offset)]).0);
        made
    };
    let middle = with_offset("-2048 -2048", [2057, 2138, 1968, 2055]);
    assert_eq!(middle.found(Wanted::default()), Vec::<String>::new());
    let signed = with_offset("-2048 -2048", [9, 90, -80, 7]);
    finds(&signed, "offsets", &format!("{warning}offset_to_uV is -2,048 times gain_to_uV"));
}

#[test]
fn tables_of_regions_lead_to_labels_and_have_each_once() {
    let table = |path: &str, labels: &str, kind: &str| {
        let attributes = format!(
            r#"{{"type": "{kind}", "instance_key": "label", "region": {{"path": "{path}"}}}}"#
        );
        counted(&[
            ("", "{}"),
            ("labels", "{}"),
            ("labels/nuclei", "{}"),
            ("tables", "{}"),
            ("tables/rois", &attributes),
            ("tables/rois/obs", "{}"),
            ("tables/rois/obs/label", labels),
        ])
    };
    let masking = "masking_roi_table";
    // From the group of all tables, or from the table; and what is above the store was not opened.
    for path in ["../labels/nuclei", "../../labels/nuclei", "../../../labels/nuclei"] {
        assert_eq!(table(path, "1 2 3", masking).found(Wanted::default()), Vec::<String>::new());
    }
    let told = "warning related-values|is at \"nuclei\", which leads to \"tables/nuclei\"";
    finds(&table("nuclei", "1 2 3", masking), "a name", told);
    let told = "warning related-values|has 2 at [1] and again at [3]; 1 of 4 rows";
    finds(&table("../labels/nuclei", "1 2 3 2", masking), "twice", told);
    // Features of an object may be in several rows.
    let features = table("../labels/nuclei", "1 2 3 2", "feature_table");
    assert_eq!(features.found(Wanted::default()), Vec::<String>::new());
    // Numbers of sweeps are the names of no groups.
    let sweeps = counted(&[("", "{}"), ("sweep_0", "{}"), ("sweep_group_name", "0 1 2")]);
    assert_eq!(sweeps.found(Wanted::default()), Vec::<String>::new());
}

#[test]
fn rows_of_a_table_are_labels_of_its_image() {
    // Ten labels with gaps, in an image and in the column of a table.
    let made_of = |ids: &[i64], labels: &[i64]| {
        let texts: Vec<String> = ids.iter().map(ToString::to_string).collect();
        let table = r#"{"instance_key": "label", "region": "nuclei"}"#;
        let image = format!(r#"{{"version": "0.4", "datasets": [{}]}}"#, level("0", "[1, 1]"));
        let mut made = counted(&[
            ("", "{}"),
            ("labels", "{}"),
            ("labels/nuclei", &attributes(2, &image, "")),
            ("tables", "{}"),
            ("tables/rois", table),
            ("tables/rois/obs", "{}"),
            ("tables/rois/obs/label", &texts.join(" ")),
        ]);
        made.put("labels/nuclei/0", ".zarray", zarray(&[2, 5], "int64", "0"));
        made.put("labels/nuclei/0", "0/0", int64(labels));
        made
    };
    let made = |ids: &[i64]| made_of(ids, &[2, 3, 5, 7, 8, 11, 12, 13, 17, 20]);
    let told = |made: &Made| {
        let mut found = made.found(Wanted::default());
        found.retain(|line| line.contains("related-values"));
        found
    };
    let of = |ids: &[i64]| told(&made(ids));
    let none = Vec::<String>::new();
    assert_eq!(of(&[2, 3, 5, 7, 8, 11, 12, 13, 17, 20]), none);
    // Tables of Fractal have texts.
    for (region, is_told) in [(r#""nuclei""#, true), (r#"{"path": "../labels/nuclei"}"#, false)] {
        let mut made = made(&[2, 3]);
        let table = format!(r#"{{"instance_key": "label", "region": {region}}}"#);
        made.group(2, "tables/rois", &table);
        let document = zarray(&[2], "uint8", "null").replace("|u1", "<U1");
        made.put("tables/rois/obs/label", ".zarray", document);
        made.put("tables/rois/obs/label", "0", *b"2\0\0\x003\0\0\0");
        let found = made.found(Wanted::default()).join("\n");
        assert_eq!(found.contains("has texts, such as \"2\""), is_told, "{found}");
        assert_eq!(found.contains("related-values"), is_told, "{found}");
    }
    // Objects that the image has no more, and rows that were taken out.
    assert_eq!(of(&[2, 3, 5, 7, 8, 11, 12, 13, 17, 20, 21, 22]), none);
    assert_eq!(of(&[2, 3, 5, 7, 8]), none);
    assert_eq!(of(&[0, 1, 2, 3]), none);
    // Labels that were numbered anew, without a gap, and those of before.
    let closed: Vec<i64> = (1..=10).collect();
    assert_eq!(told(&made_of(&closed, &closed)), none);
    let old = told(&made_of(&[1, 2, 3, 4, 6, 7, 8, 9, 11, 12], &closed)).join("\n");
    assert!(old.contains("2 of 10 values in \"label\" are no labels of the image"), "{old}");
    let anew = "tables/rois/obs/label: warning related-values: tables/rois/obs/label/.zarray: 5 of 10 values in \"label\" are no labels of the image, which has 10; they are 0 to 9.";
    let others = "8 of 8 values in \"label\" are no labels of the image, which has 10; they are 101 and others";
    for (ids, told) in [
        (&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9][..], anew),
        (&[101, 107, 103, 104, 105, 106, 102, 108], others),
    ] {
        assert!(of(ids).join("\n").contains(told), "{:?}", of(ids));
    }
}

#[test]
fn regions_of_fractal_lie_within_their_image() {
    // Two regions, by where they begin along y and x and how long they are, in micrometers.
    let of = |rows: [i64; 8]| {
        let axes = r#"[{"name": "y", "type": "space", "unit": "micrometer"}, {"name": "x", "type": "space", "unit": "micrometer"}]"#;
        let image = format!(
            r#"{{"multiscales": [{{"version": "0.4", "axes": {axes}, "datasets": [{}]}}]}}"#,
            level("0", "[2, 2]")
        );
        let mut made = counted(&[
            ("", &image),
            ("tables", "{}"),
            ("tables/fields", r#"{"type": "roi_table"}"#),
            ("tables/fields/var", "{}"),
        ]);
        made.put("0", ".zarray", zarray(&[4, 8], "int64", "0"));
        made.put("0", "0/0", int64(&[1; 32]));
        let names = ["y_micrometer", "x_micrometer", "len_y_micrometer", "len_x_micrometer"];
        let texts = names.iter().flat_map(|it| format!("{it:\0<16}").into_bytes());
        let texts: Vec<u8> = texts.flat_map(|letter| [letter, 0, 0, 0]).collect();
        let document = zarray(&[4], "uint8", "null").replace("|u1", "<U16");
        made.put("tables/fields/var/_index", ".zarray", document);
        made.put("tables/fields/var/_index", "0", texts);
        made.put("tables/fields/X", ".zarray", zarray(&[2, 4], "int64", "null"));
        made.put("tables/fields/X", ".zattrs", r#"{"encoding-type": "array"}"#);
        made.put("tables/fields/X", "0/0", int64(&rows));
        let mut found = made.found(Wanted::default());
        found.retain(|line| line.contains("related-values"));
        found.join("\n")
    };
    assert_eq!(of([0, 0, 8, 8, 0, 8, 8, 8]), "");
    // A part beyond the edge, and positions of the stage.
    assert_eq!(of([0, 0, 8, 8, 0, 10, 8, 8]), "");
    let told = of([0, -90, 8, 8, 0, -82, 8, 8]);
    let due = "2 of 2 regions of \"tables/fields\" lie outside of the image along \"x\", such as -90 to -82 micrometers; it has 16";
    assert!(told.contains(due), "{told}");
}

#[test]
fn statistics_of_all_variables_are_of_as_many_values() {
    let of = |counts: &str, missing: u8| {
        let mut made = counted(&[("", r#"{"variables": ["t", "q", "p"]}"#), ("count", counts)]);
        let document = zarray(&[3], "uint8", "null").replace("|u1", "|b1");
        made.put("has_nans", ".zarray", document);
        made.put("has_nans", "0", [0, 0, missing]);
        let mut found = made.found(Wanted::default());
        found.retain(|line| line.contains("related-values"));
        found.join("\n")
    };
    assert_eq!((of("80 80 80", 0), of("80 80 20", 1)), (String::new(), String::new()));
    let told = of("80 80 20", 0);
    assert!(
        told.contains("statistics of \"p\" come from 20 values, those of the others from 80"),
        "{told}"
    );
}

#[test]
fn maps_of_mudata_have_each_row_of_a_modality() {
    let of = |map: &str, axis: &str| {
        let table = r#"{"encoding-type": "dataframe", "_index": "id", "column-order": []}"#;
        let data = r#"{"encoding-type": "anndata"}"#;
        let path = format!("{axis}map/rna");
        let own = format!("mod/rna/{axis}");
        let ids = format!("{own}/id");
        counted(&[
            ("", r#"{"encoding-type": "MuData"}"#),
            ("mod", "{}"),
            ("mod/rna", data),
            (&own, table),
            (&ids, "5 6 7"),
            (axis, table),
            (&format!("{axis}/id"), "5 6 7 8"),
            (&format!("{axis}map"), "{}"),
            (&path, map),
        ])
    };
    for axis in ["obs", "var"] {
        assert_eq!(of("2 0 1 3", axis).found(Wanted::default()), Vec::<String>::new());
        let told = format!(
            "{axis}map/rna: warning related-values|maps 4 of 4 rows to those of \"mod/rna/{axis}\", which has 3"
        );
        finds(&of("1 2 3 4", axis), "not updated", &told);
        let told = format!("warning anndata-table|\"{axis}map/rna\" of shape [3]");
        finds(&of("1 2 3", axis), "short", &told);
    }
}

#[test]
fn levels_without_the_projection_of_the_others_are_told() {
    let of = |names: [&str; 2]| {
        let mut made = Made::default();
        for (path, names, mapping) in [("a", ["y", "x"], true), ("b", names, false)] {
            made.group(2, path, "{}");
            let field: Members<'_> = if mapping { &[("grid_mapping", "\"crs\"")] } else { &[] };
            let dimensions = names.map(|name| (name, 2));
            made.array(2, &format!("{path}/tas"), ("float32", "\"NaN\""), &dimensions, field, None);
        }
        made.group(2, "", "{}");
        let name = [("grid_mapping_name", "\"latitude_longitude\"")];
        made.array(2, "a/crs", ("int64", "null"), &[], &name, Some(int64(&[0])));
        made
    };
    finds(&of(["y", "x"]), "b", "warning cf-reference|\"tas\" in \"b\" has no grid_mapping");
    // Latitudes are places on the Earth without a projection.
    let mut placed = of(["y", "x"]);
    let latitude = [("standard_name", "\"latitude\""), ("units", "\"degrees_north\"")];
    placed.array(2, "b/y", ("int64", "null"), &[("y", 2)], &latitude, Some(int64(&[10, 20])));
    assert_eq!(placed.found(Wanted::default()), Vec::<String>::new());
    // The same quantity on another grid.
    assert_eq!(of(["lat", "lon"]).found(Wanted::default()), Vec::<String>::new());
}

#[test]
fn variables_of_one_array_that_change_places_are_told() {
    let of = |from: u64| {
        let mut made = Made::default();
        made.group(3, "", "{}");
        let values = (0..48_u64).map(|at| {
            let (variable, time, place) = (at / 24, at / 3 % 8, at % 3);
            let is_wind = (variable == 0) == (time < from);
            (if is_wind { 8.0 } else { 900.0 }) + (time + place) as f64 / 4.0
        });
        let names = [("variable", 2), ("time", 8), ("x", 3)];
        made.array(3, "data", ("float64", "\"NaN\""), &names, &[], floats(values));
        made
    };
    assert_eq!(of(8).found(Wanted::default()), Vec::<String>::new());
    let told = "data: warning related-values|[0] and [1] are in each other's place from index 4 on along dimension 1";
    finds(&of(4), "exchanged", told);
}

#[test]
fn arrays_of_variants_have_their_dimensions() {
    let of = |names: &[(&str, u64)]| {
        let mut made = Made::default();
        made.group(3, "", "{}");
        let ints = |count: u64| Some(int64(&vec![1; usize::try_from(count).unwrap()]));
        let count = names.iter().map(|(_, count)| count).product();
        made.array(3, "variant_position", ("int64", "0"), &[("variants", 3)], &[], ints(3));
        made.array(3, "variant_allele", ("int64", "0"), names, &[], ints(count));
        made
    };
    assert_eq!(
        of(&[("variants", 3), ("alleles", 2)]).found(Wanted::default()),
        Vec::<String>::new()
    );
    let told = "variant_allele: warning related-values|has the shape [3]: it takes 2 dimensions";
    finds(&of(&[("variants", 3)]), "flat", told);
}

#[test]
fn names_of_dimensions_that_grib_says_otherwise_are_told() {
    let of = |names: [&str; 2]| {
        let mut made = Made::default();
        made.group(3, "", "{}");
        let members = [("GRIB_Nx", "3"), ("GRIB_Ny", "2")];
        let names = [(names[0], 2), (names[1], 3)];
        made.array(3, "t2m", ("float64", "\"NaN\""), &names, &members, floats([1.5; 6]));
        made
    };
    assert_eq!(of(["y", "x"]).found(Wanted::default()), Vec::<String>::new());
    finds(
        &of(["x", "y"]),
        "crossed",
        "t2m: warning related-values|\"x\" has 2 elements|GRIB_Nx is 3",
    );
}

fn floats(values: impl IntoIterator<Item = f64>) -> Option<Vec<u8>> {
    Some(values.into_iter().flat_map(f64::to_le_bytes).collect())
}

#[test]
fn cells_of_healpix_in_the_other_order_are_told() {
    // The sines of the latitudes of 48 cells: by rings, and by the four cells of each of the twelve first ones.
    let twelfths = [11.0, 8.0, 4.0, 0.0, -4.0, -8.0, -11.0];
    let ring = [4, 8, 8, 8, 8, 8, 4].into_iter().zip(twelfths);
    let ring: Vec<f64> = ring.flat_map(|(count, sine)| vec![sine; count]).collect();
    let faces = [[4.0, 8.0, 8.0, 11.0], [-4.0, 0.0, 0.0, 4.0], [-11.0, -8.0, -8.0, -4.0]];
    let nested: Vec<f64> = faces.into_iter().flat_map(|face| [face; 4]).flatten().collect();
    let of = |sines: &[f64], scheme: &str| {
        let mut made = Made::default();
        made.group(3, "", "{}");
        let scheme = format!("{scheme:?}");
        let mapping = [
            ("grid_mapping_name", "\"healpix\""),
            ("refinement_level", "1"),
            ("indexing_scheme", &scheme),
        ];
        made.array(3, "crs", ("int64", "0"), &[], &mapping, Some(int64(&[0])));
        let latitudes = sines.iter().map(|sine| (sine / 12.0_f64).asin().to_degrees());
        let name = [("standard_name", "\"latitude\""), ("units", "\"degrees_north\"")];
        made.array(3, "lat", ("float64", "\"NaN\""), &[("cell", 48)], &name, floats(latitudes));
        made
    };
    for (own, other, is) in [("ring", "nested", &ring), ("nested", "ring", &nested)] {
        assert_eq!(of(is, own).found(Wanted::default()), Vec::<String>::new());
        let told = format!(
            "lat: warning related-values|those of the {own} order, and indexing_scheme of \"crs\" is \"{other}\""
        );
        finds(&of(is, other), "order", &told);
    }
}

#[test]
fn corners_on_the_other_side_of_the_globe_are_told() {
    let of = |corner: f64| {
        let mut made = Made::default();
        made.group(3, "", "{}");
        let cells = [("j", 2), ("i", 10)];
        let places = |axis: usize| {
            floats((0..20).map(|at| {
                if axis == 0 {
                    20.0 + f64::from(at / 10) + f64::from(at % 10) / 100.0
                } else {
                    100.0 + f64::from(at % 10)
                }
            }))
        };
        let name = [("standard_name", "\"latitude\"")];
        made.array(3, "lat", ("float64", "\"NaN\""), &cells, &name, places(0));
        let name = [("standard_name", "\"longitude\""), ("bounds", "\"corners\"")];
        made.array(3, "lon", ("float64", "\"NaN\""), &cells, &name, places(1));
        let corners = (0..80).map(|at| {
            let around = 100.0 + f64::from(at / 4 % 10) + if at % 2 == 0 { 0.5 } else { -0.5 };
            if at == 13 { corner } else { around }
        });
        let all = [("j", 2), ("i", 10), ("corner", 4)];
        made.array(3, "corners", ("float64", "\"NaN\""), &all, &[], floats(corners));
        let places = [("coordinates", "\"lat lon\"")];
        made.array(3, "field", ("float64", "\"NaN\""), &cells, &places, floats([1.5; 20]));
        made
    };
    // As they are, and a turn more.
    for corner in [102.5, 462.5] {
        assert_eq!(of(corner).found(Wanted::default()), Vec::<String>::new());
    }
    let told = "lon: warning related-values|1 of 20 cells have corners in \"corners\"|the first at [0,3]: 103";
    finds(&of(282.5), "corners", told);
}

#[test]
fn dew_points_that_the_temperature_does_not_have_are_told() {
    let of = |odd: f64| {
        let mut made = Made::default();
        made.group(2, "", "{}");
        let mut add = |name: &str, standard: &str, units: &str, values: [f64; 20]| {
            let members = [("standard_name", standard), ("units", units)];
            made.array(2, name, ("float64", "null"), &[("time", 20)], &members, floats(values));
        };
        let at = |of: &dyn Fn(f64) -> f64| std::array::from_fn(|at| of(at as f64));
        add("t", "\"air_temperature\"", "\"degC\"", at(&|at| 10.0 + at / 2.0));
        add("rh", "\"relative_humidity\"", "\"%\"", at(&|_| 50.0));
        // Half of the water that air may hold, by the table of a psychrometer: about 10 degrees less.
        let dew = at(&|at| if at > 6.5 && at < 7.5 { odd } else { 10.0 + at / 2.0 - 10.0 });
        add("td", "\"dew_point_temperature\"", "\"degC\"", dew);
        made
    };
    assert_eq!(of(3.0).found(Wanted::default()), Vec::<String>::new());
    finds(
        &of(-81.0),
        "td",
        "td: warning related-values|in 1 of 20 elements, the first at [7]: -81",
    );
}

#[test]
fn the_shape_of_land_in_another_position_is_told() {
    let map = include_str!("../../src/zarr/conventions/relations/land.txt");
    let cells: Vec<&[u8]> = map.lines().map(str::as_bytes).collect();
    let floats =
        |values: &mut dyn Iterator<Item = f64>| Some(values.flat_map(f64::to_le_bytes).collect());
    // The sea, along latitudes and longitudes, or along two axes without units.
    let sea = |units: bool, rows: &[usize], turned: usize| {
        let mut made = Made::default();
        made.group(3, "", "{}");
        let is_land = |row: usize, column: usize| cells[row].get(column) == Some(&b'#');
        let mut place = |(name, unit, start, step): (&str, &str, f64, f64), count: u32| {
            let members = [("units", unit)];
            let mut values = (0..count).map(|at| step.mul_add(f64::from(at), start));
            let members = if units { &members[..] } else { &[] };
            made.array(
                3,
                name,
                ("float64", "0.0"),
                &[(name, u64::from(count))],
                members,
                floats(&mut values),
            );
        };
        [("lat", "\"degrees_north\"", 87.5, -5.0), ("lon", "\"degrees_east\"", -177.5, 5.0)]
            .into_iter()
            .zip([36, 72])
            .for_each(|(axis, count)| place(axis, count));
        for (name, rows, turned) in
            [("a", &(0..36).collect::<Vec<_>>()[..], 0), ("b", rows, turned)]
        {
            let places = rows.iter().flat_map(|row| (0..72).map(move |column| (*row, column)));
            let mut values = places.map(|(row, column)| {
                let is_land = is_land(row, (column + turned) % 72);
                if is_land { f64::NAN } else { 280.0 + row as f64 / 9.0 }
            });
            made.array(
                3,
                name,
                ("float64", "\"NaN\""),
                &[("lat", 36), ("lon", 72)],
                &[],
                floats(&mut values),
            );
        }
        made
    };
    let rows: Vec<usize> = (0..36).collect();
    let reversed: Vec<usize> = (0..36).rev().collect();
    for units in [true, false] {
        assert_eq!(sea(units, &rows, 0).found(Wanted::default()), Vec::<String>::new());
    }
    let told = "b: warning related-values|\"lat\" and \"lon\"; upside down, on 0 % and 100 %";
    finds(&sea(true, &reversed, 0), told, told);
    let told = "b: warning related-values|\"lon\"; moved by half the columns, on 0 % and 100 %";
    finds(&sea(true, &rows, 36), told, told);
    let told = "b: warning related-values|the shape of what is missing in \"a\", upside down";
    finds(&sea(false, &reversed, 0), told, told);
    // The numbers of what is in each place, 0 where nothing is.
    let numbers = |rows: &[usize]| {
        let mut made = sea(false, &(0..36).collect::<Vec<_>>(), 0);
        let places = rows.iter().flat_map(|row| (0..72).map(move |column| (*row, column)));
        let numbers = places.map(|(row, column)| i64::from(cells[row].get(column) != Some(&b'#')));
        let dimensions = [("lat", 36), ("lon", 72)];
        let bytes = Some(int64(&numbers.collect::<Vec<_>>()));
        made.array(3, "c", ("int64", "0"), &dimensions, &[], bytes);
        made
    };
    assert_eq!(numbers(&rows).found(Wanted::default()), Vec::<String>::new());
    let told =
        "c: warning related-values|what is missing, or 0, in \"c\" has the shape|upside down";
    finds(&numbers(&reversed), told, told);
}

#[test]
fn pages_that_go_on_once_they_are_moved_are_told() {
    let noise = |at: u32| f64::from(at.wrapping_mul(2_654_435_761) >> 8) / f64::from(1 << 24) - 0.5;
    // Twelve steps of a pattern that fades into another one, as weather does; how each is moved.
    let of = |moved: &dyn Fn(u32, u32, u32) -> (u32, u32)| {
        let mut made = Made::default();
        made.group(3, "", "{}");
        let document = zarr_json(
            &[12, 16, 24],
            "float64",
            "0.0",
            "\"dimension_names\": [\"time\", \"y\", \"x\"],",
            &[],
        );
        let document = document.replace("\"chunk_shape\": [12,", "\"chunk_shape\": [4,");
        made.put("t", "zarr.json", document);
        for chunk in 0..3 {
            let places =
                (0..4 * 16 * 24_u32).map(|at| (chunk * 4 + at / 384, at / 24 % 16, at % 24));
            let values = places.map(|(time, y, x)| {
                let (y, x) = moved(time, y, x);
                let share = f64::from(time) / 11.0;
                let place = y * 24 + x;
                (1.0 - share)
                    .mul_add(noise(place), share * (noise(place) + 2.0 * noise(place + 384)))
            });
            let bytes: Vec<u8> = values.flat_map(f64::to_le_bytes).collect();
            made.put("t", &format!("c/{chunk}/0/0"), bytes);
        }
        made
    };
    let is_silent = |made: Made| assert_eq!(made.found(Wanted::default()), Vec::<String>::new());
    is_silent(of(&|_, y, x| (y, x)));
    // What turns with the Sun.
    is_silent(of(&|time, y, x| (y, (x + 2 * time) % 24)));
    is_silent(of(&|time, y, x| (y, (x + 12 * (time % 2)) % 24)));
    let told = "t: warning related-values|from [6] on, pages of \"t\" continue those before only if they are ";
    let half = of(&|time, y, x| (y, if time < 6 { x } else { (x + 12) % 24 }));
    finds(&half, told, &format!("{told}moved by half the columns"));
    let reversed = of(&|time, y, x| (if time < 6 { y } else { 15 - y }, x));
    finds(&reversed, told, &format!("{told}upside down"));
}

#[test]
fn planes_in_the_order_of_their_names_are_told() {
    let of = |numbers: &[i64]| {
        let axes = r#"[{"name": "z", "type": "space"}, {"name": "y", "type": "space"}, {"name": "x", "type": "space"}]"#;
        let image = format!(
            r#"{{"version": "0.4", "axes": {axes}, "datasets": [{}]}}"#,
            level("0", "[1, 1, 1]")
        );
        let mut made = counted(&[("", &attributes(2, &image, ""))]);
        let count = numbers.len() as u64;
        made.put("0", ".zarray", zarray(&[count, 4, 4], "int64", "0"));
        let values = numbers.iter().flat_map(|number| (0..16).map(move |at| number * 10 + at * at));
        made.put("0", "0/0/0", int64(&values.collect::<Vec<_>>()));
        let mut found = made.found(Wanted::default());
        found.retain(|line| line.contains("related-values"));
        found.join("\n")
    };
    let numbers: Vec<i64> = (0..24).collect();
    let named = |text: &dyn Fn(i64) -> String| {
        let mut numbers = numbers.clone();
        numbers.sort_by_key(|number| text(*number));
        of(&numbers)
    };
    assert_eq!(of(&numbers), "");
    assert_eq!(of(&[7; 24]), "");
    let told = named(&|number| format!("{number}.tif"));
    assert!(told.contains("order of their numbers sorted as text (10 after 1)"), "{told}");
    let told = named(&|number| format!("z{}c0", number + 1));
    assert!(told.contains("order of their numbers sorted as text (1 after 19)"), "{told}");
}

#[test]
fn numbers_between_classes_are_told() {
    let of = |values: &str, classes: &str| {
        let array = format!(r#"{values} {{"flag_values": {classes}}}"#);
        let made = counted(&[("", r#"{"Conventions": "CF-1.8"}"#), ("c", &array)]);
        let mut found = made.found(Wanted::default());
        found.retain(|line| line.contains("cf-flags"));
        found.join("\n")
    };
    let classes = "10 ".repeat(20) + &"40 ".repeat(20);
    assert_eq!(of(&classes, "[10, 20, 30, 40]"), "");
    let told = of(&format!("{classes} 14 17 22 31"), "[10, 20, 30, 40]");
    assert!(told.contains("4 of 44 values, such as 14, are none of the 4"), "{told}");
    // One more class, and numbers some of which have a meaning.
    assert_eq!(of(&format!("{classes} 14 14 14 14"), "[10, 20, 30, 40]"), "");
    assert_eq!(of("0 100 3 14 15 92 65 35 89 79", "[0, 100]"), "");
}

#[test]
fn pages_without_values_among_others_are_noted() {
    let of = |page: usize, value: f64| {
        let mut made = Made::default();
        made.group(3, "", "{}");
        let values = (0..96_u8)
            .map(|at| if usize::from(at / 12) == page { value } else { 280.0 + f64::from(at) });
        let bytes = Some(values.flat_map(f64::to_le_bytes).collect());
        let dimensions = [("time", 8), ("y", 3), ("x", 4)];
        made.array(3, "t", ("float64", "0.0"), &dimensions, &[], bytes);
        made
    };
    let told = "t: note zero-page|1 of 8 pages along dimension 0 (time) holds nothing but missing values, from index 3";
    finds(&of(3, f64::NAN), told, told);
    let told = "t: note zero-page|nothing but one value, from index 7";
    finds(&of(7, 10800.0), told, told);
    for page in [0, 7, 8] {
        assert_eq!(of(page, f64::NAN).found(Wanted::default()), Vec::<String>::new(), "{page}");
    }
}

#[test]
fn slices_and_arrays_that_repeat_another_are_noted() {
    // Times that are those before, in arrays of 8 by 2 slices of 16 by 16, by name and attributes; 20 values at all, or many.
    type Array<'a> = (&'a str, &'a [usize], u64, Members<'a>);
    let of = |arrays: &[Array<'_>], values: u64| {
        let mut made = Made::default();
        made.group(3, "", "{}");
        for (name, again, seed, attributes) in arrays {
            let value = |at: usize| {
                let (time, inside) = (at / 512, at % 512);
                let time = (0..=time).rev().find(|it| !again.contains(it)).unwrap_or(0);
                let word = (time * 512 + inside) as u64 * 0x9E37_79B9 + seed;
                ((word ^ (word >> 15)).wrapping_mul(0x2545_F491_4F6C_DD1D) >> 40) % values
            };
            let land = |at: usize| if at % 16 < 9 { f64::NAN } else { value(at) as f64 };
            let all: Vec<f64> = (0..4096).map(land).collect();
            let dimensions = [("time", 8), ("level", 2), ("y", 16), ("x", 16)];
            let data_type = ("float64", "\"NaN\"");
            made.array(3, name, data_type, &dimensions, attributes, Some(float64(&all)));
        }
        made
    };
    let is_silent = |made: &Made| assert_eq!(made.found(Wanted::default()), Vec::<String>::new());
    let told = "t: note zero-page|2 of 16 slices along the last two dimensions repeat another, bit for bit: [4,0] repeats [3,0]";
    finds(&of(&[("t", &[4], 1, &[])], 1 << 20), told, told);
    is_silent(&of(&[("t", &[], 1, &[])], 1 << 20));
    is_silent(&of(&[("t", &[4], 1, &[])], 20));
    // More of them, where they are one run.
    let told = "t: note zero-page|6 of 16 slices along the last two dimensions repeat another, bit for bit: [3,0] repeats [2,0]";
    finds(&of(&[("t", &[3, 4, 5], 1, &[])], 1 << 20), told, told);
    // What does not change is as it is.
    for again in [&[1, 3, 5, 7][..], &[1, 2, 3, 4, 5, 6, 7]] {
        is_silent(&of(&[("t", again, 1, &[])], 1 << 20));
    }
    let named = |name| [("standard_name", name)];
    let (air, dew) = (named("\"air_temperature\""), named("\"dew_point_temperature\""));
    let told = "t: note related-values|\"t\" holds the values of \"d\", bit for bit";
    finds(&of(&[("d", &[], 1, &dew), ("t", &[], 1, &air)], 1 << 20), told, told);
    is_silent(&of(&[("d", &[], 1, &dew), ("t", &[], 2, &air)], 1 << 20));
    is_silent(&of(&[("t", &[], 1, &air), ("t_again", &[], 1, &air)], 1 << 20));
}

#[test]
fn one_time_that_is_missing_is_noted() {
    let of = |gone: std::ops::Range<i64>| {
        let mut made = dataset(3);
        let hours: Vec<i64> = (0..40).filter(|hour| !gone.contains(hour)).collect();
        made.array(3, "sst", ("float32", "\"NaN\""), &[("lat", 3), ("lon", 2)], &[], None);
        time(&mut made, 3, &hours, &[("units", "\"hours since 2000-01-01\"")]);
        made
    };
    finds(&of(20..21), "one", "note cf-coordinate-order|1 gap, the first at [20]");
    // Nobody measured for a while.
    assert_eq!(of(20..24).found(Wanted::default()), Vec::<String>::new());
}

#[test]
fn temperatures_of_zero_kelvin_are_told() {
    let of = |format, fill, is_zero: fn(u16) -> bool| {
        let mut made = dataset(format);
        let values = (0..32).map(|n| if is_zero(n) { 0.0 } else { 280.0 + f32::from(n) });
        let values = values.flat_map(f32::to_le_bytes).collect();
        let attributes = [("standard_name", "\"air_temperature\""), ("units", "\"K\"")];
        let dimensions =
            if format == 3 { &[("page", 4), ("cell", 8)][..] } else { &[("cell", 32)] };
        made.array(format, "tas", ("float32", fill), dimensions, &attributes, Some(values));
        made
    };
    let told = "warning cf-value-range|8 of 32 numbers of air_temperature are 0|were left at 0";
    finds(&of(3, "\"NaN\"", |n| n % 4 == 0), "V3", told);
    let told = "warning cf-value-range|8 of 32|: all those at index 0 of the first|never filled in";
    finds(&of(3, "\"NaN\"", |n| n < 8), "the first page", told);
    // xarray takes them for missing.
    finds(&of(2, "0.0", |n| n % 4 == 0), "V2", "note masked-fill");
}

#[test]
fn rows_that_lost_what_was_counted_are_told() {
    let rows = |lost: std::ops::Range<usize>, by: i64| {
        let count = |at: usize| if lost.contains(&at) { 10 - by } else { 10 };
        let counts: Vec<String> = (0..20).map(|at| count(at).to_string()).collect();
        let starts: Vec<String> = (0..=20).map(|at| at.to_string()).collect();
        let of = |text: &str| vec![text; 20].join(" ");
        let (data, starts, tens, zeros) = (counts.join(" "), starts.join(" "), of("10"), of("0"));
        let change = [
            ("X", r#"{"encoding-type": "csr_matrix", "shape": [20, 3]}"#),
            (
                "obs",
                r#"{"encoding-type": "dataframe", "_index": "id", "column-order": ["type", "n_counts"]}"#,
            ),
            ("obs/id", starts.trim_end_matches(" 20")),
            ("obs/type/codes", &zeros),
            ("obs/n_counts", &tens),
            ("X/indptr", &starts),
            ("X/indices", &zeros),
            ("X/data", &data),
            ("obsm/pca", &tens),
        ];
        anndata(2, &change).found(Wanted::default())
    };
    let told = rows(4..7, 8).join("\n");
    assert!(told.contains("n_counts") && told.contains("3 of 20 rows, the first at [4]"), "{told}");
    // Rare genes were taken out, and single cells had more of them.
    for found in [rows(4..7, 1), rows(4..5, 8)] {
        assert_eq!(found, Vec::<String>::new());
    }
}

#[test]
fn counts_that_were_divided_by_their_sums_are_told() {
    let of = |name: &str, value: &dyn Fn(usize) -> f64| {
        let text = |step: usize, count: usize| {
            (0..count).map(|at| (at * step).to_string()).collect::<Vec<_>>().join(" ")
        };
        let matrix = r#"{"encoding-type": "csr_matrix", "shape": [9, 3]}"#;
        let layer = format!("layers/{name}");
        let [starts, columns] = [format!("{layer}/indptr"), format!("{layer}/indices")];
        let (every, twos, ids) = (["0"; 18].join(" "), text(2, 10), text(1, 9));
        let change = [
            ("X", matrix),
            ("X/indptr", &twos),
            ("X/indices", &every),
            ("X/data", &every),
            ("obs", r#"{"encoding-type": "dataframe", "_index": "id", "column-order": []}"#),
            ("obs/id", &ids),
            ("obs/type", ""),
            ("obs/type/codes", ""),
            ("obs/type/categories", ""),
            ("obsm/pca", &ids),
            ("layers", r#"{"encoding-type": "dict"}"#),
            (&layer, matrix),
            (&starts, &twos),
            (&columns, &every),
        ];
        let mut made = anndata(2, &change);
        let values = (0..18).map(value).flat_map(f64::to_le_bytes).collect();
        let path = format!("{layer}/data");
        made.array(2, &path, ("float64", "null"), &[("", 18)], &[], Some(values));
        made
    };
    let share = |at: usize| [0.125, 0.875][at % 2] * 1e4 + [0.5, -0.5][at % 2];
    let told = "warning related-values|18 of 18 values in \"layers/counts\" have fractions, and each of its 9 rows with values adds up to 10000";
    finds(&of("counts", &share), "normalised", told);
    let told = "warning related-values|2 of 18 values in \"layers/counts\" are below 0";
    finds(&of("counts", &|at| share(at) - (at / 16) as f64 * 1e4), "scaled", told);
    // It says that it was; whole numbers; expected counts, whose sums differ.
    for found in [
        of("normalized", &share),
        of("counts", &|at| share(at).round()),
        of("counts", &|at| share(at) + at as f64 * 50.0),
    ] {
        assert_eq!(found.found(Wanted::default()), Vec::<String>::new());
    }
}

#[test]
fn genotypes_of_alleles_that_the_variant_does_not_list_are_told() {
    let of = |calls: [i64; 6], alleles: &str| {
        let mut made = Made::default();
        made.group(2, "", "{}");
        made.put("call_genotype", ".zarray", zarray(&[3, 1, 2], "int64", "null"));
        made.put("call_genotype", "0/0/0", int64(&calls));
        let document = zarray(&[3, 3], "uint8", "null").replace("|u1", "|S2");
        made.put("variant_allele", ".zarray", document);
        let bytes =
            alleles.replace('-', "\0").chars().flat_map(|c| [c as u8, 0]).collect::<Vec<_>>();
        made.put("variant_allele", "0/0", bytes);
        made
    };
    let told = "warning related-values|1 of 3 variants have genotypes of alleles that they do not list; the first is allele 2 at [1], which has 2 alleles, numbered from 0";
    finds(&of([0, 1, 0, 2, 0, 2], "AC-GT-ACG"), "an allele less", told);
    // Missing calls, and variants that were not written.
    for clean in [of([0, 1, 0, 1, 0, 2], "AC-GT-ACG"), of([-1, -2, 1, 2, 0, 2], "AC----ACG")] {
        assert_eq!(clean.found(Wanted::default()), Vec::<String>::new());
    }
}

#[test]
fn floats_that_are_unpacked_already_are_told() {
    let attributes = [("scale_factor", "0.01"), ("add_offset", "283.73")];
    let of = |values: [f64; 8]| numbers(3, &attributes, values);
    let kelvin = [258.66, 302.94, 270.51, 281.25, 290.75, 285.5, 279.1, 300.2];
    finds(&of(kelvin), "kelvin", "warning cf-packing|around add_offset, 283.73");
    // Means of packed numbers are no whole ones.
    let means = [150.5, -900.25, 1201.75, 2000.5, 310.25, -120.5, 640.75, 15.25];
    assert_eq!(of(means).found(Wanted::default()), Vec::<String>::new());
}

fn float64(values: &[f64]) -> Vec<u8> {
    values.iter().flat_map(|it| it.to_le_bytes()).collect()
}

#[test]
fn points_and_dates_of_anemoi_are_told() {
    let of = |latitude: f64, missing: &str, rows: [f64; 3], is_done: bool| {
        let mut made = Made::default();
        let members = format!(r#"{{"variables": ["t"], "missing_dates": [{missing}]}}"#);
        made.group(2, "", &members);
        let mut floats = |name: &str, dimensions: &[(&str, u64)], values: &[f64]| {
            made.array(2, name, ("float64", "\"NaN\""), dimensions, &[], None);
            made.put(name, &vec!["0"; dimensions.len()].join("/"), float64(values));
        };
        floats("latitudes", &[("", 2)], &[latitude, 1.0]);
        floats("longitudes", &[("", 2)], &[0.0, 1.0]);
        let cells: Vec<f64> = rows.into_iter().flat_map(|value| [value; 2]).collect();
        floats("data", &[("", 3), ("", 1), ("", 1), ("", 2)], &cells);
        if is_done {
            floats("mean", &[("", 1)], &[2.0]);
        }
        let days = Some(int64(&[0, 1, 2]));
        made.array(2, "dates", ("int64", "null"), &[("", 3)], &[], days);
        let text = zarray(&[3], "int64", "null").replace("<i8", "<M8[D]");
        made.put("dates", ".zarray", text);
        made
    };
    let nan = f64::NAN;
    for healthy in [
        of(0.0, "", [1.0; 3], true),
        of(0.0, r#""1970-01-02""#, [1.0, nan, 1.0], true),
        // The data are not there yet.
        of(0.0, "", [1.0, nan, nan], false),
        of(0.0, "", [nan; 3], true),
    ] {
        let told = healthy.found(Wanted::default()).join("\n");
        assert!(!told.contains("related-values"), "{told}");
    }
    let told = "latitudes: warning related-values|1 of 2 \"latitudes\" are not finite|[0]: NaN";
    finds(&of(nan, "", [1.0; 3], true), "places", told);
    let told = "dates: warning related-values|1 of 3 dates have no data|is 1970-01-02";
    finds(&of(0.0, "", [1.0, nan, 1.0], true), "dates", told);
}

#[test]
fn sweeps_have_their_own_times_and_all_rays() {
    let of = |angles: [f64; 2], start: f64, lost: std::ops::Range<u32>, is_full: bool| {
        let mut made = Made::default();
        made.group(3, "", "{}");
        for (at, angle) in angles.into_iter().enumerate() {
            let group = format!("sweep_{at}");
            made.group(3, &group, "{}");
            let is_lost = |ray: &u32| lost.contains(ray) && (at == 1 || !is_full);
            let rays = (0..if is_full { 72 } else { 36 }).filter(|ray| !is_lost(ray));
            let azimuths: Vec<f64> = rays.map(|ray| f64::from(ray) * 5.0 + 2.5).collect();
            // The sweep begins in the middle.
            let begin = if is_full { 180.0 } else { 0.0 };
            let time = |it: &f64| (it - begin).rem_euclid(360.0) / 10.0 + start * at as f64;
            let times: Vec<f64> = azimuths.iter().map(time).collect();
            let units = [("units", "\"seconds since 2020-01-01\"")];
            let dimensions = [("azimuth", azimuths.len() as u64)];
            let mut floats = |name: &str, dimensions: &[_], members: &[_], values: &[f64]| {
                let (path, values) = (format!("{group}/{name}"), Some(float64(values)));
                made.array(3, &path, ("float64", "\"NaN\""), dimensions, members, values);
            };
            floats("azimuth", &dimensions, &[], &azimuths);
            floats("time", &dimensions, &units, &times);
            floats("sweep_fixed_angle", &[], &[], &[angle]);
        }
        made
    };
    for (what, healthy) in [
        ("full", of([0.5, 1.5], 40.0, 0..0, true)),
        ("a sector", of([0.5, 1.5], 40.0, 0..0, false)),
        ("the same angle twice", of([0.5, 0.5], 0.0, 0..0, true)),
        ("less than a turn", of([0.5, 1.5], 40.0, 35..37, true)),
    ] {
        assert_eq!(healthy.found(Wanted::default()), Vec::<String>::new(), "{what}");
    }
    let told =
        "sweep_1/time: note related-values|the times of \"sweep_0\" and \"sweep_1\" are the same";
    finds(&of([0.5, 1.5], 0.0, 0..0, true), "times", told);
    let told =
        "sweep_1/azimuth: warning related-values|go from 47.5 to 62.5|about 2 rays are missing";
    finds(&of([0.5, 1.5], 40.0, 10..12, true), "rays", told);
}

#[test]
fn land_at_zero_and_low_percentages_are_noted() {
    let of = |name: &str, units: &str, value: &dyn Fn(u16) -> f32| {
        let mut made = dataset(3);
        let values = (0..1024).map(value).flat_map(f32::to_le_bytes).collect();
        let attributes = [("standard_name", name), ("units", units)];
        let dimensions = [("cell", 1024)];
        let fill = ("float32", "\"NaN\"");
        made.array(3, "x", fill, &dimensions, &attributes, Some(values));
        made
    };
    let share = |n: u16| f32::from(n) / 1100.0;
    let with = |land: f32| {
        move |n: u16| if n.is_multiple_of(4) { land } else { 0.5 + f32::from(n) / 50.0 }
    };
    let (sea, cloud) = ("\"sea_surface_temperature\"", "\"cloud_area_fraction\"");
    let told = "note cf-value-range|256 of 1,024 numbers of sea_surface_temperature are 0";
    finds(&of(sea, "\"degC\"", &with(0.0)), "land", told);
    let told = "note cf-units|cloud_area_fraction from 0 to 0.93 in \"%\"; such";
    finds(&of(cloud, "\"%\"", &share), "share", told);
    for healthy in [
        of(sea, "\"degC\"", &with(f32::NAN)),
        // The freezing point, where ice is.
        of(sea, "\"degC\"", &with(-1.8)),
        of("\"air_temperature\"", "\"degC\"", &with(0.0)),
        of(cloud, "\"1\"", &share),
        of("\"sea_ice_area_fraction\"", "\"%\"", &share),
    ] {
        assert_eq!(healthy.found(Wanted::default()), Vec::<String>::new());
    }
}

#[test]
fn meshes_have_edges_and_faces_around_their_places() {
    // Four squares in a row: the corners of each, the places of each, and the location of a variable.
    let squares: Vec<[i64; 4]> = (0..4).map(|n| [n, n + 1, n + 6, n + 5]).collect();
    let of = |faces: &[[i64; 4]], start: &str, middle: f64, (location, size): (&str, u64)| {
        let mut made = Made::default();
        made.group(3, "", "{}");
        let names = ["\"fn\"", "\"x y\"", "\"fx\"", "\"mesh_topology\""];
        let keys = ["face_node_connectivity", "node_coordinates", "face_coordinates", "cf_role"];
        let members: Vec<(&str, &str)> = keys.into_iter().zip(names).collect();
        made.array(3, "mesh", ("int64", "9"), &[], &members, Some(int64(&[0])));
        let role = [("cf_role", "\"face_node_connectivity\""), ("start_index", start)];
        let role = [role.as_slice(), &[("_FillValue", "-1")]].concat();
        let dimensions = [("face", 4), ("corner", 4)];
        made.array(3, "fn", ("int64", "-1"), &dimensions, &role, Some(int64(&faces.concat())));
        let xs: Vec<f64> = (0..10).map(|n| f64::from(n % 5)).collect();
        let ys: Vec<f64> = (0..10).map(|n| f64::from(n / 5)).collect();
        let centres: Vec<f64> = (0..4).map(|n| f64::from(n) + middle).collect();
        let float = ("float64", "\"NaN\"");
        for (name, dimension, axis, values) in
            [("x", "node", "x", xs), ("y", "node", "y", ys), ("fx", "face", "x", centres)]
        {
            let standard = format!("\"projection_{axis}_coordinate\"");
            let members = [("standard_name", standard.as_str()), ("units", "\"m\"")];
            let dimensions = [(dimension, values.len() as u64)];
            made.array(3, name, float, &dimensions, &members, Some(float64(&values)));
        }
        let place = format!("{location:?}");
        let members = [("mesh", "\"mesh\""), ("location", place.as_str())];
        made.array(3, "h", float, &[(location, size)], &members, None);
        made
    };
    let face = ("face", 4);
    let with = |at: usize, nodes: [i64; 4]| {
        let mut faces = squares.clone();
        faces[at] = nodes;
        faces
    };
    let by_one: Vec<[i64; 4]> = squares.iter().map(|it| it.map(|it| it + 1)).collect();
    let odd = |made: &Made| {
        let found = made.found(Wanted::default());
        found.into_iter().filter(|it| it.contains("warning")).collect::<Vec<_>>()
    };
    for (what, healthy) in [
        ("squares", of(&squares, "0", 0.5, face)),
        ("from 1", of(&by_one, "1", 0.5, face)),
        ("a triangle", of(&with(1, [1, 2, 7, -1]), "0", 0.5, face)),
        ("a triangle as a square", of(&with(1, [1, 2, 7, 7]), "0", 0.5, face)),
        ("at nodes", of(&squares, "0", 0.5, ("node", 10))),
    ] {
        assert_eq!(odd(&healthy), Vec::<String>::new(), "{what}");
    }
    for (made, told) in [
        (
            of(&with(2, [2, 3, -1, -1]), "0", 0.5, face),
            "fn: warning cf-reference|in 1 of 4 rows, the first at [2]",
        ),
        (of(&squares, "0", 1.5, face), "fn: warning cf-reference|4 of 4 faces are not around"),
        (of(&squares, "1", 0.5, face), "fn: warning cf-reference|They are counted from 0"),
        (
            of(&squares, "0", 0.5, ("node", 4)),
            "h: warning cf-reference|of which \"mesh\" has 10|\"face\"",
        ),
    ] {
        finds(&made, told, told);
    }
}

#[test]
fn places_are_those_by_the_rotated_pole() {
    // Two corners of the domain EUR-11 of CORDEX.
    let of = |pole: &str, turn: f64| {
        let mut made = Made::default();
        made.group(3, "", "{}");
        let members = [
            ("grid_mapping_name", "\"rotated_latitude_longitude\""),
            ("grid_north_pole_latitude", "39.25"),
            ("grid_north_pole_longitude", pole),
        ];
        made.array(3, "pole", ("int64", "9"), &[], &members, Some(int64(&[0])));
        let (down, across) = ([("rlat", 1)], [("rlon", 2)]);
        let both = [down, across].concat();
        for (name, dimensions, standard, units, values) in [
            ("rlat", &down[..], "\"grid_latitude\"", "\"degrees\"", vec![-23.375]),
            ("rlon", &across, "\"grid_longitude\"", "\"degrees\"", vec![-28.375, 0.0]),
            ("lat", &both, "\"latitude\"", "\"degrees_north\"", vec![21.987_83, 27.375]),
            (
                "lon",
                &both,
                "\"longitude\"",
                "\"degrees_east\"",
                vec![turn - 10.064_18, turn + 18.0],
            ),
        ] {
            let members = [("standard_name", standard), ("units", units)];
            made.array(
                3,
                name,
                ("float64", "\"NaN\""),
                dimensions,
                &members,
                Some(float64(&values)),
            );
        }
        let warnings = made.found(Wanted::default()).into_iter();
        warnings.filter(|it| it.contains("warning")).collect::<String>()
    };
    for turn in [0.0, 360.0] {
        assert_eq!(of("-162.0", turn), "");
    }
    let told = of("162.0", 0.0);
    assert!(told.starts_with("lon: warning related-values") && told.contains("2 of 2"), "{told}");
}

#[test]
fn ranges_are_as_far_apart_as_they_say() {
    let of = |step: f64| {
        let mut made = Made::default();
        made.group(3, "", "{}");
        made.group(3, "sweep_0", "{}");
        let values: Vec<f64> = (0..8).map(|n| (f64::from(n) + 0.5) * step).collect();
        let members = [("meters_between_gates", "250.0"), ("units", "\"meters\"")];
        let float = ("float64", "\"NaN\"");
        let bytes = Some(float64(&values));
        made.array(3, "sweep_0/range", float, &[("range", 8)], &members, bytes);
        made
    };
    assert_eq!(of(250.0).found(Wanted::default()), Vec::<String>::new());
    finds(
        &of(0.25),
        "km",
        "warning related-values|are 0.25 apart, and meters_between_gates is 250",
    );
    finds(&of(500.0), "every other gate", "note related-values|are 500 apart");
    // The first gate, at its own distance, in a part that begins later, and without it.
    let first = |distance: &str| {
        let mut made = of(250.0);
        let document = made.0.remove("sweep_0/range/zarr.json").unwrap();
        let attributes =
            format!("\"meters_to_center_of_first_gate\": {distance}, \"meters_between");
        let document =
            String::from_utf8(document).unwrap().replace("\"meters_between", &attributes);
        made.put("sweep_0/range", "zarr.json", document);
        made
    };
    for distance in ["125.0", "25.0"] {
        assert_eq!(first(distance).found(Wanted::default()), Vec::<String>::new(), "{distance}");
    }
    let told = "warning related-values|begin at 125, and meters_to_center_of_first_gate is 2125";
    finds(&first("2125.0"), "without it", told);
}

#[test]
fn a_box_around_the_data_has_the_longitude_first() {
    let of = |bbox: &str| {
        let mut made = Made::default();
        made.group(3, "", &format!(r#"{{"stac_discovery": {{"bbox": {bbox}}}}}"#));
        made.group(3, "a", "{}");
        let members = [("standard_name", "\"latitude\""), ("units", "\"degrees_north\"")];
        let values = float64(&[42.3, 44.0, 49.1]);
        made.array(3, "a/lat", ("float64", "0.0"), &[("lat", 3)], &members, Some(values));
        made
    };
    let told = "a/lat: warning related-values|latitudes from 42.3 to 49.1 are the longitudes of bbox, whose latitudes are 11 to 13";
    finds(&of("[42.3, 11.0, 49.1, 13.0]"), "latitude first", told);
    for bbox in ["[11.0, 42.3, 13.0, 49.1]", "[11.0, 42.3, 0.0, 13.0, 49.1, 9.0]", "[1.0, 2.0]"] {
        assert_eq!(of(bbox).found(Wanted::default()), Vec::<String>::new(), "{bbox}");
    }
}

#[test]
fn marks_that_were_averaged_are_told_beside_the_finer_level() {
    let of = |is_averaged: bool| {
        let mut made = Made::default();
        // A lake, and single elements.
        let missing = |row: i64, column: i64| {
            (row - 15) * (row - 15) + (column - 17) * (column - 17) < 30
                || row % 8 == 3 && column % 8 == 3
        };
        let fine = |row: i64, column: i64| {
            if missing(row, column) { -9999 } else { row * 10 + column }
        };
        let coarse = |row: i64, column: i64| {
            let all: Vec<i64> = [(0, 0), (0, 1), (1, 0), (1, 1)]
                .map(|by| fine(row * 2 + by.0, column * 2 + by.1))
                .to_vec();
            let known = || all.iter().filter(|it| **it > -9999);
            match known().count() {
                0 => -9999,
                _ if is_averaged => all.iter().sum::<i64>() / 4,
                count => known().sum::<i64>() / i64::try_from(count).unwrap(),
            }
        };
        made.group(3, "", "{}");
        for (group, side, value) in
            [("0", 32, &fine as &dyn Fn(i64, i64) -> i64), ("1", 16, &coarse)]
        {
            made.group(3, group, "{}");
            let values = (0..side * side).map(|at| value(at / side, at % side));
            let bytes = Some(int64(&values.collect::<Vec<_>>()));
            let side = side.unsigned_abs();
            let (dimensions, members) = ([("y", side), ("x", side)], [("_FillValue", "-9999")]);
            made.array(
                3,
                &format!("{group}/dem"),
                ("int64", "-9999"),
                &dimensions,
                &members,
                bytes,
            );
        }
        made
    };
    assert_eq!(of(false).found(Wanted::default()), Vec::<String>::new());
    let told = "1/dem: warning related-values|are between the mark of missing ones, -9999, and all of the finer \"0/dem\"";
    finds(&of(true), "averaged", told);
}

#[test]
fn places_that_flags_call_no_data_are_missing_elsewhere() {
    let of = |none: f64, other: f64| {
        let mut made = Made::default();
        made.group(3, "", "{}");
        let flags: Vec<i64> = (0..64).map(|at| if at < 20 { 0 } else { 4 + at % 2 }).collect();
        let members = [("flag_values", "[0, 4, 5]"), ("flag_meanings", "\"no_data plant soil\"")];
        let dimensions = [("y", 8), ("x", 8)];
        made.array(3, "scl", ("int64", "9"), &dimensions, &members, Some(int64(&flags)));
        let value = |at: u8| {
            if at < 20 {
                none
            } else if at == 40 {
                other
            } else {
                f64::from(at) / 99.0
            }
        };
        let values = (0..64).map(value).collect::<Vec<f64>>();
        made.array(3, "red", ("float64", "\"NaN\""), &dimensions, &[], Some(float64(&values)));
        made
    };
    let told =
        "scl: warning related-values|\"red\" is -0.1 in all 20 places that \"scl\" calls no data";
    finds(&of(-0.1, 0.5), "scaled", told);
    // Named by an attribute, missing, and a number that is there elsewhere as well.
    let mut named = of(-0.1, 0.5);
    let document = String::from_utf8(named.0.remove("red/zarr.json").unwrap()).unwrap();
    let document = document.replace("\"attributes\": {", "\"attributes\": {\"nodata\": -0.1");
    named.put("red", "zarr.json", document);
    assert_eq!(named.found(Wanted::default()), Vec::<String>::new());
    assert_eq!(of(f64::NAN, 0.5).found(Wanted::default()), Vec::<String>::new());
    assert_eq!(of(0.5, 0.5).found(Wanted::default()), Vec::<String>::new());
}

#[test]
fn sums_among_amounts_are_told_from_where_they_begin() {
    // Four chunks of eight steps, of which some are summed from the start of each chunk.
    let of = |summed: &dyn Fn(usize) -> bool| {
        let mut made = Made::default();
        made.group(3, "", "{}");
        let names = "\"dimension_names\": [\"time\", \"y\", \"x\"],";
        let document = zarr_json(&[32, 4, 4], "float64", "-1.0", names, &[]);
        made.put(
            "tp",
            "zarr.json",
            document.replace("\"chunk_shape\": [32,", "\"chunk_shape\": [8,"),
        );
        for chunk in 0..4 {
            let amount = |at: usize| ((chunk * 128 + at) * 7919 % 31) as f64;
            let sum =
                |at: usize| (0..=at / 16).map(|step| amount(step * 16 + at % 16)).sum::<f64>();
            let value = |at: usize| if summed(chunk) { sum(at) } else { amount(at) };
            let bytes: Vec<u8> = (0..128).flat_map(|at| value(at).to_le_bytes()).collect();
            made.put("tp", &format!("c/{chunk}/0/0"), bytes);
        }
        made
    };
    let told = "tp: warning related-values|[16] along dimension 0 (time), values only rise from one page to the next, in 14 of 14 steps";
    finds(&of(&|chunk| chunk > 1), "after", &format!("{told}|from [16]"));
    finds(&of(&|chunk| chunk < 2), "before", &format!("{told}|before [16]"));
    for summed in [true, false] {
        assert_eq!(of(&|_| summed).found(Wanted::default()), Vec::<String>::new(), "{summed}");
    }
    assert_eq!(of(&|chunk| chunk % 2 == 0).found(Wanted::default()), Vec::<String>::new());
    // What rises by little, and varies later, is no sum.
    let mut slow = of(&|_| false);
    for chunk in 0..2 {
        let value = |at: usize| ((at * 7919 % 31) as f64) + (chunk * 8 + at / 16) as f64 / 100.0;
        let bytes: Vec<u8> =
            (0..128).flat_map(|at| value(at % 16 + at / 16 * 16 % 16).to_le_bytes()).collect();
        slow.put("tp", &format!("c/{chunk}/0/0"), bytes);
    }
    assert_eq!(slow.found(Wanted::default()), Vec::<String>::new());
}

#[test]
fn directions_that_were_averaged_across_north_are_told() {
    let of = |odd: Option<f64>| {
        let mut made = Made::default();
        made.group(3, "", "{}");
        let mut add = |name: &str, standard: &str, value: &dyn Fn(f64) -> f64| {
            let standard = format!("{standard:?}");
            let members = [("standard_name", standard.as_str())];
            let values = floats((0..40).map(|at| value(f64::from(at))));
            made.array(3, name, ("float64", "\"NaN\""), &[("time", 40)], &members, values);
        };
        // From 340 on to 20, in steps of 1.
        let from = |at: f64| (340.0 + at).rem_euclid(360.0);
        add("u", "x_wind", &|at| -5.0 * from(at).to_radians().sin());
        add("v", "y_wind", &|at| -5.0 * from(at).to_radians().cos());
        let own = |at: f64| odd.filter(|_| at > 19.5 && at < 20.5).unwrap_or_else(|| from(at));
        add("wd", "wind_from_direction", &own);
        made
    };
    for fine in [None, Some(359.0), Some(30.0)] {
        assert_eq!(of(fine).found(Wanted::default()), Vec::<String>::new(), "{fine:?}");
    }
    let told =
        "wd: warning related-values|1 of 40 elements, the first at [20]: 180 and 0|across north";
    finds(&of(Some(180.0)), "wd", told);
}

#[test]
fn sums_of_nothing_are_told() {
    let of = |sum: f64| {
        let mut made = Made::default();
        made.group(3, "", "{}");
        let is_none = |at: usize| at % 10 == 3;
        let of = |none: f64, some: &dyn Fn(usize) -> f64| {
            floats((0..200).map(|at| if is_none(at) { none } else { some(at) }))
        };
        let dimensions = [("station", 5), ("time", 40)];
        let counts: Vec<i64> = (0..200).map(|at| i64::from(!is_none(at)) * 28).collect();
        made.array(3, "n_obs", ("int64", "-1"), &dimensions, &[], Some(int64(&counts)));
        let float = ("float64", "\"NaN\"");
        let pr = of(sum, &|at| if at % 3 == 0 { 0.0 } else { at as f64 / 4.0 });
        let members = [("cell_methods", "\"time: sum\"")];
        made.array(3, "pr", float, &dimensions, &members, pr);
        made.array(3, "tas", float, &dimensions, &[], of(f64::NAN, &|at| (at % 17) as f64));
        made
    };
    assert_eq!(of(f64::NAN).found(Wanted::default()), Vec::<String>::new());
    let told = "pr: warning related-values|\"pr\" is 0 in all 20 elements where \"n_obs\" is 0, and \"tas\" is missing there";
    finds(&of(0.0), "pr", told);
}

#[test]
fn an_end_after_the_last_data_is_told() {
    let of = |end: &str, stored: usize| {
        let mut made = Made::default();
        made.group(3, "", &format!("{{\"time_coverage_end\": {end:?}}}"));
        time(&mut made, 3, &(0..10).collect::<Vec<i64>>(), &[]);
        for name in ["pr", "tas"] {
            let value = |at: usize| if at / 4 < stored { at as f64 } else { f64::NAN };
            let dimensions = [("time", 10), ("place", 4)];
            let values = floats((0..40).map(value));
            made.array(3, name, ("float64", "\"NaN\""), &dimensions, &[], values);
        }
        made
    };
    for (end, stored) in [("2000-01-10", 10), ("2000-01-10T00:00:00Z", 10)] {
        assert_eq!(of(end, stored).found(Wanted::default()), Vec::<String>::new(), "{end}");
    }
    let told = "warning cf-time-units|time_coverage_end is \"2000-01-10\", and none of 2 variables has data after 2000-01-07|, [6]: from 2000-01-08";
    finds(&of("2000-01-10", 7), "end", told);
}

#[test]
fn objects_that_are_cut_at_the_borders_of_blocks_are_told() {
    // Discs of 20 elements across, 32 apart, so that those around multiples of 64 are on both sides of them.
    let of = |is_cut: bool| {
        let mut made = with_labels(3);
        let one = multiscales(3).replace(&format!(", {}", level("1", "[1, 2, 2.0]")), "");
        for path in ["", "labels/cells"] {
            made.0.retain(|key, _| {
                !key.starts_with(&format!("{path}/1/").trim_start_matches('/').to_owned())
            });
            made.group(3, path, &attributes(3, &one, ""));
        }
        let label = |at: usize| {
            let (row, column) = (at / 192 % 192, at % 192);
            let disc = |at: usize| ((at + 16) / 32, (at + 16) % 32);
            let ((y, down), (x, across)) = (disc(row), disc(column));
            let is_in = down.abs_diff(16).pow(2) + across.abs_diff(16).pow(2) <= 100;
            let block = if is_cut { row / 64 * 3 + column / 64 } else { 0 };
            if is_in { i64::try_from(1 + y * 7 + x + block * 49).unwrap() } else { 0 }
        };
        let dimensions = [("c", 2), ("y", 192), ("x", 192)];
        for path in ["0", "labels/cells/0"] {
            let values = Some(int64(&(0..2 * 192 * 192).map(label).collect::<Vec<_>>()));
            made.array(3, path, ("int64", "0"), &dimensions, &[], values);
        }
        made
    };
    assert_eq!(of(false).found(Wanted::default()), Vec::<String>::new());
    let told = "labels/cells/0: warning related-values|labels change at rows 64, 128 and columns 64, 128|elsewhere 0 of";
    finds(&of(true), "cut", told);
}

#[test]
fn arrays_without_dimensions_that_their_group_names_are_told() {
    let of = |names: [&str; 2]| {
        let mut made = Made::default();
        let conventions = declared(&[SPATIAL]);
        let members =
            [("zarr_conventions", conventions.as_str()), ("spatial:dimensions", "[\"y\", \"x\"]")];
        made.group(3, "", &object(&members));
        for name in ["red", "green"] {
            let values = Some((0..96).collect());
            let dimensions = [(names[0], 8), (names[1], 12)];
            made.array(3, name, ("uint8", "0"), &dimensions, &[], values);
        }
        made
    };
    assert_eq!(of(["y", "x"]).found(Wanted::default()), Vec::<String>::new());
    let told = "warning zarr-convention|spatial:dimensions is [\"y\",\"x\"], and no array of this group, such as \"green\", has dimension_names";
    finds(&of(["", ""]), "names", told);
}

/// What looks like a fault, and is none.
#[test]
fn other_planets_and_flags_among_numbers_are_silent() {
    let pressure = |title: &str| {
        let mut made = Made::default();
        made.group(3, "", &format!("{{\"title\": {title:?}}}"));
        let members = [("standard_name", "\"surface_air_pressure\""), ("units", "\"Pa\"")];
        let values = floats((0..40).map(|at| 500.0 + f64::from(at) * 9.0));
        made.array(3, "ps", ("float64", "\"NaN\""), &[("cell", 40)], &members, values);
        made
    };
    finds(
        &pressure("air at the ground, by MARS"),
        "Earth",
        "ps: warning cf-units|usual in \"hPa\"",
    );
    assert_eq!(pressure("air of Mars").found(Wanted::default()), Vec::<String>::new());
    let ice = |many: u8, units: Members<'_>| {
        let mut made = Made::default();
        made.group(3, "", "{}");
        let members =
            [&[("flag_values", "[251, 252]"), ("flag_meanings", "\"coast land\"")], units].concat();
        let values = (0..100_u8).map(|at| if at < 80 { at % many } else { 251 + at % 2 }).collect();
        made.array(3, "ice", ("uint8", "255"), &[("cell", 100)], &members, Some(values));
        made
    };
    finds(&ice(4, &[]), "classes", "ice: warning cf-flags|the value 0 is not one of the 2 values");
    for (many, units) in [(80, &[][..]), (4, &[("units", "\"percent\"")])] {
        assert_eq!(ice(many, units).found(Wanted::default()), Vec::<String>::new());
    }
}

/// Texts are one array of fixed length in V2, of four bytes a letter.
fn texts_of(texts: &[&str]) -> Made {
    let longest = texts.iter().map(|it| it.chars().count()).max().unwrap();
    let unit = |(text, at): (&str, usize)| text.chars().nth(at).map_or(0, u32::from).to_le_bytes();
    let units = texts.iter().flat_map(|text| (0..longest).map(move |at| unit((text, at))));
    let mut made = Made::default();
    made.group(2, "", "{}");
    let data_type = format!("U{longest}");
    let bytes: Vec<u8> = units.flatten().collect();
    let document = zarray(&[texts.len() as u64], "float64", "null");
    made.put("names", ".zarray", document.replace("<f8", &format!("<{data_type}")));
    made.put("names", "0", bytes);
    made
}

#[test]
fn texts_that_were_printed_or_misread_are_told() {
    let silent =
        |texts: &[&str]| assert_eq!(texts_of(texts).found(Wanted::default()), Vec::<String>::new());
    let printed = ["b'AAAC-1'", "b'AAAG-1'", "b'AACT-1'", "b\"AA'-1\""];
    let told = "names: warning related-values|all 4 texts are bytes as Python prints them, the first \"b'AAAC-1'\"";
    finds(&texts_of(&printed), "printed", told);
    silent(&["b'AAAC-1'", "AAAG-1", "b'AACT-1'", "b'AACC-1'"]);
    silent(&["bee", "bird", "bat", "b''"]);
    let misread = [
        "Ch\u{c3}\u{a2}tillon",
        "Paris",
        "Tr\u{c3}\u{a8}ves",
        "B\u{c3}\u{a9}ziers",
        "N\u{c3}\u{ae}mes",
    ];
    let told = "names: warning related-values|4 of 5 texts are UTF-8 that was read as Windows-1252 or Latin-1|for \"Châtillon\"";
    finds(&texts_of(&misread), "misread", told);
    silent(&["Châtillon", "Paris", "Trèves", "Béziers", "Nîmes"]);
}

#[test]
fn rows_that_were_scanned_to_and_fro_are_told() {
    // Discs of several sizes; odd rows are moved by some columns.
    let of = |by: usize| {
        let mut made = Made::default();
        made.group(3, "", "{}");
        let value = |at: usize| {
            let (row, column) = (at / 96, at % 96 + if at / 96 % 2 == 1 { by } else { 0 });
            let is_in = |disc: usize| {
                let (y, x, r) = (disc * 37 % 96, disc * 53 % 96, 3 + disc % 5);
                row.abs_diff(y).pow(2) + column.abs_diff(x).pow(2) <= r * r
            };
            let discs = (0..30).filter(|disc| is_in(*disc)).count();
            i64::try_from(100 + discs * 80 + at * 7919 % 13).unwrap()
        };
        let values = Some(int64(&(0..96 * 96).map(value).collect::<Vec<_>>()));
        made.array(3, "movie", ("int64", "0"), &[("y", 96), ("x", 96)], &[], values);
        made
    };
    assert_eq!(of(0).found(Wanted::default()), Vec::<String>::new());
    finds(&of(4), "4", "movie: warning related-values|every second row is moved by 4 columns");
}

#[test]
fn months_that_were_counted_by_another_calendar_are_told() {
    let of = |calendar: &str| {
        let mut made = Made::default();
        made.group(3, "", "{}");
        // Six years from 1988-01-01 on, as days since 0001-01-01 by the Gregorian calendar.
        let february = |month: usize| if (month / 12).is_multiple_of(4) { 29 } else { 28 };
        let length = |month: usize| match month % 12 {
            1 => february(month),
            3 | 5 | 8 | 10 => 30,
            _ => 31,
        };
        let next = |day: &mut i64, month| Some(std::mem::replace(day, *day + length(month)));
        let days: Vec<i64> = (0..72).scan(725_736, next).collect();
        let calendar = format!("{calendar:?}");
        let members = [("units", "\"days since 0001-01-01\""), ("calendar", calendar.as_str())];
        time(&mut made, 3, &days, &members);
        made
    };
    assert_eq!(of("proleptic_gregorian").found(Wanted::default()), Vec::<String>::new());
    let told = "time: warning cf-time-units|counted in the calendar \"proleptic_gregorian\"|each of the 72 is the first of a month, from 1988-01-01";
    finds(&of("standard"), "standard", told);
}

#[test]
fn logarithms_that_were_taken_twice_are_told() {
    let of = |log: &dyn Fn(f64) -> f64| {
        let mut made = Made::default();
        made.group(3, "", r#"{"encoding-type": "anndata"}"#);
        let table = r#"{"encoding-type": "dataframe", "_index": "id", "column-order": []}"#;
        for (path, length) in [("obs", 24), ("var", 3)] {
            made.group(3, path, table);
            let ids: Vec<i64> = (0..length).collect();
            let dimensions = [("", length.unsigned_abs())];
            made.array(
                3,
                &format!("{path}/id"),
                ("int64", "0"),
                &dimensions,
                &[],
                Some(int64(&ids)),
            );
        }
        made.group(3, "uns", r#"{"encoding-type": "dict"}"#);
        made.group(3, "uns/log1p", r#"{"encoding-type": "dict"}"#);
        let value = |at: usize| {
            let parts = [0, 1, 2].map(|gene| (1 + (at / 3 * 7 + gene * 5) % 11) as f64);
            log(parts[at % 3] / parts.iter().sum::<f64>() * 1e4)
        };
        let members = [("encoding-type", "\"array\"")];
        let dimensions = [("", 24), ("", 3)];
        made.array(3, "X", ("float64", "0.0"), &dimensions, &members, floats((0..72).map(value)));
        made
    };
    for log in [&f64::ln_1p as &dyn Fn(f64) -> f64, &|value| value, &|value| {
        value.ln_1p().ln_1p() + 0.01 * value.sin()
    }] {
        assert_eq!(of(log).found(Wanted::default()), Vec::<String>::new());
    }
    let told =
        "X: warning related-values|each row of \"X\" adds up to 10000 once expm1 was taken twice";
    finds(&of(&|value| value.ln_1p().ln_1p()), "twice", told);
}

#[test]
fn nodes_are_where_their_objects_are() {
    let of = |names: [&str; 3]| {
        let axes = r#"{"geff": {"directed": true, "axes": [{"name": "t"}, {"name": "y"}, {"name": "x"}], "track_node_props": null}}"#;
        let number = |of: &dyn Fn(usize) -> usize| {
            (0..12).map(|at| of(at).to_string()).collect::<Vec<_>>().join(" ")
        };
        let (ids, t, y, x) = (
            number(&|at| at),
            number(&|at| at / 6),
            number(&|at| 2 + at % 6),
            number(&|at| 11 - at % 6 * 2),
        );
        let labels = number(&|at| at + 1);
        let mut made = counted(&[
            ("", "{}"),
            ("g", axes),
            ("g/nodes", "{}"),
            ("g/nodes/ids", &ids),
            ("g/nodes/props", "{}"),
            ("g/edges", "{}"),
        ]);
        for (name, values) in names.into_iter().chain(["seg_id"]).zip([&t, &y, &x, &labels]) {
            let path = format!("g/nodes/props/{name}");
            made.0.extend(counted(&[(&path, "{}"), (&format!("{path}/values"), values)]).0);
        }
        made.put("g/edges/ids", ".zarray", zarray(&[1, 2], "int64", "null"));
        made.put("g/edges/ids", "0/0", int64(&[0, 6]));
        let mut pixels = vec![0; 2 * 12 * 12];
        for at in 0..12 {
            pixels[at / 6 * 144 + (2 + at % 6) * 12 + 11 - at % 6 * 2] =
                i64::try_from(at).unwrap() + 1;
        }
        let dimensions = [("", 2), ("", 12), ("", 12)];
        made.array(2, "labels", ("int64", "null"), &dimensions, &[], None);
        made.put("labels", "0/0/0", int64(&pixels));
        made
    };
    assert_eq!(of(["t", "y", "x"]).found(Wanted::default()), Vec::<String>::new());
    let told = "g/nodes/ids: warning related-values|with \"y\" and \"x\" exchanged, 100 % of 12 nodes are where \"labels\" has their seg_id";
    finds(&of(["t", "x", "y"]), "exchanged", told);
}

#[test]
fn windows_above_all_pixels_are_told() {
    let of = |start: u8| {
        let mut made = Made::default();
        let channel = |label: &str, start: u8| {
            format!(
                r#"{{"label": {label:?}, "color": "FF0000", "window": {{"min": 0, "max": 255, "start": {start}, "end": 250}}}}"#
            )
        };
        let channels =
            format!(r#", "omero": {{"channels": [{}, {}]}}"#, channel("a", 2), channel("b", start));
        let one = multiscales(3).replace(&format!(", {}", level("1", "[1, 2, 2.0]")), "");
        made.group(3, "", &attributes(3, &one, &channels));
        let dimensions = [("c", 2), ("y", 8), ("x", 8)];
        let pixels = (0..128_u8).map(|at| at % 16 + 10).collect();
        made.array(3, "0", ("uint8", "0"), &dimensions, &[], Some(pixels));
        made
    };
    assert_eq!(of(100).found(Wanted::default()), Vec::<String>::new());
    let told = "0: warning related-values|the window of channel 1 (\"b\") in omero.channels goes from 150 to 250, and its pixels from 10 to 25";
    finds(&of(150), "dark", told);
}
