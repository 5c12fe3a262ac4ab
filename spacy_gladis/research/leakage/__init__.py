"""Detection and removal of test data in training data (Elangovan et al., EACL 2021)."""
