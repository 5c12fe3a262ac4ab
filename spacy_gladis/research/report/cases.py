"""Case study page with the systems' answers to hand-picked contexts (GLADIS, B.4 and Table A3)."""

import json
from pathlib import Path

from ...errors import InputError
from ...output.figures import Table
from ...text import merge_key
from ..datasets.disambiguation import read_disambiguation
from ..datasets.sample import Sample

ABOUT = """\
# Ten contexts

This page shows what each system answers in ten contexts, as Table A3 of the GLADIS paper does.

The sentences are invented, and no system was trained on them. The candidates are those of the
dictionary. Right answers are bold. `spacy project run case-study` writes such a page.
"""


def read_answers(path: Path, rows: int) -> list[str]:
    """Read the answers that `evaluate gladis --predictions` wrote for one system.

    Args:
        path: Path of the file of answers, as JSON lines.
        rows: Number of rows of the set.

    Returns:
        The long form answered for each row. Empty if there was no answer.

    Raises:
        InputError: If the number of answers is not the number of rows.
    """
    answers = [json.loads(line)["prediction"] or "" for line in path.read_text("utf8").splitlines()]
    if len(answers) != rows:
        raise InputError(f"{path} has {len(answers)} answers, but the set has {rows} rows.")
    return answers


def case_study(samples: Path, predictions: Path) -> str:
    """Create a Markdown page with the systems' answers to a small evaluation set.

    Args:
        samples: Evaluation set in GLADIS's format.
        predictions: Folder with the answers of systems to this set and no other.

    Returns:
        The page in Markdown.

    Raises:
        InputError: If the folder has no answers.
    """
    rows = list(read_disambiguation(samples))
    start = f"{samples.parent.name}-{samples.stem}-"
    files = sorted(predictions.glob(f"{start}*.jsonl"))
    if not files:
        raise InputError(f"{predictions} has no answers to {samples}.")
    answers = {path.stem.removeprefix(start): read_answers(path, len(rows)) for path in files}
    table = Table("Answers by system", ["context", "long form", *answers])
    for row, sample in enumerate(rows):
        cells = [_mark(sample, system_answers[row]) for system_answers in answers.values()]
        table.add(_context(sample), sample.long_form, *cells)
    columns = zip(*(cells[2:] for cells in table.rows), strict=True)
    table.add("right", None, *(sum(cell.startswith("**") for cell in cells) for cells in columns))
    return f"{ABOUT}\n{table.markdown()}"


def _context(sample: Sample) -> str:
    return f"{sample.text[: sample.start]}**{sample.acronym}**{sample.text[sample.end :]}"


def _mark(sample: Sample, answer: str) -> str:
    return f"**{answer}**" if merge_key(answer) == merge_key(sample.long_form) else answer
