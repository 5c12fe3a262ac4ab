"""A file for each system."""
