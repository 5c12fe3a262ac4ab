"""Definitions in abstracts: corpora in BioC XML such as Ab3P's, scored by exact pairs."""
