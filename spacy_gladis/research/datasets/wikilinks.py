"""WikilinksNED Unseen Mentions (Onoe and Durrett 2020): JSON lines, a linked mention each."""

import json
from collections.abc import Iterator
from pathlib import Path

from ...concepts import ConceptMention
from ...documents.lines import read_lines
from ...problem import Problem, Report, log_problem


def read_wikilinks(path: Path, report: Report = log_problem) -> Iterator[ConceptMention]:
    """Yield the mentions, their tokens joined by blanks; the concept is the page's title.

    A record holds the token lists `left_context`, `mention_as_list` and `right_context`, and the
    title `y_title`. Others go to `report`.
    """
    for number, line in read_lines(path, report):
        if not line.strip():
            continue
        try:
            record = json.loads(line.decode("utf-8"))
            left, mention, right = (
                " ".join(record[part])
                for part in ("left_context", "mention_as_list", "right_context")
            )
            title = record["y_title"].replace("_", " ")
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            report(Problem("no linked mention", str(path), number, repr(error)))
            continue
        left = left + " " if left else ""
        text = f"{left}{mention} {right}".rstrip()
        name = f"{path.name.split('.')[0]}:{number}"
        yield ConceptMention(mention, (title,), text, len(left), name)
