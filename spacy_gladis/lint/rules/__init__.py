"""The built-in rules, one class per module. `lint/registry.py` lists them."""
