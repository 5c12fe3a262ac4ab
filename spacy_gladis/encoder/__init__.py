"""The transformer encoder: word pieces, weights, and the engines that run it."""
