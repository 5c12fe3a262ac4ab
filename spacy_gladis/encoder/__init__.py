"""The transformer encoder: its tokenizer, its weights, and the engines that run it."""
