"""Definitions: pairs of an acronym and its long form in abstracts (Ab3P's corpus)."""
