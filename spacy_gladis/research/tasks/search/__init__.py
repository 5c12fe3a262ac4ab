"""Task: search documents with an acronym or with its long form.

Relevant documents may contain only the other one of the two.
"""
