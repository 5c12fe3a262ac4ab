"""Acronyms whose long form stands in their own document: how many are answered, and from where.

    python benchmarks/own_words.py ../shared/benchmarks/documents/dev.jsonl

Mentions that the document defines beside the acronym, and those whose long form stands anywhere in
its text, whatever joins the two. An answer is right where its merge key is that of the gold long
form. Counts are by the source of the answer; each document is resolved alone.
"""

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import Any

import spacy
import torch
from measuring import RESULTS, write_results

from spacy_gladis.pipeline.annotations import acronym_groups, find_resolution, mention_offsets
from spacy_gladis.rules import merge_key

RESULT = RESULTS / "own_words.json"


def main() -> None:
    """Measure and write the result."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--output", type=Path, default=RESULT)
    options = parser.parse_args()
    torch.set_num_threads(1)
    nlp = spacy.blank("en")
    nlp.max_length = 20_000_000
    nlp.add_pipe("acronym_detector")
    nlp.add_pipe("acrobert_linker")
    groups: dict[str, list[tuple[str, bool]]] = {"defined": [], "elsewhere in the text": []}
    rows = map(json.loads, options.data.read_text("utf8").splitlines())
    asked = [row for row in rows if any(kind_of(row["text"], one) for one in row["mentions"])]
    for row, doc in zip(asked, nlp.pipe(row["text"] for row in asked), strict=True):
        answers = answers_of(doc)
        for one in row["mentions"]:
            if kind := kind_of(row["text"], one):
                source, answer = answers.get((one["start"], one["end"]), ("not found", ""))
                right = merge_key(answer) == merge_key(one["long_form"])
                groups[kind].append((source, right))
    write_results(
        options.output,
        {
            "documents": len(asked),
            **{kind: summary(found) for kind, found in groups.items()},
            "together": summary([one for found in groups.values() for one in found]),
        },
    )


def kind_of(text: str, mention: dict[str, Any]) -> str:
    """Where a mention's long form stands; empty where it does not."""
    if mention["defined"]:
        return "defined"
    return "elsewhere in the text" if plain(mention["long_form"]) in plain(text) else ""


def plain(text: str) -> str:
    """Small letters and single blanks, so that the bounds of words count alone."""
    return " " + " ".join("".join(c if c.isalnum() else " " for c in text.lower()).split()) + " "


def answers_of(doc: Any) -> dict[tuple[int, int], tuple[str, str]]:
    """The source and the long form of the answers, by the mention's offsets."""
    answers: dict[tuple[int, int], tuple[str, str]] = {}
    for group in acronym_groups(doc):
        for span in group:
            found = find_resolution(span)
            if found is not None:
                place = mention_offsets(group, span)
                answers[place] = found.source, found.long_form or ""
    return answers


def summary(found: list[tuple[str, bool]]) -> dict[str, Any]:
    """How many are right, and of each source how many answers and right ones."""
    answers = Counter(source for source, _ in found)
    right = Counter(source for source, is_right in found if is_right)
    return {
        "mentions": len(found),
        "right": sum(right.values()),
        "share": round(sum(right.values()) / max(1, len(found)), 4),
        "answers_by_source": dict(answers.most_common()),
        "right_by_source": dict(right.most_common()),
    }


if __name__ == "__main__":
    main()
