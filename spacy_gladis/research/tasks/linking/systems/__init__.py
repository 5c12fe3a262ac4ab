"""Systems that link phrases to concepts: COMETA's and ours."""
