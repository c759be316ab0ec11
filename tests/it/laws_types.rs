//! Laws that hold for every data type and every input.

use proptest::prelude::*;
use std::{
    sync::{Arc, LazyLock},
    time::{Duration, Instant},
};
use zarrscope::zarr::{
    ByteOrder, Code, DataTypes, Endian, Format, Json, Scalar,
    data_type::{DataType, ItemSize, Plain},
    json::{Kind, Text},
};

static REGISTRY: LazyLock<DataTypes> = LazyLock::new(DataTypes::default);

const ORDERS: [ByteOrder; 2] = [ByteOrder::All(Endian::Little), ByteOrder::All(Endian::Big)];
const FORMATS: [Format; 2] = [Format::V2, Format::V3];

/// One of every kind, and some that the gallery does not show.
pub(crate) static TYPES: LazyLock<Vec<Arc<dyn DataType>>> = LazyLock::new(|| {
    let named = [
        "[('a', '>i2'), ('b', 'f4')]",
        "[('n', [('x', 'S3'), ('y', '<U2')]), ('t', 'M8[10us]'), ('z', 'bool')]",
        "[('v', '<i2', (2, 3)), ('w', 'c8')]",
        "V1",
        "U1",
        "S1",
        "timedelta64[7D]",
    ];
    let more = named.into_iter().map(|name| REGISTRY.from_numpy(name).unwrap().data_type);
    REGISTRY.families().flat_map(|family| family.examples()).chain(more).collect()
});

fn a_type() -> impl Strategy<Value = Arc<dyn DataType>> {
    (0..TYPES.len()).prop_map(|at| TYPES[at].clone())
}

/// Strings that come near to something.
fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        "[<>|=]?[biufcmMSUVO]?[0-9]{0,4}(\\[[0-9]{0,3}[YMDhmsnu]{0,3}\\])?",
        "r[0-9]{1,20}",
        "0x[0-9a-fA-F+€]{0,18}",
        "[A-Za-z0-9+/=_ -]{0,16}",
        prop::sample::select(vec![
            "name",
            "configuration",
            "must_understand",
            "fields",
            "data_type",
            "unit",
            "scale_factor",
            "length_bytes",
            "struct",
            "structured",
            "numpy.datetime64",
            "numpy.timedelta64",
            "int16",
            "float32",
            "bool",
            "string",
            "bytes",
            "raw_bytes",
            "null_terminated_bytes",
            "NaN",
            "NaT",
            "fixed_length_utf32",
            "Infinity",
            "-Infinity",
            "complex64",
            "int4",
            "a",
            "b",
            "x",
            "ns",
        ])
        .prop_map(str::to_owned),
        any::<String>(),
    ]
}

fn number() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<i64>().prop_map(|n| n.to_string()),
        "-?(0|[1-9][0-9]{0,30})(\\.[0-9]{1,30})?([eE][+-]?[0-9]{1,12})?",
        prop::sample::select(vec!["NaN", "Infinity", "-Infinity", "-0", "-0.0"])
            .prop_map(str::to_owned),
    ]
}

