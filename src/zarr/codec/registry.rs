//! Which codecs there are: one line each.
