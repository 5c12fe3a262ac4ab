"""Mining of raw corpora, which finds definitions of acronyms and creates training samples."""
