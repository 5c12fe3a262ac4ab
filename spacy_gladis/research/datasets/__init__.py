"""The readers of the benchmarks, one a format, and the records they give."""
