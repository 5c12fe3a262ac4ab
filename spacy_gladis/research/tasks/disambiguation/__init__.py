"""Acronym disambiguation: GLADIS, SciAD, SDU-21 and SDU-22."""
