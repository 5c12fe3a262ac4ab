"""The acronym linter, which reports problems with the acronyms of documents and can fix some."""
