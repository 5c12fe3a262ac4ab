"""Output of annotated documents as records, pages, glossaries and expanded texts."""
