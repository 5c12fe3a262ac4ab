"""Mining: definitions of a corpus, counted and sampled, and the exports made of them."""
