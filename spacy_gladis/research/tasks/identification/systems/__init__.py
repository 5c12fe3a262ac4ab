"""Systems that mark acronyms and long forms in texts. A file has related systems."""
