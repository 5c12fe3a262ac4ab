"""Reports on evaluations and data sets.

They compare our results with the tables in papers, describe data sets, and show how systems answer
single contexts.
"""
