"""Evaluation sets out of entity-linking data (GLADIS, section 4)."""
