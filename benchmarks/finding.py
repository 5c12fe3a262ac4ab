"""Measure what the detector finds: passages, and sentences without an acronym.

    python benchmarks/finding.py ../shared DICTIONARY

DICTIONARY: a dictionary file with known spellings; "packaged" for the packaged one. A mention is
found when a span overlaps it. Sentences without an acronym are of letters in words with no capital
but the first, chosen by their checksums; half of them hold a word that a glossary spells as an
acronym, whatever the case.
"""

import argparse
import csv
import hashlib
import io
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import spacy
import zstandard
from measuring import RESULTS, write_results
from spacy.language import Language

WORD = re.compile(
    r"""[("'“]?(?:[A-Za-z]?[a-z]+(?:-[a-z]+)*|[IA]|[a-z]+['’][a-z]{1,2}|\d[\d,]*(?:\.\d+)?%?)"""
    r"""[)"'”]?[,;:]?"""
)
SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
SENTENCES = 500  # of each kind
DOCUMENTS = 4000  # of a shard's first so many every fifth is read


def main() -> None:
    """Measure, and write the results file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shared", type=Path)
    parser.add_argument("dictionary")
    given = parser.parse_args()
    path = None if given.dictionary == "packaged" else given.dictionary
    without = detector(known=False)
    with_known = detector(known=True, dictionary=path)
    dictionary: Any = with_known.get_pipe("acronym_detector")
    names = {acronym.casefold() for acronym in dictionary.dictionary}
    systems = {"shapes": without, "known": with_known}
    passages = rows(given.shared / "benchmarks" / "passages" / "dev.jsonl")
    plain = sentences(given.shared)
    figures: dict[str, Any] = {"known_spellings": len(dictionary.dictionary.abbreviations)}
    for name, nlp in systems.items():
        figures[name] = {
            "passages": passage_figures(nlp, passages, names),
            "sentences": {kind: sentence_figures(nlp, texts) for kind, texts in plain.items()},
        }
    write_results(RESULTS / "finding.json", figures)


def detector(**settings: Any) -> Language:
    """A pipeline of the detector alone."""
    nlp = spacy.blank("en")
    nlp.add_pipe("acronym_detector", config=settings)
    return nlp


def rows(path: Path) -> list[dict[str, Any]]:
    """The lines of a JSON-lines file."""
    return [json.loads(line) for line in path.open(encoding="utf8")]


def spans(nlp: Language, text: str) -> list[tuple[int, int]]:
    """The offsets of the acronyms in a text."""
    doc = nlp(text)
    return [(span.start_char, span.end_char) for span in doc.spans["acronyms"]]


def passage_figures(
    nlp: Language, passages: list[dict[str, Any]], names: set[str]
) -> dict[str, Any]:
    """The share of mentions not found, in all and by case; found non-acronyms."""
    mentions: Counter[str] = Counter()
    lost: Counter[str] = Counter()
    none = answerable = 0
    for row in passages:
        result = spans(nlp, row["text"])
        for mention in row["mentions"]:
            hit = any(start < mention["end"] and end > mention["start"] for start, end in result)
            if mention["case"] == "none":
                none += hit
                answerable += hit and mention["acronym"].casefold() in names
                continue
            for key in ("all", mention["case"]):
                mentions[key] += 1
                lost[key] += not hit
    share = {key: round(100 * lost[key] / mentions[key], 2) for key in sorted(mentions)}
    return {"not_found": share, "no_acronym_found": none, "of_these_in_dictionary": answerable}


def sentence_figures(nlp: Language, texts: list[str]) -> dict[str, Any]:
    """How many sentences without an acronym get one."""
    result: Counter[str] = Counter()
    number = 0
    for text in texts:
        words = {text[start:end] for start, end in spans(nlp, text)}
        number += bool(words)
        result.update(words)
    return {"sentences": len(texts), "with_an_acronym": number, "words": dict(result)}


def sentences(shared: Path) -> dict[str, list[str]]:
    """Sentences without an acronym: with a word that a glossary has, and without one."""
    listed: set[str] = set()
    for path in sorted((shared / "glossaries").glob("*.tsv")):
        with path.open(encoding="utf8") as file:
            cells = (row[0] for row in csv.reader(file, "excel-tab", quoting=csv.QUOTE_NONE) if row)
            listed.update(cell.lower() for cell in cells if cell.isalpha() and len(cell) > 1)
    made = sorted(
        (hashlib.sha256(sentence.encode()).hexdigest(), sentence) for sentence in set(plain(shared))
    )
    kinds: dict[str, list[str]] = {"with listed words": [], "without": []}
    for _, text in made:
        words = {word.strip("()\"'“”,;:") for word in text[:-1].split()}
        kinds["without" if words.isdisjoint(listed) else "with listed words"].append(text)
    listed_words = kinds["with listed words"]
    without = [*kinds["without"], *listed_words[SENTENCES:]][:SENTENCES]
    return {"with listed words": listed_words[:SENTENCES], "mostly without": without}


def plain(shared: Path) -> Iterator[str]:
    """Sentences of 40 to 300 characters, each word in small letters but for the first."""
    for path in sorted((shared / "corpus").glob("*.jsonl.zst")):
        with path.open("rb") as file:
            lines = io.TextIOWrapper(zstandard.ZstdDecompressor().stream_reader(file), "utf8")
            for number, line in enumerate(lines):
                if number == DOCUMENTS:
                    break
                if number % 5 == 0:
                    for text in SENTENCE_END.split(json.loads(line)["text"][:3000]):
                        fits = 40 <= len(text) <= 300 and text[0].isupper() and text[-1] in ".?!"
                        if fits and all(map(WORD.fullmatch, text[:-1].split())):
                            yield text


if __name__ == "__main__":
    main()
