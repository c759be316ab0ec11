//! A store that is a `.zip` file.
