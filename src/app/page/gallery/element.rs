//! The element in the playground, as bytes and bits.

use crate::app::prelude::*;
use crate::zarr::data_type::components::{Component, components};

/// The element that was typed, with a cursor over its bits.
#[derive(Clone)]
pub struct TriedElement {
    /// Its data type.
    pub data_type: Arc<dyn DataType>,
    /// The order of its bytes.
    pub order: ByteOrder,
    /// Its bytes, in that order.
    pub bytes: Vec<u8>,
    /// Its components; never none.
    pub components: Vec<Component>,
    /// The component under the cursor.
    pub component: usize,
    /// The bit of it under the cursor, counted from the most significant.
    pub bit: u32,
}

impl TriedElement {
    /// An element of `data_type`.
    ///
    /// # Errors
    ///
    /// A sentence that says why `bytes` are none, or why it has no bits to edit.
    pub(super) fn new(
        data_type: &Arc<dyn DataType>,
        order: &ByteOrder,
        bytes: Vec<u8>,
    ) -> Result<Self, String> {
        let components = components(&**data_type, order)?;
        let size = data_type.fixed_size().unwrap_or(0);
        if bytes.len() != size || components.is_empty() {
            let name = safe_owned(&data_type.name());
            let (needs, has) = (words::byte_count(size), bytes.len());
            return Err(format!("An element of {name} has {needs}; {has} typed."));
        }
        let (data_type, order) = (Arc::clone(data_type), order.clone());
        Ok(Self { data_type, order, bytes, components, component: 0, bit: 0 })
    }

    /// The component under the cursor.
    pub fn here(&self) -> Option<&Component> {
        self.components.get(self.component)
    }

    /// The value of the bytes in their order.
    pub fn value(&self) -> Option<Scalar> {
        self.data_type.decode(&self.bytes, &self.order).ok()
    }

    /// The same bytes, read in the other byte order; `None` where there is none.
    pub fn misread(&self) -> Option<Scalar> {
        let other = self.order.swapped();
        self.order.applies().then(|| self.data_type.decode(&self.bytes, &other).ok())?
    }

    /// The bytes of the same value in the other byte order, or of another value in the same; `None` where there is none.
    pub fn swapped_bytes(&self) -> Option<Vec<u8>> {
        let mut bytes = self.bytes.clone();
        self.order.applies().then_some(())?;
        self.data_type.reorder(&mut bytes, &self.order, &self.order.swapped()).ok()?;
        Some(bytes)
    }

    /// The value as a fill value of `format`.
    ///
    /// # Errors
    ///
    /// If the format cannot write it: why.
    pub fn fill_json(&self, format: Format) -> Result<String, String> {
        let Some(value) = self.value() else { return Err("no value".into()) };
        let written = self.data_type.fill_to_json(&value, format, &self.order);
        written.map(|json| json.to_string()).map_err(|note| note.text)
    }

    /// Puts the cursor on this bit of this component, as far as they are there.
    pub(super) fn place(&mut self, (component, bit): (usize, u32)) {
        self.component = component.min(self.components.len().saturating_sub(1));
        self.bit = bit.min(self.here().map_or(0, |here| here.bits().saturating_sub(1)));
    }

    /// Moves the cursor by so many bits, from one component into the next.
    fn step(&mut self, by: i64) {
        let before: u32 = self.components.iter().take(self.component).map(Component::bits).sum();
        let last = self.components.iter().map(Component::bits).sum::<u32>().saturating_sub(1);
        let at = (i64::from(before) + i64::from(self.bit)).saturating_add(by);
        let mut left = u32::try_from(at.clamp(0, last.into())).unwrap_or(0);
        for (component, bits) in self.components.iter().map(Component::bits).enumerate() {
            if left < bits {
                (self.component, self.bit) = (component, left);
                return;
            }
            left -= bits;
        }
    }
}

impl GalleryPage {
    /// Moves the cursor over the bits: by one, by a byte, or to either end.
    pub(super) fn step(&mut self, motion: Motion) {
        let Ok(element) = &mut self.element else { return };
        element.step(match motion {
            Motion::Left => -1,
            Motion::Right => 1,
            Motion::Up | Motion::HalfUp => -8,
            Motion::Down | Motion::HalfDown => 8,
            Motion::PageUp => -64,
            Motion::PageDown => 64,
            Motion::First | Motion::RowStart => i64::MIN / 2,
            Motion::Last | Motion::RowEnd => i64::MAX / 2,
            Motion::Window(_) => 0,
        });
    }

    /// Flips the bit under the cursor.
    pub(super) fn flip(&mut self) {
        let Ok(element) = &self.element else { return };
        let mut bytes = element.bytes.clone();
        if let Some(component) = element.here() {
            component.flip(element.bit, &mut bytes);
        }
        self.set_bytes(&bytes);
    }
}
