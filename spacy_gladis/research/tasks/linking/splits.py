"""Splits of linked phrases into training, development and test parts (COMETA, section 3.4)."""

import random
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from ....concepts import ConceptMention
from ....concepts.readers.psytar import VOCABULARIES
from ....errors import InputError, check_names
from ....problem import Report, log_problem
from ...datasets.linked_phrases import read_askapatient, read_cometa, read_psytar, read_pubtator
from ...datasets.split import linked, split_rows

SHARES = (6, 2, 2)
TABLE_2 = (13489, 2176, 4350)
"""Numbers of training, development and test phrases in COMETA's stratified general split."""

HELD_OUT = 0.2
"""Share of the training part that is used as the development part if no test part is published. The
published development part is then the test part."""


class Split(NamedTuple):
    """The training, development and test parts of a data set of linked phrases.

    Attributes:
        train: Mentions to train on.
        dev: Mentions for choosing settings, such as thresholds.
        test: Mentions on which systems are evaluated.
    """

    train: list[ConceptMention]
    dev: list[ConceptMention]
    test: list[ConceptMention]


def stratified(mentions: Sequence[ConceptMention], seed: int = 0) -> Split:
    """Split mentions at random so that every development and test concept is in the training part.

    For each concept, a mention drawn at random stays in the training part. The development and test
    parts have the same shares as in COMETA's general level (section 3.4, Table 2). Phrases that the
    evaluation leaves out because their concept is not in the inventory count, too. The same phrase
    may be in several parts: in the paper's split, 58 % of the test phrases are also in the training
    part.

    Args:
        mentions: All mentions of the data set, with their concepts.
        seed: Random seed of the split.

    Returns:
        The three parts. Each of them keeps the order of `mentions`.

    Raises:
        InputError: If a part would be empty.
    """
    order = random.Random(seed).sample(range(len(mentions)), len(mentions))
    seen: set[str] = set()
    kept, others = list[int](), list[int]()
    for row in order:
        concepts = set(mentions[row].concepts)
        (others if concepts <= seen else kept).append(row)
        seen |= concepts
    dev, test = (round(len(order) * share / sum(TABLE_2)) for share in TABLE_2[1:])
    rows = (kept + others[dev + test :], others[:dev], others[dev : dev + test])
    return _checked(Split(*([mentions[row] for row in sorted(part)] for part in rows)))


def phrases_apart(mentions: Sequence[ConceptMention], seed: int = 0) -> Split:
    """Split mentions so that the phrases of a concept in one part differ from those in other parts.

    All concepts of the development and test parts also occur in the training part, but with other
    phrases. This tests whether a system has learned more than the phrases themselves. Phrases that
    differ only in case stay in the same part. A concept with a single phrase is in the training
    part only. This split is not from the COMETA paper.

    Args:
        mentions: All mentions of the data set, each with at least one concept.
        seed: Random seed of the split.

    Returns:
        The three parts, in which the mentions are ordered by concept.

    Raises:
        InputError: If a part would be empty.
    """
    parts: tuple[list[ConceptMention], ...] = ([], [], [])
    groups: dict[str, list[int]] = {}
    for row, mention in enumerate(mentions):
        groups.setdefault(mention.concepts[0], []).append(row)
    for rows in groups.values():
        phrases = sorted({mentions[row].phrase.lower() for row in rows})
        random.Random(f"{seed} {mentions[rows[0]].concepts[0]}").shuffle(phrases)
        held_out = round(len(phrases) * SHARES[1] / sum(SHARES))
        # If a concept has too few phrases for both parts, one phrase goes to dev or to test.
        chosen = dict.fromkeys(phrases[1 : 1 + held_out], 1)
        chosen.update(dict.fromkeys(phrases[1 + held_out : 1 + 2 * held_out], 2))
        if not held_out and len(phrases) > 1:
            chosen[phrases[1]] = 1 + random.Random(phrases[1]).randrange(2)
        for row in rows:
            parts[chosen.get(mentions[row].phrase.lower(), 0)].append(mentions[row])
    seen = {concept for mention in parts[0] for concept in mention.concepts}
    train, *others = parts
    kept = [[mention for mention in part if set(mention.concepts) <= seen] for part in others]
    return _checked(Split(train, *kept))


def zero_shot(mentions: Sequence[ConceptMention]) -> Split:
    """Split mentions so that no concept occurs in two parts (COMETA, section 3.4).

    This tests how well a system links phrases to concepts that it was not trained on. If a mention
    has several concepts, all of them are in the same part.

    Args:
        mentions: All mentions of the data set, with their concepts.

    Returns:
        The training, development and test parts, which have about 60, 20 and 20 % of the mentions.
        In the paper, they have 70, 10 and 20 % (Table 2).

    Raises:
        InputError: If a part would be empty.
    """
    rows = split_rows(linked([mention.concepts for mention in mentions]), SHARES)
    train, dev, test = ([mentions[row] for row in part] for part in rows)
    return _checked(Split(train, dev, test))


