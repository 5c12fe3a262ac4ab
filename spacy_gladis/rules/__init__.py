"""Pure text: definitions in a string, acronym shapes and variants, merge keys, BIO codec."""
