"""Systems that link phrases to concepts: those of COMETA and ours."""
