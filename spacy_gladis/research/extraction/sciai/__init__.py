"""Acronyms and long forms in sentences of tokens: SciAI (SDU-21), by the official scorer."""
