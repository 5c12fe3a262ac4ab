"""Systems that tag acronyms and long forms, one file each."""
