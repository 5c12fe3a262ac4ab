"""Command-line commands for research: `evaluate`, `train`, `corpus`, `audit`, `dataset`, `convert`.

`spacy-gladis --help` lists them next to the commands for everyday use.
"""
