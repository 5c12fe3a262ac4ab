"""Documents out of files of many, one file a format."""
