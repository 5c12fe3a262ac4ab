"""Fitting of the linker's feature weights on labelled texts, for the command `train evidence`."""
