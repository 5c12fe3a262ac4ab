"""Definitions that the other documents of a text's folder contain, for labelled texts."""

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from spacy.language import Language

from ....dictionary.folder_definitions import FolderDefinitions
from ....documents.source import Source
from ....pipeline.learn import learn_definitions
from ...datasets.texts import LabelledText

STRANGERS = 5
"""Number of other repositories whose documents lie in the folder of a text."""


def collect_from_others(
    nlp: Language, texts: Sequence[LabelledText]
) -> Iterator[FolderDefinitions]:
    """Collect the definitions in the other texts of each text's repository.

    Args:
        nlp: Pipeline that finds definitions.
        texts: Texts of one or more repositories.

    Yields:
        For each text, the definitions and phrases in the other texts of its repository. They are
        empty for a text without a repository.
    """
    repositories = _group_by_repository(texts)
    others = (
        [other for other in repositories[text.repository] if text.repository and other != number]
        for number, text in enumerate(texts)
    )
    return _collect(nlp, texts, others)


def collect_from_strangers(
    nlp: Language, texts: Sequence[LabelledText], *, seed: int
) -> Iterator[FolderDefinitions]:
    """Collect definitions in texts of other repositories, which may mean something else.

    Args:
        nlp: Pipeline that finds definitions.
        texts: Texts of several repositories.
        seed: Random seed of the choice of repositories.

    Yields:
        For each text, the definitions and phrases in the texts of `STRANGERS` other repositories.
    """
    rng = random.Random(seed)
    repositories = _group_by_repository(texts)

    def draw(text: LabelledText) -> list[int]:
        strangers = [name for name in repositories if name != text.repository]
        drawn = rng.sample(strangers, min(STRANGERS, len(strangers)))
        return [number for name in drawn for number in repositories[name]]

    return _collect(nlp, texts, map(draw, texts))


def _group_by_repository(texts: Sequence[LabelledText]) -> Mapping[str, list[int]]:
    repositories: defaultdict[str, list[int]] = defaultdict(list)
    for number, text in enumerate(texts):
        repositories[text.repository].append(number)
    return repositories


def _collect(
    nlp: Language, texts: Sequence[LabelledText], folders: Iterable[Sequence[int]]
) -> Iterator[FolderDefinitions]:
    """Yield the definitions and phrases in the texts of each folder, given by their numbers."""
    definitions = [learn_definitions(nlp, [Source(text.name, text.text)]) for text in texts]
    for numbers in _group_by_repository(texts).values():
        undefined = {
            acronym: None for number in numbers for acronym in definitions[number].undefined
        }
        for number in numbers:
            definitions[number].add_phrases(texts[number].text, undefined, texts[number].name)
    for folder in folders:
        collected = FolderDefinitions()
        for number in folder:
            collected.update(definitions[number])
        yield collected
