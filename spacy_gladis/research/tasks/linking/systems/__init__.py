"""Systems that link phrases to concepts, both those of the COMETA paper and this package's own."""
