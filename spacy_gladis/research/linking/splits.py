"""Train, dev and test parts of linked phrases: stratified and zero-shot (COMETA, section 3.3)."""

import random
from collections.abc import Sequence
from typing import NamedTuple

from ...concepts.mention import ConceptMention
from ...errors import InputError
from ..datasets.split import linked, split_rows

SHARES = (6, 2, 2)


class Split(NamedTuple):
    """The parts; `dev` is for choices, `test` is what figures are of."""

    train: list[ConceptMention]
    dev: list[ConceptMention]
    test: list[ConceptMention]


def stratified(mentions: Sequence[ConceptMention], seed: int = 0) -> Split:
    """Every concept of dev and test is in train; distinct phrases of a concept go apart.

    Phrases equal but for case stay in one part, so that no test phrase was seen with its concept. A
    concept with one phrase is in train alone.
    """
    parts: tuple[list[ConceptMention], ...] = ([], [], [])
    for rows in _by_concept(mentions):
        phrases = sorted({mentions[row].phrase.lower() for row in rows})
        random.Random(f"{seed} {mentions[rows[0]].concepts[0]}").shuffle(phrases)
        held_out = round(len(phrases) * SHARES[1] / sum(SHARES))
        # A concept with two to four phrases gives one to dev or to test, in turns.
        chosen = dict.fromkeys(phrases[1 : 1 + held_out], 1)
        chosen.update(dict.fromkeys(phrases[1 + held_out : 1 + 2 * held_out], 2))
        if not held_out and len(phrases) > 1:
            chosen[phrases[1]] = 1 + random.Random(phrases[1]).randrange(2)
        for row in rows:
            parts[chosen.get(mentions[row].phrase.lower(), 0)].append(mentions[row])
    seen = {concept for one in parts[0] for concept in one.concepts}
    train, *others = parts
    kept = [[one for one in part if set(one.concepts) <= seen] for part in others]
    return _checked(Split(train, *kept))


def zero_shot(mentions: Sequence[ConceptMention], seed: int = 0) -> Split:
    """No concept of dev or test is in another part.

    Concepts that one phrase names together stay together.
    """
    rows = split_rows(linked([one.concepts for one in mentions]), SHARES, seed)
    train, dev, test = ([mentions[row] for row in part] for part in rows)
    return _checked(Split(train, dev, test))


def held_out(train: Sequence[ConceptMention], share: float = 0.2, seed: int = 0) -> Split:
    """A development part of whole documents out of a published training set; no test part."""
    keys = [one.document or f"{number}" for number, one in enumerate(train)]
    rows = split_rows(keys, (1 - share, share), seed)
    kept, dev = ([train[row] for row in part] for part in rows)
    return Split(kept, dev, [])


def _by_concept(mentions: Sequence[ConceptMention]) -> list[list[int]]:
    groups: dict[str, list[int]] = {}
    for row, one in enumerate(mentions):
        groups.setdefault(one.concepts[0], []).append(row)
    return list(groups.values())


def _checked(split: Split) -> Split:
    if not all(split):
        sizes = ", ".join(str(len(part)) for part in split)
        raise InputError(f"Too few phrases to split: train, dev and test would have {sizes}.")
    return split
