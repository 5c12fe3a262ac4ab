"""Mining of raw corpora: extraction, counting and export of definitions and samples."""
