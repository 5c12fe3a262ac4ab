"""Task: find the acronyms that an abstract defines, with their long forms (Ab3P's corpus)."""
