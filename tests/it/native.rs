//! Data types by their NumPy names, there and back, and scalars from what a program has: as zarr-python's
//! `from_native_dtype` and `cast_scalar`.

use crate::laws_types::TYPES;
use std::sync::Arc;
use zarrscope::zarr::{
    Code, DataType, DataTypes, Endian, Json, Result,
    data_type::{ByteOrder, Family, Plain, Resolved, Scope},
    npy,
    spelling::typed::WantedType,
};

/// A name and the type string that NumPy 2.5.5 gives it on 64-bit Linux.
const NAMES: &[(&str, &str)] = &[
    ("?", "|b1"),
    ("b", "|i1"),
    ("B", "|u1"),
    ("h", "<i2"),
    ("H", "<u2"),
    ("i", "<i4"),
    ("I", "<u4"),
    ("l", "<i8"),
    ("L", "<u8"),
    ("q", "<i8"),
    ("Q", "<u8"),
    ("p", "<i8"),
    ("P", "<u8"),
    ("n", "<i8"),
    ("N", "<u8"),
    ("e", "<f2"),
    ("f", "<f4"),
    ("d", "<f8"),
    ("F", "<c8"),
    ("D", "<c16"),
    (">h", ">i2"),
    ("=d", "<f8"),
    (">D", ">c16"),
    ("bool", "|b1"),
    ("bool_", "|b1"),
    ("byte", "|i1"),
    ("ubyte", "|u1"),
    ("short", "<i2"),
    ("ushort", "<u2"),
    ("intc", "<i4"),
    ("uintc", "<u4"),
    ("long", "<i8"),
    ("ulong", "<u8"),
    ("longlong", "<i8"),
    ("ulonglong", "<u8"),
    ("int", "<i8"),
    ("uint", "<u8"),
    ("int_", "<i8"),
    ("intp", "<i8"),
    ("uintp", "<u8"),
    ("half", "<f2"),
    ("single", "<f4"),
    ("double", "<f8"),
    ("float", "<f8"),
    ("csingle", "<c8"),
    ("cdouble", "<c16"),
    ("complex", "<c16"),
    ("int16", "<i2"),
    (">u4", ">u4"),
    ("S5", "|S5"),
    ("U3", "<U3"),
    (">U2", ">U2"),
    ("V4", "|V4"),
    ("M8[10s]", "<M8[10s]"),
    ("T", "T"),
    ("str", "T"),
    ("|O", "|O"),
];

#[test]
fn names_are_those_of_numpy() {
    let registry = DataTypes::default();
    for (name, wanted) in NAMES {
        let Resolved { data_type, order, notes } = registry.from_numpy(name).unwrap();
        assert_eq!(data_type.numpy(&order), Some(Json::from(*wanted)), "{name}");
        let depends = matches!(
            *name,
            "l" | "L" | "p" | "P" | "n" | "N" | "long" | "ulong" | "intp" | "uintp"
        );
        assert_eq!(notes.iter().any(|note| note.code == Code::DtypeSpelling), depends, "{name}");
    }
    for (refused, fix) in [
        ("str96", "<U3"),
        ("bytes40", "S5"),
        ("void32", "V4"),
        ("a5", "S5"),
        ("str33", "size in bits"),
        (">short", ""),
        ("S0", ""),
        ("float128", "long double"),
        ("g", ""),
        ("object", "use string for text"),
    ] {
        let error = registry.from_numpy(refused).unwrap_err();
        assert!(error.fix.clone().unwrap_or_default().contains(fix), "{refused}: {error}");
    }
}

#[test]
fn every_type_goes_to_numpy_and_back() {
    let registry = DataTypes::default();
    let mut gone = 0;
    for data_type in TYPES.iter() {
        for endian in [Endian::Little, Endian::Big] {
            let ordered = data_type.has_byte_order();
            let order = if ordered { ByteOrder::All(endian) } else { ByteOrder::NotApplicable };
            let Ok(head) = npy::head(data_type.as_ref(), &order, &[]) else { continue };
            if !head.is_native {
                continue;
            }
            // A type string stands in quotes there, a struct is a list.
            let back = registry.from_numpy(head.descr.trim_matches('\'')).unwrap();
            assert_eq!(
                back.data_type.to_v2(&back.order).ok(),
                data_type.to_v2(&order).ok(),
                "{}",
                head.descr
            );
            gone += 1;
        }
    }
    assert!(gone > 40, "{gone}");
}

