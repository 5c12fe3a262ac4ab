"""AskAPatient: a phrase and its SNOMED CT or AMT id a line."""

from collections.abc import Iterator
from pathlib import Path

from ....concepts.mention import ConceptMention
from ....documents.lines import read_lines
from ....problem import Problem, Report, log_problem
from .ids import split_ids


def read_askapatient(path: Path, report: Report = log_problem) -> Iterator[ConceptMention]:
    """Yield the phrases of one file of a fold, repetitions included, as they are published."""
    for number, raw in read_lines(path, report):
        phrase, tab, id = raw.decode("utf-8", "replace").rstrip("\r").partition("\t")
        concepts = split_ids(id)
        if phrase.strip() and concepts:
            yield ConceptMention(phrase.strip(), concepts)
        elif tab or phrase:
            report(Problem("no id", str(path), number, phrase[:80]))
