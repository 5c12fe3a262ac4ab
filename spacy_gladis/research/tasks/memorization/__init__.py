"""Classification of texts and tokens, scored by similarity to training (Elangovan et al. 2021)."""
