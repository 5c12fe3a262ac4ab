"""Metrics for the components.

They give the same scores as the official scorers of the data sets.
"""