fn json() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Kind::Null),
        any::<bool>().prop_map(Kind::Bool),
        number().prop_map(|text| Kind::Number(text.into())),
        (word(), any::<bool>())
            .prop_map(|(text, lone_surrogate)| (text.into(), lone_surrogate))
            .prop_map(|(text, lone_surrogate)| Kind::String(Text { text, lone_surrogate })),
    ]
    .prop_map(Json::made);
    leaf.prop_recursive(6, 64, 6, |inner| {
        let member = (word(), inner.clone());
        prop_oneof![
            prop::collection::vec(inner, 0..6).prop_map(|items| Json::made(Kind::Array(items))),
            prop::collection::vec(member, 0..6).prop_map(Json::object),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn no_data_type_makes_a_parser_panic(json in json(), codec in prop::option::of(word()), name in word()) {
        for resolved in [
            REGISTRY.from_v2(&json, codec.as_deref()),
            REGISTRY.from_v3(&json),
            REGISTRY.from_numpy(&name),
        ].into_iter().flatten() {
            every_question(&*resolved.data_type, &resolved.order);
        }
    }

    #[test]
    fn no_fill_value_makes_a_parser_panic(json in json(), data_type in a_type(), v3 in any::<bool>()) {
        let format = FORMATS[usize::from(v3)];
        let order = data_type.default_order();
        if let Ok(read) = data_type.fill_from_json(&json, format, &order) {
            prop_assert!(data_type.encode(&read.value, &order).is_ok());
            prop_assert!(!read.value.to_string().contains(char::is_control));
        }
    }

    #[test]
    fn bytes_scalar_json_and_back(
        data_type in a_type(),
        bytes in prop::collection::vec(any::<u8>(), 64),
        length in 0..64_usize,
        big in any::<bool>(),
        v3 in any::<bool>(),
    ) {
        let (order, format) = (&ORDERS[usize::from(big)], FORMATS[usize::from(v3)]);
        let length = data_type.item_size().fixed().unwrap_or(length);
        prop_assume!(length <= bytes.len());
        let scalar = data_type.decode(&bytes[..length], order).unwrap();
        let again = data_type.encode(&scalar, order).unwrap();
        if data_type.significant_bits().is_none() && !data_type.name().contains("float4") && !data_type.name().contains("float6") {
            prop_assert_eq!(&again, &bytes[..length], "{}", data_type.name());
        }
        prop_assert_eq!(&data_type.decode(&again, order).unwrap(), &scalar);
        if let Ok(json) = data_type.fill_to_json(&scalar, format, order) {
            let json = Json::parse_str(&json.to_string()).unwrap();
            let read = data_type.fill_from_json(&json, format, order);
            let read = read.map_err(|error| TestCaseError::fail(format!("{} {json:?}: {error}", data_type.name())))?;
            prop_assert_eq!(&read.value, &scalar, "{}", data_type.name());
            let written = data_type.fill_to_json(&read.value, format, order).unwrap();
            prop_assert_eq!(written.to_string(), json.to_string());
        }
        let _ = data_type.anatomy(&scalar, order);
    }

    #[test]
    fn casts_give_their_own_scalars(data_type in a_type(), value in any::<i64>(), float in any::<f64>(), text in ".{0,5}") {
        for plain in [
            Plain::Int(value.into()), Plain::Int((value % 3).into()), Plain::Float(float), Plain::Bool(value % 2 == 0),
            Plain::Text(text.clone()), Plain::Bytes(text.into_bytes()), Plain::Complex(float, 1.0),
        ] {
            match data_type.cast(&plain) {
                Ok(scalar) => prop_assert!(data_type.encode(&scalar, &data_type.default_order()).is_ok()),
                Err(error) => prop_assert!(!error.found.is_empty() && !error.expected.is_empty()),
            }
        }
    }
}

/// Asks a data type everything that takes no element, and a few zero bytes.
fn every_question(data_type: &dyn DataType, order: &ByteOrder) {
    let _ = (data_type.name(), data_type.description(), data_type.notes(), data_type.numpy(order));
    let _ = (data_type.to_v2(order), data_type.to_v3(), data_type.native(), data_type.kind());
    let scalar = data_type.default_scalar();
    for format in FORMATS {
        let _ = data_type.fill_to_json(&scalar, format, order);
    }
    let _ = (scalar.to_string(), data_type.anatomy(&scalar, order));
    if let ItemSize::Fixed(size @ 0..=4096) = data_type.item_size() {
        assert_ne!(size, 0);
        assert_eq!(data_type.encode(&scalar, order).map(|bytes| bytes.len()), Ok(size));
    }
}

/// Work that may not cost time or memory, with a limit that a debug build on a busy machine keeps.
fn quickly<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let out = work();
    let elapsed = start.elapsed();
    assert!(elapsed < Duration::from_secs(10), "{what} took {elapsed:?}");
    out
}

/// Reads a number as a type of this name.
fn reads(name: &str, number: &str) -> bool {
    let json = Json::made(Kind::Number(number.into()));
    let data_type = REGISTRY.from_numpy(name).unwrap().data_type;
    let order = data_type.default_order();
    quickly(name, || data_type.fill_from_json(&json, Format::V3, &order)).is_ok()
}

#[test]
fn absurd_numbers_are_refused_or_rounded_quickly() {
    for text in ["1e999999999999999999999", "-1e-999999999999999999999"] {
        for name in ["int16", "float16", "float64", "datetime64[s]", "bool", "str"] {
            assert_eq!(
                reads(name, text),
                name.starts_with("float") || name == "str",
                "{name} {text}"
            );
        }
    }
    let nines = "9".repeat(1_000_000);
    assert!(reads("float64", &nines) && !reads("int16", &nines) && !reads("str", &nines));
    assert!(reads("float64", &format!("0.{}1", "0".repeat(1_000_000))));
}

#[test]
fn claims_of_size_take_no_memory() {
    for dtype in ["|S99999999999", "|V99999999999", "<U99999999999", "<M8[1099511627776s]"] {
        assert!(REGISTRY.from_v2(&Json::from(dtype), None).is_err(), "{dtype}");
    }
    let text =
        r#"{"name":"numpy.datetime64","configuration":{"unit":"s","scale_factor":1099511627776}}"#;
    assert!(REGISTRY.from_v3(&Json::parse_str(text).unwrap()).is_err());
    for dtype in [
        r#""|S2147483647""#,
        r#""|V2147483647""#,
        r#""<U536870911""#,
        r#"[["a","|V2000000000"],["b","<i4",[30000000]]]"#,
    ] {
        let resolved = REGISTRY.from_v2(&Json::parse_str(dtype).unwrap(), None).unwrap();
        quickly(dtype, || every_question(&*resolved.data_type, &resolved.order));
    }
}

#[test]
fn deep_and_wide_structs_are_quick() {
    let deep = format!("{}\"|u1\"{}", "[[\"f\",".repeat(10_000), "]]".repeat(10_000));
    assert!(
        quickly("a deep text", || Json::parse_str(&deep)
            .and_then(|json| REGISTRY.from_v2(&json, None)))
        .is_err()
    );
    // Deeper than a document can be, as JSON that was made and not read.
    let mut json = Json::from("|u1");
    for _ in 0..2_000 {
        let field = Json::made(Kind::Array(vec![Json::from("f"), json]));
        json = Json::made(Kind::Array(vec![field]));
    }
    assert_eq!(REGISTRY.from_v2(&json, None).unwrap_err().code, Code::NestedTooDeep);

    let open = r#"{"name":"struct","configuration":{"fields":[{"name":"f","data_type":"#;
    let nested = format!("{}\"int16\"{}", open.repeat(240), "}]}}".repeat(240));
    let nested = Json::parse_str(&nested).unwrap();
    let resolved = quickly("240 levels", || REGISTRY.from_v3(&nested)).unwrap();
    quickly("questions to 240 levels", || every_question(&*resolved.data_type, &resolved.order));

    let fields: Vec<String> = (0..100_000).map(|at| format!("[\"f{at}\",\">i4\"]")).collect();
    let wide = Json::parse_str(&format!("[{}]", fields.join(","))).unwrap();
    let resolved = quickly("100,000 fields", || REGISTRY.from_v2(&wide, None)).unwrap();
    assert_eq!(resolved.data_type.item_size(), ItemSize::Fixed(400_000));
    quickly("questions to 100,000 fields", || {
        every_question(&*resolved.data_type, &resolved.order);
    });
    let zeros = vec![0; 400_000];
    let scalar =
        quickly("one element", || resolved.data_type.decode(&zeros, &resolved.order)).unwrap();
    assert!(matches!(scalar, Scalar::Struct(fields) if fields.len() == 100_000));
}

#[test]
fn deep_literals_are_quick() {
    let open = "[('a', ".repeat(5_000);
    for text in [open.clone(), format!("{open}'i4'{}", ")]".repeat(5_000)), "[".repeat(100_000)] {
        assert!(quickly("a literal", || REGISTRY.from_numpy(&text)).is_err());
    }
}
