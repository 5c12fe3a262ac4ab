"""Systems that find and resolve the acronyms in whole texts."""
