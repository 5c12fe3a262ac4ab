"""Prepare the training of acronym and long form extraction (SciAI, COLING 2020; SDU-22; Ab3P)."""
