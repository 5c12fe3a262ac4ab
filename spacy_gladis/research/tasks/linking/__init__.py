"""Linking of phrases to the concepts of an inventory (COMETA and others)."""
