"""Metrics of the research code, with the same results as the papers' published scorers."""
