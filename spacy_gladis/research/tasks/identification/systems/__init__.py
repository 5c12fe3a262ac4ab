"""Systems that mark acronyms and long forms, one file each."""
