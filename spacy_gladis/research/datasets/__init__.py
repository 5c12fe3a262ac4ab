"""Readers of the benchmarks, one per format, and the records that they return."""
