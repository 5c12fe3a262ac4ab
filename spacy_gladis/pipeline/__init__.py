"""spaCy components that find the acronyms of a text and resolve them to their long forms."""
