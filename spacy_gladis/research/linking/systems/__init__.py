"""Systems that link phrases to concepts: those of COMETA (EMNLP 2020) and ours, one file each."""
