"""Task: find and resolve all acronyms in whole texts."""
