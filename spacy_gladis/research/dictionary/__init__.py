"""The packaged dictionary: its sources read, cleaned, merged, chosen and written."""
