//! Minimum, maximum, mean, counts and a histogram, over windows of bytes.
