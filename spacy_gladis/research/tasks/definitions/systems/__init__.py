"""Systems that find definitions of acronyms in texts. A file has related systems."""
