"""Systems for disambiguation, one file each."""
