"""A Markdown page with the answers of several systems to a few contexts.

It reproduces the case study of the GLADIS paper (appendix B.4 and Table A3).
"""

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
    """Read the answers of one system to an evaluation set.

    Args:
        path: Path of the JSON Lines file that `spacy-gladis evaluate gladis --predictions` wrote
            for the system.
        rows: Number of samples in the evaluation set.

    Returns:
        The long form that the system answered for each sample, in the order of the set. An empty
        string means that it gave no answer.

    Raises:
        InputError: If the file does not have exactly one answer for each sample.
    """
    answers = [json.loads(line)["prediction"] or "" for line in path.read_text("utf8").splitlines()]
    if len(answers) != rows:
        raise InputError(
            f"{path} has {len(answers)} answers, but the evaluation set has {rows} samples. Write "
            "the answers again with --predictions."
        )
    return answers


def case_study(samples: Path, predictions: Path) -> str:
    """Create a Markdown page that shows each system's answers to a small evaluation set.

    The page has one table, with a row for each sample and a column for each system. Right answers
    are bold, and the last row counts them.

    Args:
        samples: Path of the evaluation set, in the format of GLADIS.
        predictions: Folder into which `spacy-gladis evaluate gladis --predictions` wrote the
            systems' answers to this set.

    Returns:
        The text of the page.

    Raises:
        InputError: If the folder has no answers to this set, or their number is wrong.
    """
    rows = list(read_disambiguation(samples))
    start = f"{samples.parent.name}-{samples.stem}-"
    files = sorted(predictions.glob(f"{start}*.jsonl"))
    if not files:
        raise InputError(
            f"The folder {predictions} has no answers to {samples}. Run 'evaluate gladis' with "
            f"--predictions {predictions} first."
        )
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
