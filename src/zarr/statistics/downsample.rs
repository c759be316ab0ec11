//! A slice of a chunk as a small grid of means.

use super::{
    Column, HeatMap,
    heat_map::Gather,
    raster::{Raster, widths},
};
use crate::zarr::budget::to_usize;

/// The number of elements looked at for one picture, however large the slice is.
const MOST: u64 = 1 << 18;

/// Makes a grid of means out of the region of a raster, the column beginning at `origin`. No more than some hundred
/// thousand elements are looked at: of larger cells, evenly spaced ones.
pub fn downsample(
    column: &Column,
    raster: &Raster,
    origin: &[u64],
    stop: &dyn Fn() -> bool,
) -> HeatMap {
    let (rows, columns) = (raster.row_count(), raster.columns.len().saturating_sub(1));
    let (mut map, cells) = (HeatMap::default(), rows.saturating_mul(columns));
    let dimensions = column.elements().shape().len();
    if cells == 0 || cells as u64 > MOST || dimensions != raster.region.len() {
        return map;
    }
    (map.rows, map.columns) = (rows, columns);
    // Equally many along both sides of each cell, so that the cost is the same for every shape.
    let quota = (MOST / cells as u64).isqrt().max(1);
    map.sampled = [&raster.rows, &raster.columns]
        .into_iter()
        .any(|bounds| widths(bounds).any(|width| width > quota));
    let starts = raster.region.iter().map(|range| range.start);
    let mut at: Vec<u64> = starts.zip(origin).map(|(at, from)| at - from).collect();
    let mut go = |axis: usize, index: u64| {
        if let (Some(place), Some(from)) = (at.get_mut(axis), origin.get(axis)) {
            *place = index - from;
        }
        column.elements().position(&at)
    };
    for (row, high) in raster.rows.windows(2).enumerate() {
        if stop() {
            map.rows = row;
            break;
        }
        for wide in raster.columns.windows(2) {
            let mut cell = Gather::default();
            for y in sample(high, quota) {
                raster.down.map(|down| go(down, y));
                for x in sample(wide, quota) {
                    cell.add(column, go(raster.right, x));
                }
            }
            map.cells.push(cell.finish());
        }
    }
    map
}

/// At most `quota` places between these ends, evenly spaced.
fn sample(ends: &[u64], quota: u64) -> impl Iterator<Item = u64> + use<> {
    let (start, end) = match ends {
        [start, end] => (*start, *end),
        _ => (0, 0),
    };
    let step = (end - start).div_ceil(quota.max(1)).max(1);
    (start..end).step_by(to_usize(step))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zarr::{
        ByteOrder, DataTypes, Json,
        bytes::Bytes,
        codec::{Elements, Places},
        statistics::whole,
    };

    #[test]
    fn a_map_is_sampled_if_blocks_are_long_along_either_side() {
        let data_type = DataTypes::default().from_v3(&Json::from("uint8")).unwrap().data_type;
        // Of two cells, each may have 362 elements a side.
        for (shape, is_sampled) in [([2, 3000], true), ([3000, 2], true), ([300, 300], false)] {
            let (order, bytes) = (ByteOrder::NotApplicable, Bytes::whole(vec![1; 90_000]));
            let elements = Elements::new(
                data_type.clone(),
                order,
                shape.to_vec(),
                false,
                Places::Fixed(1),
                bytes,
            );
            let (rows, columns) = if shape[0] > shape[1] { (2, 1) } else { (1, 2) };
            let bounds = |length: u64, cells: u64| (0..=cells).map(move |at| at * length / cells);
            let raster = Raster {
                down: Some(0),
                right: 1,
                region: shape.iter().map(|&length| 0..length).collect(),
                rows: bounds(shape[0], rows).collect(),
                columns: bounds(shape[1], columns).collect(),
                ..Raster::default()
            };
            let map = downsample(&whole(&elements, None), &raster, &[0, 0], &|| false);
            assert_eq!((map.sampled, map.cells.len()), (is_sampled, 2), "{shape:?}");
        }
    }
}
