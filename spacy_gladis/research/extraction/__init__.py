"""Which spans are acronyms and long forms? (SciAI, COLING 2020; SDU-22; Ab3P)."""
