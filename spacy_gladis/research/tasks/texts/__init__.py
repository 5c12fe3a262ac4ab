"""Whole texts: finding and resolving all of their acronyms."""
