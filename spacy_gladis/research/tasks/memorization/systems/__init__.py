"""Systems that label texts or tokens, one per file."""
