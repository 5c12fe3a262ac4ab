"""Build of the packaged dictionary: reading, cleaning, merging and selecting entries of sources."""
