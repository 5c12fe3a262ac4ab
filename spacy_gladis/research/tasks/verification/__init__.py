"""Target sense verification: whether a word has a given sense in a context (WiC-TSV)."""
