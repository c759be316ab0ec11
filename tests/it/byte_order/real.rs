//! Numbers that somebody published: `tests/data/byte_order`.

use super::{Row, false_alarms, table};
use std::{collections::BTreeMap, fs, path::Path};
use zarrscope::zarr::{
    DataTypes, Endian,
    byte_order::{Verdict, WideComponent, components, judge},
    bytes::Bytes,
    codec::{Elements, Places},
    data_type::Resolved,
};

/// A data type by its NumPy name.
pub(crate) fn resolve(name: &str) -> Resolved {
    DataTypes::default().from_numpy(name).unwrap()
}

/// Elements of a NumPy type.
pub(crate) fn elements(dtype: &str, shape: &[u64], bytes: Vec<u8>) -> Elements {
    let Resolved { data_type, order, .. } = resolve(dtype);
    let size = data_type.item_size().fixed().unwrap();
    let (places, bytes) = (Places::Fixed(size), Bytes::whole(bytes));
    Elements::new(data_type, order, shape.to_vec(), false, places, bytes)
}

/// Every component of every element turned round.
pub(super) fn swap(bytes: &[u8], size: usize, components: &[WideComponent]) -> Vec<u8> {
    let mut out = bytes.to_vec();
    for element in out.chunks_mut(size) {
        for WideComponent { offset, width, count, .. } in components {
            for word in element[*offset..offset + width * count].chunks_mut(*width) {
                word.reverse();
            }
        }
    }
    out
}

fn report(name: &str, dtype: &str, verdict: &Verdict) {
    if std::env::var_os("SHOW").is_some() || verdict.contradicts() {
        println!("{name} {dtype}: {:?} {:#?}", verdict.plausible, verdict.evidence);
    }
}

#[test]
fn published_data() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/byte_order");
    let bytes = fs::read(folder.join("real.bin")).unwrap();
    let mut rest = bytes.as_slice();
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    for line in fs::read_to_string(folder.join("real.tsv")).unwrap().lines() {
        let [name, dtype, shape] = line.split('\t').collect::<Vec<_>>()[..] else { panic!() };
        let shape: Vec<u64> = shape.split(',').map(|n| n.parse().unwrap()).collect();
        let size = resolve(dtype).data_type.item_size().fixed().unwrap();
        let (own, others) = rest.split_at(size * shape.iter().product::<u64>() as usize);
        rest = others;
        let truth = elements(dtype, &shape, own.to_vec());
        let parts = components(truth.data_type().as_ref(), truth.order(), &own[..size]);
        let lie = elements(dtype, &shape, swap(own, size, &parts));
        let row = rows.entry(truth.data_type().name()).or_default();
        let (truth, lie) = (judge(&truth), judge(&lie));
        report(name, dtype, &truth);
        row.truths.add(Endian::Little, &truth);
        row.liars.add(Endian::Big, &lie);
    }
    assert!(rest.is_empty());
    let rows: Vec<_> = rows.into_iter().collect();
    insta::assert_snapshot!(table(&rows));
    assert_eq!(false_alarms(&rows), 0);
}
