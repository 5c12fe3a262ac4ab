"""Identification: acronyms and long forms marked in texts (SciAI, SDU-21 and SDU-22)."""
