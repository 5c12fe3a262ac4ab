"""The weights of the linker's evidence, fitted on labelled texts: `train evidence`."""
