"""Concept linking: find the concepts of an inventory that the phrases of a text name."""
