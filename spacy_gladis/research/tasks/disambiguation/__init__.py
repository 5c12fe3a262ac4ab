"""Task: disambiguate acronyms, on the data of GLADIS, SciAD, SDU-21 and SDU-22."""
