"""Acronyms and long forms in six languages: SDU-22's extraction task, by its official scorer."""
