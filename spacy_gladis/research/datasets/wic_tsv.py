"""Reader of WiC-TSV, which is published as files aligned line by line, in English and German."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ...errors import FormatError, InputError
from ...pipeline.verify import Sense
from ...text import Mention
from .files import text_lines


class TargetSense(NamedTuple):
    """A mention and a sense that it may have, given by a definition, hypernyms or both.

    A long form counts as a definition: "does AI mean adequate intake here?" is the same question.

    Attributes:
        mention: The mention.
        definition: The definition. Empty if there is none.
        hypernyms: The hypernyms.
    """

    mention: Mention
    definition: str = ""
    hypernyms: tuple[str, ...] = ()

    @property
    def target(self) -> str:
        """The target word as written in the context."""
        return self.mention.acronym

    @property
    def sense(self) -> str:
        """The sense as text: the hypernyms followed by the definition."""
        return Sense("", self.definition, self.hypernyms).described


DOMAINS = {"0": "general", "1": "medical", "2": "cocktails", "3": "computing"}
"""Domains by their number in `test_domains.txt`. WordNet and Wiktionary count as general."""

SPLITS = {"train": "Training", "dev": "Development", "test": "Test"}


class Question(NamedTuple):
    """An item of WiC-TSV: does the target word have the given sense in the context?

    Attributes:
        word: The target word as listed in the file. It may be inflected in the context.
        sense: The mention and the sense in question.
        label: Whether the mention has the sense. None if unknown.
        domain: Domain of the item. None if unknown.
    """

    word: str
    sense: TargetSense
    label: bool | None = None
    domain: str | None = None


def read_split(folder: Path) -> list[Question]:
    """Read the items of a split, such as the training set.

    Args:
        folder: The folder with `*_examples.txt` and the aligned files.

    Returns:
        The items.

    Raises:
        FormatError: If the examples, definitions or hypernyms are missing.
    """
    examples = sorted(folder.glob("*_examples.txt"))
    if len(examples) != 1:
        raise FormatError(f"{folder} contains {len(examples)} files *_examples.txt. Expected one.")
    for kind in ("definitions", "hypernyms"):
        if not _beside(examples[0], kind).is_file():
            raise FormatError(f"{examples[0]} has no {_beside(examples[0], kind).name} beside it.")
    return read_questions(examples[0])


def read_questions(examples: Path) -> list[Question]:
    """Read the items of an examples file and the files aligned with it, if they exist.

    An empty line counts as an empty value.

    Args:
        examples: The file `*_examples.txt`.

    Returns:
        The items.

    Raises:
        FormatError: If the files have different lengths or are not UTF-8, a target is not a word of
            its context, or a label is not T or F. The message names file and line.
    """
    lines = list(text_lines(examples))
    if not lines:
        raise FormatError(f"{examples} is empty. Expected one question per line.")
    definitions, hypernyms, labels, domains = (
        _aligned(examples, kind, len(lines))
        for kind in ("definitions", "hypernyms", "labels", "domains")
    )
    questions = []
    for row, line in enumerate(lines):
        word, text, start, end = _target(examples, row, line)
        hypernyms_of_row = (
            hypernym.strip() for hypernym in hypernyms[row].replace("_", " ").split("\t")
        )
        parts = (
            definitions[row].strip(),
            tuple(hypernym for hypernym in hypernyms_of_row if hypernym),
        )
        sense = TargetSense(Mention(text, start, end), *parts)
        label = _label(examples, row, labels[row]) if any(labels) else None
        domain = domains[row].strip() or None
        questions.append(Question(word, sense, label, DOMAINS.get(domain or "", domain)))
    return questions


def read_splits(folder: Path) -> dict[str, list[Question]]:
    """Read the splits of one language.

    Args:
        folder: The language's folder.

    Returns:
        The items of each split that exists: train, dev, test.

    Raises:
        InputError: If there is no folder `Training`.
    """
    if not (folder / SPLITS["train"]).is_dir():
        inside = sorted(entry.name for entry in folder.iterdir()) if folder.is_dir() else []
        raise InputError(
            f"{folder} has no folder {SPLITS['train']}. Give the folder of one language of "
            f"WiC-TSV, such as data/en. This folder contains: {', '.join(inside) or 'nothing'}."
        )
    return {
        name: read_split(folder / directory)
        for name, directory in SPLITS.items()
        if (folder / directory).is_dir()
    }


def labels_of(questions: Sequence[Question], what: str) -> list[bool]:
    """Return the labels of items.

    Args:
        questions: The items.
        what: Name of the set, for the error message.

    Raises:
        InputError: If a label is unknown.
    """
    labels = [question.label for question in questions]
    if None in labels:
        raise InputError(
            f"The {what} set has no labels (*_labels.txt): it cannot be used for training."
        )
    return [bool(label) for label in labels]


def _beside(examples: Path, kind: str) -> Path:
    return examples.with_name(examples.name.replace("_examples", f"_{kind}"))


def _aligned(examples: Path, kind: str, expected: int) -> list[str]:
    path = _beside(examples, kind)
    if not path.is_file():
        return [""] * expected
    lines = list(text_lines(path))
    # An empty last line without a line end is lost, but is an empty value too.
    lines += [""] * (len(lines) == expected - 1 and kind == "hypernyms")
    if len(lines) != expected:
        raise FormatError(
            f"{path} has {len(lines):,} lines, {examples.name} has {expected:,}. They must be "
            "aligned line by line, including empty lines."
        )
    return lines


def _target(path: Path, row: int, line: str) -> tuple[str, str, int, int]:
    parts = line.split("\t")
    words = parts[2].split(" ") if len(parts) == 3 else []
    index = int(parts[1]) if words and parts[1].strip().isdecimal() else -1
    if not 0 <= index < len(words) or not words[index]:
        raise FormatError(
            f"{path}:{row + 1}: expected target, index of its word and context, separated by "
            f"tabs, with the index below the number of words, got {line[:80]!r}."
        )
    start = sum(len(word) + 1 for word in words[:index])
    return parts[0], parts[2], start, start + len(words[index])


def _label(path: Path, row: int, cell: str) -> bool:
    label = cell.strip().upper()
    if label not in ("T", "F"):
        raise FormatError(
            f"{_beside(path, 'labels')}:{row + 1}: a label must be T or F, got {cell!r}."
        )
    return label == "T"
