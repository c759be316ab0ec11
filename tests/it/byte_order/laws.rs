//! Laws that hold for any bytes, and the judge's own words.

use super::{
    classes::TUNED,
    component,
    real::{elements, swap},
};
use proptest::prelude::*;
use std::{fmt::Write as _, fs, path::Path};
use zarrscope::zarr::{
    DataTypes, Endian,
    byte_order::{Verdict, components, judge, judge_bytes},
    bytes::Bytes,
    codec::{Elements, Places},
};

/// Some elements of any data type of the gallery, in either order.
fn any_elements() -> impl Strategy<Value = Elements> {
    let registry = DataTypes::default();
    let types = registry.families().flat_map(|family| family.examples());
    let types: Vec<_> = types.filter(|one| one.item_size().fixed().is_some()).collect();
    (0..types.len(), 0..300_usize, any::<bool>(), any::<u64>()).prop_map(
        move |(which, n, swapped, seed)| {
            let data_type = types[which].clone();
            let size = data_type.item_size().fixed().unwrap();
            let order = data_type.default_order();
            let order = if swapped { order.swapped() } else { order };
            let mut random = super::random::Random::new(seed);
            // Narrow, so that there is something to find: small differences, or few values a byte.
            let mask = [0xff, 0x0f, 0x81, 0x01][random.below(4) as usize];
            let step = random.below(9);
            let bytes = (0..n * size)
                .map(|at| ((random.next() & mask) + (at / size) as u64 * step) as u8)
                .collect();
            let (shape, bytes) = (vec![n as u64], Bytes::whole(bytes));
            Elements::new(data_type.clone(), order, shape, false, Places::Fixed(size), bytes)
        },
    )
}

/// The same verdict for the other order.
fn mirrored(verdict: &Verdict) -> Verdict {
    let word =
        |text: &String| text.replace("little", "\0").replace("big", "little").replace('\0', "big");
    Verdict {
        declared: verdict.declared.map(Endian::other),
        plausible: verdict.plausible.map(Endian::other),
        certainty: verdict.certainty,
        evidence: verdict.evidence.iter().map(word).collect(),
        components: verdict.components.iter().map(|(n, v)| (n.clone(), mirrored(v))).collect(),
    }
}

/// Abstentions name little before big; sorted, their words are the same.
fn comparable(mut verdict: Verdict) -> Verdict {
    if verdict.plausible.is_none() {
        verdict.evidence.clear();
    }
    verdict.components = verdict.components.into_iter().map(|(n, v)| (n, comparable(v))).collect();
    verdict
}

proptest! {
    #[test]
    fn swapped_bytes_that_say_so_get_the_mirrored_verdict(elements in any_elements()) {
        let size = elements.data_type().item_size().fixed().unwrap();
        let bytes = elements.bytes().as_whole().unwrap();
        let first = bytes.get(..size).unwrap_or_default();
        let parts = components(elements.data_type().as_ref(), elements.order(), first);
        let mirror = elements
            .over(Bytes::whole(swap(bytes, size, &parts)))
            .in_order(elements.order().swapped());
        prop_assert_eq!(comparable(mirrored(&judge(&elements))), comparable(judge(&mirror)));
    }

    #[test]
    fn the_declaration_does_not_sway_the_judge(elements in any_elements()) {
        let other = elements.in_order(elements.order().swapped());
        let (here, there) = (judge(&elements), judge(&other));
        prop_assert_eq!(here.plausible, there.plausible);
        prop_assert_eq!(here.evidence, there.evidence);
    }

    #[test]
    fn any_window_is_judged(elements in any_elements(), start in 0..200_u64, len in 0..200_usize) {
        let window = Bytes::window(vec![start as u8; len], start, elements.bytes().len());
        prop_assert!(!judge(&elements.over(window)).evidence.is_empty());
    }
}

#[test]
fn an_axis_may_be_longer_than_anything_that_is_stored() {
    let judged = |shape: Vec<u64>| {
        let data_type = DataTypes::default().from_numpy("<i4").unwrap().data_type;
        let bytes = (0..4000_u32).flat_map(|at| (1_000_000 + at * at).to_le_bytes()).collect();
        let bytes = Bytes::window(bytes, 0, u64::MAX);
        let order = data_type.default_order();
        judge(&Elements::new(data_type, order, shape, false, Places::Fixed(4), bytes))
    };
    let long = judged(vec![2, 1 << 62]);
    assert_eq!((long.plausible, &long), (Some(Endian::Little), &judged(vec![1 << 62])));
}

