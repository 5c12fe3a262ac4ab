"""Systems that link phrases to concepts: those of the COMETA paper and the package's own."""
