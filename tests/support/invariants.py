"""What must hold for any text, file, labels or word: one check a subject, and inputs for it.

A check raises AssertionError, or whatever escaped, with the input that did it. The tests try some
thousands of inputs, `benchmarks/fuzz_texts.py` millions.
"""

import json
import re
from collections.abc import Callable, Iterable
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from spacy_gladis.documents.formats import read_text
from spacy_gladis.documents.formats.registry import text_formats
from spacy_gladis.errors import FormatError
from spacy_gladis.text import (
    Definition,
    base_form,
    decode_bio,
    defined_mentions,
    encode_bio,
    find_acronyms,
    find_definitions,
    find_unmarked,
    merge_key,
    repair_bio,
    schwartz_hearst,
    variants,
)
from spacy_gladis.text.tokens import CASELESS

NEUTRAL = "* * *\n\n"
"""A paragraph without a letter: no rule can read anything into it."""

FRAGMENTS = (
    *("a", "b", "of", "the", "net", "neural", "hidden", "Markov", "models", "heart rate", "or"),
    *("A", "HMM", "NN", "AI", "mRNA", "IL-6", "U.S.", "R&D", "FEV(1)", "ABCs", "iOS", "2D", "β"),
    *(" ", " ", " ", " ", " ", " ", "  ", "\n", "\n\n", "\t", "\u200f", "\u00a0", "\x00", "\u0301"),
    *("(", ")", "(", ")", " (", ") ", "[", "]", "{", "'", '"', "“", "”", "«", "’s"),
    *(",", ".", ";", ":", "-", "–", "/", "&", "=", "|", "...", "i.e.", "hereafter "),
    *("İ", "ß", "Ω", "ﬁ", "é", "中", "𝔸", "😀", "ǅ", "1", "99", "٣"),
)
MARKUP = (
    *("<a ", '<abbr title="', "</", "<!--", "<dt>", "<dd>", "<table>", "<pre>", "&#9;", "&amp;"),
    *("`", "``", "*", "_", "[", "](", "![", "|", "# ", "- ", "> ", "^", "~~~\n", "    "),
    *(":abbr:`", ".. ", "::", "`_", "====\n", "----\n", "|===\n", "link:", "footnote:[", "[["),
    *("\\acro{", "\\newacronym{", "\\begin{verbatim}", "\\end{verbatim}", "\\item ", "\\verb|"),
    *("~", "$", "{", "}", "%", "\\\\", "\\", "\r\n", "\r", "\ufeff", "---\n", "acronyms: off "),
)
READ = [name for name in text_formats() if name != "latex" or find_spec("pylatexenc")]
PAIRS = (
    ("hidden Markov models", "HMM"),
    ("heart rate", "HR"),
    ("Umwelt- und Naturschutz", "UN"),
    ("forced expiratory volume in 1 second", "FEV(1)"),
    ("İstanbul Ülke Rapor", "İÜR"),
    ("three-dimensional", "3D"),
)
DEFINED = ("{long} ({short})", "{short} ({long})", "({long}, {short})", "{long} {short}", "{short}")
LABELS = ("O", "O", "B-short", "I-short", "B-long", "I-long")


class Subject(NamedTuple):
    """Something to check, and how an input for it is drawn."""

    draw: Callable[[Random], Any]
    check: Callable[[Any], None]


def draw_text(random: Random) -> str:
    """Up to ten fragments, often with a definition among them, often with a part cut out."""
    parts = random.choices(FRAGMENTS, k=random.randrange(11))
    if random.random() < 0.1:
        parts.append(chr(random.randrange(0xD800)))
    if random.random() < 0.6:
        long, short = random.choice(PAIRS)
        defined = f" {random.choice(DEFINED)} ".format(long=long, short=short)
        parts.insert(random.randrange(len(parts) + 1), defined)
    text = "".join(parts)
    if random.random() < 0.5:
        at = random.randrange(len(text) + 1)
        text = text[:at] + text[at + random.randrange(1, 4) :]
    return text


def draw_file(random: Random) -> tuple[str, str]:
    """A format, and up to twenty pieces of markup and text."""
    format = random.choice(READ)
    parts = random.choices(MARKUP, k=random.randrange(11)) + [draw_text(random) for _ in range(3)]
    random.shuffle(parts)
    cell = {"cell_type": "markdown", "source": parts}
    return format, json.dumps({"cells": [cell]}) if format == "notebook" else "".join(parts)


def draw_labels(random: Random) -> list[str]:
    """Up to eleven BIO labels, valid or not."""
    return random.choices(LABELS, k=random.randrange(12))


def check_schwartz_hearst(text: str) -> None:
    """Offsets lie in the text; a paragraph before it changes nothing."""
    definitions = schwartz_hearst(text)
    _lie_in(text, definitions)
    assert schwartz_hearst(NEUTRAL + text) == _moved(definitions)


