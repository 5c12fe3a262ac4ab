"""Metrics that only research reports, identical to the papers' published scorers."""
