"""spaCy components that find, resolve and link acronyms."""
