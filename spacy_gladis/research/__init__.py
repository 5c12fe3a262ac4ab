"""Build the dictionary, weights and figures, and reproduce the systems of five papers.

The library never imports this package. The command line imports it for the research commands only.
"""