fn show(out: &mut String, title: &str, verdict: &Verdict) {
    let word = |order: Option<Endian>| order.map_or("inconclusive", Endian::word);
    writeln!(out, "{title}: declared {}, plausible {}", word(verdict.declared), verdict.in_words())
        .unwrap();
    for sentence in &verdict.evidence {
        writeln!(out, "    {sentence}").unwrap();
    }
}

/// Every class as a liar of a thousand elements: the text that somebody sees who has a problem.
#[test]
fn what_the_judge_says() {
    let mut out = String::new();
    for class in TUNED {
        for &kind in class.kinds.iter().take(1) {
            let little = class.little(kind, 1000, 1);
            let lie = component(kind, Endian::Big);
            let verdict = judge_bytes(&little, kind.width(), &[lie], &[1]);
            show(&mut out, class.name, &verdict);
        }
    }
    insta::assert_snapshot!(out);
}

#[test]
fn what_the_judge_says_when_there_is_little_to_say() {
    let mut out = String::new();
    let mut say = |title: &str, dtype: &str, bytes: &[u8]| {
        let size = super::real::resolve(dtype).data_type.item_size().fixed().unwrap();
        let shape = [bytes.len() as u64 / size as u64];
        show(&mut out, title, &judge(&elements(dtype, &shape, bytes.to_vec())));
    };
    say("bytes", "u1", &[1, 2, 3, 4]);
    say("nothing", "<i4", &[]);
    say("one number", "<i4", &[1, 2, 3, 4]);
    say("few numbers", ">i2", &[1, 2, 3, 4, 5, 6]);
    say("one value", "<f8", &[7; 800]);
    say("palindromes", "<i2", &[1, 1, 2, 2, 3, 3, 9, 9, 5, 5]);
    say("raw bytes", "V4", &[1; 40]);
    let upper: Vec<u8> = (0..200_u8).flat_map(|n| [0, n.wrapping_mul(77)]).collect();
    say("one byte varies", "<u2", &upper);
    let noise: Vec<u8> =
        (0..4000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    say("noise", "<u4", &noise);
    let pairs: Vec<u8> = (0..1500_u16)
        .flat_map(|n| [(n * 3).to_be_bytes(), (9000 - n).to_le_bytes()].concat())
        .collect();
    say("a struct that contradicts itself", "[('up', '<u2'), ('down', '<u2')]", &pairs);
    say("the same, told apart", "[('up', '>u2'), ('down', '<u2')]", &pairs);
    insta::assert_snapshot!(out);
}

/// The sample store about byte orders: raw chunks, each declared in its own document.
#[test]
fn the_sample_store_of_byte_orders() {
    let store = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-stores/byte-order");
    let mut out = String::new();
    for format in ["v2", "v3"] {
        for kind in [
            ("int16", "i2"),
            ("int32", "i4"),
            ("float32", "f4"),
            ("float64", "f8"),
            ("complex64", "c8"),
        ] {
            for (order, sign) in [("little", '<'), ("big", '>')] {
                let chunk = if format == "v2" { "0" } else { "c/0" };
                let path = format!("{format}/{}_{order}/{chunk}", kind.0);
                let bytes = fs::read(store.join(&path)).unwrap();
                let dtype = format!("{sign}{}", kind.1);
                let size = super::real::resolve(&dtype).data_type.item_size().fixed().unwrap();
                let shape = [(bytes.len() / size) as u64];
                let verdict = judge(&elements(&dtype, &shape, bytes));
                assert!(!verdict.contradicts(), "{path}");
                show(&mut out, &path, &verdict);
            }
        }
    }
    for chunk in 0..4 {
        let bytes = fs::read(store.join(format!("liar/c/{chunk}"))).unwrap();
        let verdict = judge(&elements("<f4", &[bytes.len() as u64 / 4], bytes));
        assert!(verdict.contradicts());
        show(&mut out, &format!("liar/c/{chunk}"), &verdict);
    }
    insta::assert_snapshot!(out);
}

/// Arrays that no rule can tell apart: the judge is wrong here, and its documentation says so.
#[test]
fn what_fools_the_judge() {
    let transposed = (0..4096_u16).flat_map(|n| (n % 256 * 256 + n / 256).to_le_bytes()).collect();
    let classes = (0..900_u16).flat_map(|n| (n / 3 * 5 % 11 * 256).to_le_bytes()).collect();
    for bytes in [transposed, classes] {
        let bytes: Vec<u8> = bytes;
        let verdict = judge(&elements("<u2", &[bytes.len() as u64 / 2], bytes));
        assert!(verdict.contradicts(), "{verdict:?}");
    }
}
