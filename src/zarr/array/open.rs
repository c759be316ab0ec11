//! An array by its path: one step to its values.

use crate::zarr::prelude::*;
use crate::zarr::{data_type::native::Primitive, store::shown};

/// An array that is read with the usual limits, to its end. [`Hierarchy`] has what is around it.
#[derive(Debug)]
pub struct Array {
    hierarchy: Hierarchy,
    path: NodePath,
    metadata: Arc<ArrayMetadata>,
}

impl Array {
    /// The array at `path`, a folder, a `.zip`, or an array in one of them.
    ///
    /// # Errors
    ///
    /// If nothing is there, it is no array, or its document says nothing usable.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let (hierarchy, target) = Hierarchy::open(path)?;
        let node = hierarchy.node(&target.node);
        let no_array = |found| {
            Err(Error::new(Code::NotAnArray, found, "an array")
                .in_file(shown(path).to_string_lossy()))
        };
        match node.kind {
            NodeKind::Array(metadata) => Ok(Self { hierarchy, path: node.path, metadata }),
            NodeKind::Broken(error) => Err(error),
            NodeKind::Group(_) => no_array("a group"),
            NodeKind::Folder => no_array("a folder without Zarr metadata"),
        }
    }

    /// Shape, data type, chunk grid, codecs and attributes, each of them a value or the reason why there is none.
    pub fn metadata(&self) -> &ArrayMetadata {
        &self.metadata
    }

    /// The reader of regions, for other limits, a stop, or many regions.
    ///
    /// # Errors
    ///
    /// If shape, data type, chunk grid or codecs are not known.
    pub fn reader(&self) -> Result<ArrayReader<'_>> {
        ArrayReader::new(&*self.hierarchy.store, &self.path, &self.metadata)
    }

    /// The elements of `region`, one range of indices for each dimension, in C order.
    ///
    /// # Errors
    ///
    /// If the data type is another than `T`, `region` is not within the array, or a chunk cannot be decoded.
    pub fn read<T: Primitive>(&self, region: &[Range<u64>]) -> Result<Vec<T>> {
        self.reader()?.read_region(region, &Budget::default())
    }
}
