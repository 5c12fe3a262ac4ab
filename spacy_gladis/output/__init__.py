"""Conversion of annotated documents to records, tables, pages, glossaries and expanded texts."""
