"""Systems that find definitions, one file each."""
