"""AskAPatient: a phrase and its SNOMED CT or AMT id a line."""

from collections.abc import Iterator
from pathlib import Path

from ...concepts import ConceptMention
from ...problem import Problem, Report, log_problem
from .files import split_ids, text_lines


def read_askapatient(path: Path, report: Report = log_problem) -> Iterator[ConceptMention]:
    """Yield the phrases of one file of a fold, repetitions included, as they are published."""
    for number, line in enumerate(text_lines(path, report), 1):
        phrase, _, ids = line.partition("\t")
        concepts = split_ids(ids)
        if phrase.strip() and concepts and "\t" not in ids:
            yield ConceptMention(phrase.strip(), concepts)
        elif line:
            report(Problem("no id", str(path), number, line[:80]))
