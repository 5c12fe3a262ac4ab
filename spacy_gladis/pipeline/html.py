"""A page that shows texts with their acronyms explained: one file, no network, no script."""

from collections.abc import Iterable, Iterator
from html import escape

from spacy.tokens import Doc

from .export import mentions_of, to_glossary
from .resolution import Resolution

_HEAD = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Acronyms</title>
<style>
:root { color-scheme: light dark; --definition: 150 40%; --dictionary: 220 60%; --nil: 30 10%;
  --shade: 88%; }
@media (prefers-color-scheme: dark) { :root { --shade: 28%; } }
body { font: 1rem/1.6 system-ui, sans-serif; max-width: 48rem; margin: 2rem auto; padding: 0 1rem; }
h2 { font-size: 1.1rem; margin-top: 2.5rem; overflow-wrap: anywhere; }
p { white-space: pre-wrap; overflow-wrap: anywhere; }
abbr { border-radius: .25em; padding: 0 .2em; text-decoration: none; cursor: help; }
.definition { background: hsl(var(--definition) var(--shade)); }
.dictionary { background: hsl(var(--dictionary) var(--shade)); }
.nil { background: hsl(var(--nil) var(--shade)); }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: start; padding: .25rem .75rem .25rem 0; vertical-align: top; }
tr { border-bottom: 1px solid hsl(0 0% 50% / 30%); break-inside: avoid; }
.number { text-align: end; font-variant-numeric: tabular-nums; }
@media print { body { max-width: none; margin: 0; } abbr { print-color-adjust: exact; } }
</style>
</head>
<body>
"""
_FOOT = "</body>\n</html>\n"


def to_html(documents: Iterable[tuple[str, Doc]]) -> Iterator[str]:
    """Yield the parts of a page with these named documents, each with its glossary."""
    yield _HEAD
    for name, doc in documents:
        yield f"<article>\n<h2>{_text(name)}</h2>\n<p dir='auto'>"
        yield from _marked(doc)
        yield "</p>\n"
        yield from _glossary(doc)
        yield "</article>\n"
    yield _FOOT


def _marked(doc: Doc) -> Iterator[str]:
    text, at = doc.text, 0
    for start, end, answer in mentions_of(doc):
        if start >= at:
            yield _text(text[at:start])
            yield f"<abbr class='{answer.source}' title='{_text(describe(answer))}'>"
            yield f"{_text(text[start:end])}</abbr>"
            at = end
    yield _text(text[at:])


def _glossary(doc: Doc) -> Iterator[str]:
    entries = sorted(to_glossary(doc), key=lambda entry: entry.acronym.casefold())
    if not entries:
        return
    yield "<table>\n<tr><th>Acronym<th>Long form<th>Source<th class='number'>Probability"
    yield "<th class='number'>Mentions</tr>\n"
    for acronym, answer, mentions in entries:
        yield f"<tr><td><b>{_text(acronym)}</b><td>{_text(answer.long_form or 'unknown')}"
        yield f"<td><span class='{answer.source}'>{answer.source}</span>"
        yield f"<td class='number'>{answer.probability:.2f}<td class='number'>{mentions}</tr>\n"
    yield "</table>\n"


def describe(answer: Resolution) -> str:
    """One line on a resolution: the long form, its probability and the runners-up."""
    others = "; ".join(f"{name} {share:.2f}" for name, share in answer.runners_up)
    if answer.long_form is None:
        return f"unknown; not sure enough of: {others}" if others else "unknown"
    line = f"{answer.long_form} ({answer.source}, {answer.probability:.2f})"
    return f"{line}; others: {others}" if others else line


def _text(text: str) -> str:
    """Text as HTML; characters that HTML forbids become the replacement character."""
    allowed = "".join(c if c >= " " or c in "\n\t" else "\ufffd" for c in text)
    return escape(allowed.replace("\x7f", "\ufffd"))
