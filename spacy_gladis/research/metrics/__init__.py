"""Metrics of the papers that research alone reports, exact to their publishers' scorers."""
