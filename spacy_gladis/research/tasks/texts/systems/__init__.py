"""Systems that find and resolve the acronyms of texts."""
