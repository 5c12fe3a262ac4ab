"""Metrics for the components, which reproduce the official scorers of the data sets."""