#[test]
fn a_dictionary_of_fields_is_a_struct() {
    let registry = DataTypes::default();
    let fields = |name: &str| {
        let resolved = registry.from_numpy(name).unwrap();
        (resolved.data_type.numpy(&resolved.order).unwrap().to_string(), resolved.notes.len())
    };
    let list = fields("[('a', '>i2'), ('b', '<f4', (2, 2))]");
    let dictionary = "{'names': ['a', 'b'], 'formats': ['>i2', ('<f4', (2, 2))]}";
    assert_eq!(fields(dictionary), list);
    let packed = dictionary.replace('}', ", 'offsets': [0, 2], 'itemsize': 18}");
    assert_eq!(fields(&packed), list);
    // NumPy puts gaps between aligned fields; Zarr has none.
    let aligned = dictionary.replace('}', ", 'offsets': [0, 4], 'itemsize': 20}");
    assert_eq!(fields(&aligned), (list.0, 1));
    let wanted = WantedType { text: dictionary, object_codec: None, format: None, endian: None };
    assert!(wanted.resolve(&registry).unwrap().is_numpy);
}

/// A family that reads what another one reads.
#[derive(Debug)]
struct Second;

impl Family for Second {
    fn name(&self) -> &'static str {
        "Second"
    }

    fn from_v2(&self, _: &Json, _: Option<&str>, _: &Scope<'_>) -> Option<Result<Resolved>> {
        None
    }

    fn from_v3(&self, _: &Json, _: &Scope<'_>) -> Option<Result<Resolved>> {
        None
    }

    fn from_numpy(&self, name: &str, _: &Scope<'_>) -> Option<Result<Resolved>> {
        (name == "i2" || name == "<i2").then(|| DataTypes::default().from_numpy("int16"))
    }

    fn examples(&self) -> Vec<Arc<dyn DataType>> {
        Vec::new()
    }
}

#[test]
fn a_name_that_two_families_read_is_an_error_that_names_both() {
    let mut registry = DataTypes::default();
    registry.register(Arc::new(Second));
    let error = registry.from_numpy("<i2").unwrap_err();
    assert_eq!(error.code, Code::AmbiguousName);
    assert!(error.found.contains("Int16") && error.found.contains("Second"), "{error}");
    let within = registry.from_numpy("[('a', '<i2')]").unwrap_err();
    assert_eq!(within.code, Code::AmbiguousName);
    assert!(registry.from_numpy("int16").is_ok());
    let typed = |text| WantedType { text, object_codec: None, format: None, endian: None };
    assert_eq!(typed("i2").resolve(&registry).unwrap_err().code, Code::AmbiguousName);
    assert!(typed("i4").resolve(&registry).is_ok());
    let scope = Scope { registry: &registry, depth: 0 };
    let readers: Vec<_> = registry
        .families()
        .filter(|family| family.from_numpy("<i2", &scope).is_some_and(|it| it.is_ok()))
        .map(|family| family.name())
        .collect();
    assert_eq!(readers, ["Int16", "Second"]);
}

