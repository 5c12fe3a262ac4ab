"""Sets of a format's own names."""


def names(listed: str) -> frozenset[str]:
    """The names in a list with spaces between them."""
    return frozenset(listed.split())
