//! Reading `.zarray`, `.zgroup` and `.zattrs`.
