"""A language server that shows and explains acronyms in editors."""
