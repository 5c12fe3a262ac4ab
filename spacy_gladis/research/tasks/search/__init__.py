"""Search of documents by a query with an acronym or with its long form."""
