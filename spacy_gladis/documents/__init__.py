"""Read files as plain text: formats, lines, encodings, compressed and packed files."""
