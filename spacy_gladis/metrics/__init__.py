"""Metrics of the components. They reproduce the official scorers of the data sets."""
