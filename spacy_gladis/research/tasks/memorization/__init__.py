"""Labels of texts and of tokens, scored by similarity to training (Elangovan et al. 2021)."""
