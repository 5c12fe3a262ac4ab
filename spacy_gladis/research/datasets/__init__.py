"""Readers of benchmark data sets, with one module for each file format."""
