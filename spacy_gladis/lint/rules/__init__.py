"""The built-in lint rules, one class per module. `lint/registry.py` lists them."""
