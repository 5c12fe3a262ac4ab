"""Target sense verification: does a word have a given sense here? (WiC-TSV, EACL 2021)."""
