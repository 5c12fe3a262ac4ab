"""One folder a benchmark: its reader, its protocol, its report."""
