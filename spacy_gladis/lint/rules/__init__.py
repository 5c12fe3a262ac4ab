"""The package's own rules, a class a file; `lint/registry.py` lists them."""
