"""Reader of WiC-TSV, a data set for the verification of word senses in English and German.

It is published as several files in which the same line number belongs to the same item.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ...errors import FormatError, InputError
from ...pipeline.verify import Sense
from ...text import Mention
from .files import text_lines


class TargetSense(NamedTuple):
    """A word in its context, and a sense that it may or may not have there.

    The sense is given by a definition, by hypernyms or by both. The long form of an acronym can
    serve as a definition, to ask whether "AI" means "adequate intake" in a context.

    Attributes:
        mention: Target word in its context.
        definition: Definition of the sense. Empty if there is none.
        hypernyms: Terms for broader concepts, such as ``("island",)``. Empty if there are none.
    """

    mention: Mention
    definition: str = ""
    hypernyms: tuple[str, ...] = ()

    @property
    def target(self) -> str:
        """Target word as it is written in the context."""
        return self.mention.acronym

    @property
    def sense(self) -> str:
        """Description of the sense as a text: the hypernyms, followed by the definition."""
        return Sense("", self.definition, self.hypernyms).described


DOMAINS = {"0": "general", "1": "medical", "2": "cocktails", "3": "computing"}
"""A mapping from the numbers in `test_domains.txt` to the names of the items' domains.

Items from WordNet and Wiktionary count as general.
"""

SPLITS = {"train": "Training", "dev": "Development", "test": "Test"}


class Question(NamedTuple):
    """An item of WiC-TSV, which asks whether a word has a given sense in a context.

    Attributes:
        word: Target word as the file lists it. The word may be inflected in the context.
        sense: Target word in its context, and the sense in question.
        label: Whether the word has the sense. None if the data set does not publish the answer.
        domain: Domain of the item, such as ``"medical"``. None if unknown.
    """

    word: str
    sense: TargetSense
    label: bool | None = None
    domain: str | None = None


def read_split(folder: Path) -> list[Question]:
    """Read the items of one part of WiC-TSV, such as its training set.

    Args:
        folder: Folder of the part. It has a file ``*_examples.txt`` and the files that belong to
            it, such as ``*_definitions.txt``.

    Returns:
        The items, in file order.

    Raises:
        FormatError: If the file with the examples, definitions or hypernyms is missing, or one of
            the files is invalid.
    """
    examples = sorted(folder.glob("*_examples.txt"))
    if len(examples) != 1:
        raise FormatError(
            f"The folder {folder} contains {len(examples)} files *_examples.txt instead of one. "
            "Choose a folder of one part of WiC-TSV, such as Training."
        )
    for kind in ("definitions", "hypernyms"):
        if not _beside(examples[0], kind).is_file():
            raise FormatError(
                f"The folder {folder} has no {_beside(examples[0], kind).name}. Copy the file next "
                f"to {examples[0].name}."
            )
    return read_questions(examples[0])


def read_questions(examples: Path) -> list[Question]:
    """Read the items of WiC-TSV from a file of examples and the files that belong to it.

    Definitions, hypernyms, labels and domains are in separate files, which have the same number of
    lines. If one of these files does not exist, its values are empty or None.

    Args:
        examples: Path of the file ``*_examples.txt``, which has the target words and contexts.

    Returns:
        The items, in file order. There is at least one.

    Raises:
        FormatError: If the files have different numbers of lines or are not UTF-8, a target is not
            a word of its context, or a label is not T or F. The message names the file and line.
    """
    lines = list(text_lines(examples))
    if not lines:
        raise FormatError(f"{examples} is empty. Choose a file with one example per line.")
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
    """Read the training, development and test sets of WiC-TSV in one language.

    Args:
        folder: Folder of the language, such as `data/en`, with the subfolders `Training`,
            `Development` and `Test`.

    Returns:
        A mapping from ``"train"``, ``"dev"`` and ``"test"`` to the items of the set. Development
        and test sets that do not exist are left out.

    Raises:
        InputError: If the folder has no subfolder `Training`.
        FormatError: If a file of a set is missing or invalid.
    """
    if not (folder / SPLITS["train"]).is_dir():
        inside = sorted(entry.name for entry in folder.iterdir()) if folder.is_dir() else []
        raise InputError(
            f"{folder} has no folder {SPLITS['train']}. Choose the folder of one language of "
            f"WiC-TSV, such as data/en. This folder contains: {', '.join(inside) or 'nothing'}."
        )
    return {
        name: read_split(folder / directory)
        for name, directory in SPLITS.items()
        if (folder / directory).is_dir()
    }


def labels_of(questions: Sequence[Question], what: str) -> list[bool]:
    """Return the labels of WiC-TSV items, and check that all of them are known.

    Args:
        questions: Items of a data set.
        what: Name of the data set for the error message, such as ``"training"``.

    Returns:
        Whether the target word has the given sense, for each item.

    Raises:
        InputError: If the label of an item is None. The published test sets have no labels.
    """
    labels = [question.label for question in questions]
    if None in labels:
        raise InputError(
            f"The {what} set has no labels, so it cannot be used for training or scoring. Add its "
            "file *_labels.txt."
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
            f"{path} has {len(lines):,} lines, {examples.name} has {expected:,}. Both files need "
            "one line for each example, even if it is empty."
        )
    return lines


def _target(path: Path, row: int, line: str) -> tuple[str, str, int, int]:
    parts = line.split("\t")
    words = parts[2].split(" ") if len(parts) == 3 else []
    index = int(parts[1]) if words and parts[1].strip().isdecimal() else -1
    if not 0 <= index < len(words) or not words[index]:
        raise FormatError(
            f"{path}:{row + 1}: expected a target word, its index in the context and the context, "
            f"separated by tabs, got {line[:80]!r}. The index must be that of a word."
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
