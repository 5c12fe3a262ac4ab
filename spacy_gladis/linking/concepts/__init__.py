"""Linking phrases to the concepts of an inventory: shortlist, evidence, probabilities."""
