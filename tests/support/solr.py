"""A reader of Solr's synonym format, after `SolrSynonymParser` of Lucene."""

Rules = list[tuple[list[str], list[str]]]
"""The terms that are looked for and the terms that replace them, for each line."""


def read_rules(text: str) -> Rules:
    """Read rules; a line without `=>` replaces each of its terms by all of them."""
    rules = []
    for line in text.splitlines():
        if not line or line.startswith("#"):
            continue
        sides = _split(line, "=>")
        if len(sides) > 2:
            raise ValueError(f"more than one => in {line!r}")
        terms = [[_unescape(term.strip()) for term in _split(side, ",")] for side in sides]
        if not all(map(all, terms)):
            raise ValueError(f"an empty term in {line!r}")
        rules.append((terms[0], terms[-1]))
    return rules


def _split(text: str, separator: str) -> list[str]:
    parts, part, at = [], "", 0
    while at < len(text):
        if text.startswith(separator, at):
            parts.append(part)
            part, at = "", at + len(separator)
        elif text[at] == "\\":
            part += text[at : at + 2]
            at += 2
        else:
            part += text[at]
            at += 1
    return [*parts, part]


def _unescape(term: str) -> str:
    read, at = "", 0
    while at < len(term):
        at += term[at] == "\\" and at + 1 < len(term)
        read += term[at]
        at += 1
    return read
