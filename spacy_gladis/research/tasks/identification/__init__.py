"""Identification of acronyms and long forms in texts (SciAI, SDU-21 and SDU-22)."""
