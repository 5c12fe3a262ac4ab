"""Code that builds the packaged dictionary and weights, and reproduces the systems of five papers.

It also measures the figures that the documentation reports. The library itself never imports
``spacy_gladis.research``. The command line imports it only for the research commands.
"""
