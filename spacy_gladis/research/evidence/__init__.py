"""Fitting of the linker's evidence weights on labelled texts, as `train evidence` does."""
