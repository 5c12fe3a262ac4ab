"""Files that people have, read as plain text: lines, encodings, compressed and packed files."""
