"""Fit the weights of the linker's evidence on labelled texts: `train evidence`."""
