"""Searches with and without expansion of the acronyms."""
