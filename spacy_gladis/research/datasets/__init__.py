"""Readers of benchmark data sets, one for each format, and the records that they return."""
