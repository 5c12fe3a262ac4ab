"""Other systems for the same tasks, one file each."""
