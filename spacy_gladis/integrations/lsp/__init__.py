"""A language server, which shows and explains acronyms in editors."""