def _checked(split: Split) -> Split:
    if not all(split):
        sizes = ", ".join(str(len(part)) for part in split)
        raise InputError(
            "There are too few phrases to split. The training, development and test parts would "
            f"have {sizes} phrases."
        )
    return split


MAKERS: dict[str, Callable[[list[ConceptMention]], Split]] = {
    "stratified": stratified,
    "apart": phrases_apart,
    "zeroshot": zero_shot,
}
_COMETA = re.compile(r"(?:stratified|zeroshot)_(general|specific)")
_PARTS = ("train", "dev", "test")


def read_sets(
    path: Path, splits: list[str] | None = None, report: Report = log_problem
) -> Iterator[tuple[str, Split]]:
    """Read the data sets in a folder of COMETA, PubTator, PsyTAR or AskAPatient, and split them.

    If a published split has no test part, its development part is used as the test part. A fifth of
    its training documents then become the development part.

    Args:
        path: Folder of the data sets, or a PubTator file.
        splits: Names of the splits to create: "published", "stratified", "apart" or "zeroshot".
            None for the published splits. If there are none, None creates the two splits of the
            COMETA paper, "stratified" and "zeroshot".
        report: Function that is called with each problem in a record.

    Yields:
        The name of each data set, and its training, development and test parts.

    Raises:
        InputError: If no data set is found, if the name of a split is unknown, or if "published" is
            requested but no split is published.
    """
    check_names("split", splits or (), ["published", *MAKERS])
    if not path.exists():
        raise InputError(f"{path} does not exist.")
    any_set = False
    for name, published, everything in _sources(path, report):
        any_set = True
        wanted = splits or (["published"] if published else ["stratified", "zeroshot"])
        for split in wanted:
            if split == "published":
                if published is None:
                    raise InputError(
                        f"{path} has no published split. Choose one of {', '.join(MAKERS)}."
                    )
                yield f"{name} published".strip(), published
            else:
                yield f"{name} {split}".strip(), MAKERS[split](everything)
    if not any_set:
        raise InputError(
            f"{path} contains no data set in a known layout. Expected COMETA's folders "
            "(stratified_general and others), PubTator files, PsyTAR's sheets or a fold of "
            "AskAPatient."
        )


def _sources(
    path: Path, report: Report
) -> Iterator[tuple[str, Split | None, list[ConceptMention]]]:
    """Yield the name, the published split (or None) and all mentions of each data set."""
    if (path / "ADR_Mapped.tsv").is_file():
        for vocabulary in VOCABULARIES:
            yield vocabulary, None, list(read_psytar(path, vocabulary, report))
        return
    folders = sorted(folder for folder in path.glob("*") if _COMETA.fullmatch(folder.name))
    for folder in folders:
        level = folder.name.partition("_")[2]
        parts = [list(read_cometa(folder / f"{p}.csv", level, report)) for p in _PARTS]
        yield folder.name, Split(*parts), list(chain(*parts))
    if folders:
        return
    folds = [fold for fold in (path, *sorted(path.glob("[0-9]"))) if (fold / "train.tsv").is_file()]
    for folder in folds:
        files = {part: folder / f"{part}.tsv" for part in _PARTS}
        name = "" if folder == path else f"fold {folder.name}"
        yield name, *_published(files, read_askapatient, report)
    if folds:
        return
    files = {part: file for part in _PARTS if (file := _find(path, part))}
    if "train" in files:
        yield "", *_published(files, read_pubtator, report)
    elif path.is_file() or (path := next(path.glob("*.txt"), path)).is_file():
        yield "", None, list(read_pubtator(path, report))


def _find(folder: Path, part: str) -> Path | None:
    return next((path for path in sorted(folder.glob("*.txt")) if part in path.name.lower()), None)


def _published(
    files: dict[str, Path], read: Callable[[Path, Report], Iterator[ConceptMention]], report: Report
) -> tuple[Split, list[ConceptMention]]:
    train, dev, test = (
        list(read(files[part], report)) if part in files and files[part].is_file() else []
        for part in _PARTS
    )
    everything = train + dev + test
    if not test:  # documents of the training part become dev
        keys = [mention.document or f"{number}" for number, mention in enumerate(train)]
        kept, chosen = split_rows(keys, (1 - HELD_OUT, HELD_OUT))
        train, dev, test = [train[row] for row in kept], [train[row] for row in chosen], dev
    return Split(train, dev, test), everything
