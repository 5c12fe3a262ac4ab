"""Linking phrases to concepts (COMETA, EMNLP 2020)."""
