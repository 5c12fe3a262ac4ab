"""Concept linking: find the concepts of an inventory that phrases name."""
