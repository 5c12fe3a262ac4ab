"""Task: decide whether a word has a given sense in its context (WiC-TSV)."""
