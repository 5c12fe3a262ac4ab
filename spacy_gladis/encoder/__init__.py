"""Transformer encoder: tokenization, weights and inference engines."""
