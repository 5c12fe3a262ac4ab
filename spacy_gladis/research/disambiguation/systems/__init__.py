"""Systems that disambiguate acronyms, one file each; `registry.py` finds them by name."""
