"""Task: mark acronyms and long forms in texts, on the data of SciAI, SDU-21 and SDU-22."""
