"""Searches for similar texts: the nearest training text, and all pairs above a threshold."""
