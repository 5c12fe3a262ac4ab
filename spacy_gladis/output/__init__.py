"""What a reader gets of annotated documents: records, pages, glossaries, expanded texts."""
