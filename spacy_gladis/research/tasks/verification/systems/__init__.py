"""Systems that verify a target sense, one per file."""
