"""Systems that verify the sense of a word in its context. A file has related systems."""
