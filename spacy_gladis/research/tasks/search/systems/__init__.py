"""Systems that search chunks of documents, with and without expansion of acronyms."""
