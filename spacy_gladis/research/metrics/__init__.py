"""Metrics that give the same results as the scorers that the papers published."""
