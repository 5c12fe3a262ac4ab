"""Mining: extract definitions and samples from a corpus, count them, and export them."""