/// A text as a scalar of a data type: as zarr-python 3.4.2 casts it (`np.…` left out), or refused.
const CASTS: &[(&str, &str, Option<&str>)] = &[
    ("int8", "3", Some("3")),
    ("int8", "-3", Some("-3")),
    ("int8", "300", None),
    ("int8", "3.0", None),
    ("int8", "0x10", None),
    ("uint16", "300", Some("300")),
    ("uint16", "-3", None),
    ("int64", "9223372036854775807", Some("9223372036854775807")),
    ("float16", "1e3", Some("1000.0")),
    ("float32", "NaN", Some("NaN")),
    ("float32", "-Infinity", Some("-Infinity")),
    ("float64", "inf", Some("Infinity")),
    ("float64", "1.5", Some("1.5")),
    ("float64", "0x10", None),
    ("float64", "", None),
    ("complex64", "1+2j", Some("1.0+2.0i")),
    ("complex64", "2j", Some("0.0+2.0i")),
    ("complex64", "(1-2j)", Some("1.0-2.0i")),
    ("complex64", "1.5", Some("1.5+0.0i")),
    ("complex64", "1e-3-2e+1j", Some("0.001-20.0i")),
    ("complex64", "j", Some("0.0+1.0i")),
    ("complex64", "1+j2", None),
    ("complex64", "1 + 2j", None),
    ("M8[s]", "2020", Some("2020-01-01T00:00:00")),
    ("M8[s]", "2020-01-02T03:04:05Z", Some("2020-01-02T03:04:05")),
    ("M8[D]", "-0044-03-15", Some("-0044-03-15")),
    ("M8[M]", "2020-01", Some("2020-01")),
    ("M8[ns]", "nat", Some("NaT")),
    ("M8[ms]", "2020-01-02 03:04:05.5", Some("2020-01-02T03:04:05.500")),
    ("M8", "2020", None),
    ("M8", "NaT", Some("NaT")),
    ("m8[s]", "-3", Some("-3 s")),
    ("m8[10us]", "3", Some("30 us")),
    ("m8[s]", "NaT", Some("NaT")),
    ("m8[s]", "3.0", None),
    ("U3", "abc", Some("\"abc\"")),
    ("S3", "abc", Some("b\"abc\"")),
    ("S3", "ä", None),
    ("str", "abcd", Some("\"abcd\"")),
    ("V3", "abc", None),
    // zarr-python 3.4.2 takes these, and makes something else of them: what DataType::cast says of it.
    ("bool", "True", None),
    ("bool", "", None),
    ("int8", " 3 ", None),
    ("int8", "1_0", None),
    ("U3", "abcd", None),
    ("S3", "abcd", None),
    ("M8[s]", "2020-01-02T03:04:05.5", None),
    ("M8[ns]", "0003-01-01", None),
    ("M8[M]", "2020-01-02", None),
    ("M8[s]", "", None),
    ("M8[s]", "now", None),
    ("M8[s]", "2020-01-02T03:04:05+01:00", None),
];

/// The values of which zarr-python 3.4.2 makes something else: the exceptions of `DataType::cast`.
#[test]
fn values_are_cast_to_what_they_are() {
    let registry = DataTypes::default();
    let bytes = || Plain::Bytes(b"3".to_vec());
    for (name, plain, is_taken) in [
        ("bool", Plain::Int(1), true),
        ("bool", Plain::Int(3), false),
        ("bool", Plain::Float(1.0), false),
        ("int8", Plain::Bool(true), true),
        ("int8", Plain::Float(2.0), true),
        ("int8", Plain::Float(2.5), false),
        ("int8", bytes(), false),
        ("float32", Plain::Bool(true), false),
        ("float32", bytes(), false),
        ("complex64", Plain::Bool(true), false),
        ("M8[s]", Plain::Bool(true), false),
        ("m8[s]", bytes(), false),
        ("U3", Plain::Int(3), false),
        ("S3", Plain::Int(3), false),
        ("S3", bytes(), true),
        ("str", Plain::Int(3), false),
        ("V3", bytes(), false),
        ("|O", bytes(), true),
        ("|O", Plain::Text("abc".into()), false),
        ("int8", Plain::List(vec![Plain::Int(1)]), false),
    ] {
        let data_type = registry.from_numpy(name).unwrap().data_type;
        assert_eq!(data_type.cast(&plain).is_ok(), is_taken, "{name} {plain:?}");
    }
}

#[test]
fn texts_are_cast() {
    let registry = DataTypes::default();
    for (name, text, wanted) in CASTS {
        let data_type = registry.from_numpy(name).unwrap().data_type;
        let plain = Plain::Text((*text).into());
        let cast = data_type.cast(&plain);
        assert_eq!(
            cast.as_ref().ok().map(ToString::to_string).as_deref(),
            *wanted,
            "{name} {text:?}"
        );
        assert_eq!(data_type.cast(&plain).is_ok(), wanted.is_some(), "{name} {text:?}");
    }
}
