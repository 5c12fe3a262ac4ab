"""Target sense verification: does a word have this sense here (WiC-TSV)?"""
