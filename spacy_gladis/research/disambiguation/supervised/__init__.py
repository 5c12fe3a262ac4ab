"""Acronym disambiguation by systems that learn from labelled samples: splits, costs, one table."""
