"""spaCy components that find acronyms in text and tell what each one means there."""

__version__ = "0.1.0"
