"""Whole texts: how many of their acronyms a pipeline answers, and answers rightly."""
