"""How the dictionary, the weights and the figures are made, and the systems of five papers.

The library never imports it; the command line does when one of its commands is given.
"""
