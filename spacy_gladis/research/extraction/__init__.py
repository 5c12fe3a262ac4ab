"""Training data and callbacks for a spaCy component that detects acronyms and long forms.

The data are the benchmarks SciAI, SDU-22 acronym extraction and Ab3P.
"""
