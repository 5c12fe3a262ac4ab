"""Leakage between training and test data (Elangovan et al., EACL 2021)."""
