"""Data and settings for training a detector of acronyms and long forms (SciAI, SDU-22, Ab3P)."""
