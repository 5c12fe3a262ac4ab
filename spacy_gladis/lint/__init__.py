"""The linter: what is wrong with the acronyms of documents, where, and how to put it right."""
