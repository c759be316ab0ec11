//! Something that is asked for.

use crate::zarr::Error;

/// What a pane has to show.
#[derive(Debug, Clone, Default)]
pub enum Load<T> {
    /// Nobody has asked for it.
    #[default]
    Idle,
    /// Asked for, not here yet.
    Pending,
    /// Here.
    Ready(T),
    /// Could not be had.
    Failed(Error),
}

impl<T> Load<T> {
    /// What is here.
    #[must_use]
    pub fn ready(&self) -> Option<&T> {
        match self {
            Self::Ready(value) => Some(value),
            Self::Idle | Self::Pending | Self::Failed(_) => None,
        }
    }

    /// Whether it was asked for and is not here yet.
    #[must_use]
    pub fn is_pending(&self) -> bool {
        matches!(self, Self::Pending)
    }
}
