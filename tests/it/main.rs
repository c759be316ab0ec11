//! All integration tests in one binary: it links once.

mod byte_order;
mod check;
mod codecs;
mod corpus;
mod documents;
mod exact_floats;
mod hierarchy;
mod statistics;
mod stores;
mod vectors_types;
