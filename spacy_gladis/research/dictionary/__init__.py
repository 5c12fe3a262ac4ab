"""Build the packaged dictionary: read its sources, clean, merge, choose and write entries."""
