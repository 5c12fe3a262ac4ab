"""Sampling, training loops and checkpoints; no spaCy."""