def check_definitions(text: str) -> None:
    """As above, for all rules; acronyms differ in place, and every mention slices to one."""
    definitions = find_definitions(text)
    _lie_in(text, definitions)
    assert len({definition.acronym for definition in definitions}) == len(definitions)
    assert find_definitions(NEUTRAL + text) == _moved(definitions)
    for (start, end), index in defined_mentions(text, definitions).items():
        assert 0 <= start < end <= len(text) and 0 <= index < len(definitions)


def check_shapes(text: str) -> None:
    """Acronyms are words in order and apart; a paragraph before the text changes nothing."""
    spans = find_acronyms(text)
    at = 0
    for start, end in spans:
        assert at <= start < end <= len(text)
        assert not (_is_part(text[start - 1 : start]) or _is_part(text[end : end + 1]))
        at = end
    size = len(NEUTRAL)
    assert find_acronyms(NEUTRAL + text) == [(a + size, b + size) for a, b in spans]
    _lie_in(text, find_unmarked(text, spans))


def _is_part(character: str) -> bool:
    """Whether a letter or digit beside an acronym would make it a part of a longer word."""
    return character.isdigit() or (character.isalnum() and not re.match(f"[{CASELESS}]", character))


def check_readers(file: tuple[str, str]) -> None:
    """What is read leads back into the file; what cannot be read is a FormatError."""
    format, text = file
    try:
        source = read_text(text, format)
    except FormatError:
        return
    size, at = len(source.source), 0
    for segment in source.segments:
        assert at <= segment.start <= segment.end <= len(source.text)
        assert 0 <= segment.original <= segment.original_end <= size
        at = segment.end
    for offset in range(len(source.text) + 1):
        assert 0 <= source.original_offset(offset) <= size and min(source.position(offset)[:2]) > 0
    for start, end in find_acronyms(source.text):
        first, last = source.original_span(start, end) or (0, size)
        assert 0 <= first <= last <= size
    for region in source.regions:
        assert 0 <= region.start <= region.end <= len(source.text)
    assert all(0 <= definition.offset <= size for definition in source.definitions)


def check_bio(labels: list[str]) -> None:
    """Repairing is done once; decoding reads labels as repaired, encoding undoes decoding."""
    repaired, changed = repair_bio(labels)
    assert changed == sum(a != b for a, b in zip(labels, repaired, strict=True))
    spans = decode_bio(labels)
    assert encode_bio(spans, len(labels)) == repaired
    assert decode_bio(repaired) == spans


def check_words(text: str) -> None:
    """Merge keys, variants and base forms of anything are strings, the same each time."""
    assert merge_key(text) == merge_key(text)
    assert all(isinstance(form, str) for form in (*variants(text), base_form(text)))


def check_store(folder: Path) -> Callable[[str], None]:
    """Any word may be looked up in a small dictionary; what is found belongs to it."""
    from spacy_gladis.dictionary import Dictionary, build_dictionary

    entries = {"AI": ("adequate intake", "artificial intelligence"), "É": ("été",), "": ()}
    rows = [(a, name, "", 2) for a, names in entries.items() for name in names]
    build_dictionary(rows, folder / "small.sqlite")
    dictionary = Dictionary.open(folder / "small.sqlite")
    long_forms = set(dictionary.long_forms)

    def check(text: str) -> None:
        exact = {candidate.long_form for candidate in dictionary.candidates(text)}
        assert exact == set(entries.get(text, ()))
        assert exact <= {candidate.long_form for candidate in dictionary.lookup(text)} <= long_forms

    return check


def subjects(folder: Path) -> dict[str, Subject]:
    """All of them by name; what the store needs is written into `folder`."""
    return {
        "Schwartz-Hearst": Subject(draw_text, check_schwartz_hearst),
        "definitions": Subject(draw_text, check_definitions),
        "shapes": Subject(draw_text, check_shapes),
        "readers": Subject(draw_file, check_readers),
        "BIO": Subject(draw_labels, check_bio),
        "words": Subject(draw_text, check_words),
        "store": Subject(draw_text, check_store(folder)),
    }


def _lie_in(text: str, definitions: Iterable[Definition]) -> None:
    for definition in definitions:
        assert 0 <= definition.confidence <= 1
        for start, end in filter(
            None, (definition.acronym, definition.long_form, definition.ending)
        ):
            assert 0 <= start < end <= len(text)
            assert not text[start].isspace() and not text[end - 1].isspace()


def _moved(definitions: list[Definition]) -> list[Definition]:
    """The definitions as they stand behind the neutral paragraph."""
    size = len(NEUTRAL)
    return [
        definition._replace(
            acronym=(definition.acronym[0] + size, definition.acronym[1] + size),
            long_form=(definition.long_form[0] + size, definition.long_form[1] + size),
            ending=definition.ending and (definition.ending[0] + size, definition.ending[1] + size),
        )
        for definition in definitions
    ]
