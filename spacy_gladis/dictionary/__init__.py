"""Acronym to long forms: merge, build, store, overlay, import and export."""
