"""Read files in many formats as plain text, including compressed and packed files."""
