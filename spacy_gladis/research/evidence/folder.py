"""Fitting of the weight of definitions in other documents of the same folder.

A folder may contain the documents of one project, or unrelated documents. Each labelled document is
therefore read twice, with the other documents of its repository and with documents of other
repositories. The fit uses the acronyms of both readings. All other evidence keeps its weights, and
the weight of the feature `folder` is fitted on top of their logits. Strong evidence for another
meaning can therefore outvote a definition in another document.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from spacy.language import Language

from ...arrays import Floats
from ...dictionary import Candidate
from ...linking.candidates import Question
from ..datasets.texts import LabelledText
from ..tasks.texts.folders import collect_from_others, collect_from_strangers
from ..training.logit import fit_logit
from .fit import RIDGE, Labelled, gather, select_candidates_of
from .training_texts import find_own_meanings, source_of

START = 4.0
"""Initial weight of the feature `folder`."""


class FolderExample(NamedTuple):
    """An acronym that other documents define, for the fit of the weight of their definitions.

    Attributes:
        logits: Logits of the candidates, followed by that of NIL, from all evidence other than
            definitions in other documents, float32 [candidates + 1].
        folder: Feature `folder` of these alternatives, float32 [candidates + 1].
        right: Rows of the right alternatives. There is at least one.
        weight: Weight of the acronym in the fit.
    """

    logits: Floats
    folder: Floats
    right: tuple[int, ...]
    weight: float


def gather_together(
    nlp: Language,
    texts: Sequence[LabelledText],
    attesting: Mapping[tuple[str, str], Collection[str]],
    prune: Callable[[Labelled], Labelled] = lambda acronym: acronym,
    *,
    strangers: bool = False,
) -> list[Labelled]:
    """Collect the labelled acronyms that other documents of a folder define.

    Meanings that the dictionary has only because of the repository's own labels are removed, unless
    another document defines them. Then they count as meanings that the dictionary doesn't list.

    Args:
        nlp: Pipeline with the component `acrobert_linker`.
        texts: Labelled texts of one or more repositories.
        attesting: Sources that attest each meaning; see `find_attesting_sources`.
        prune: Function that removes unneeded candidates of an acronym.
        strangers: Whether the other documents are from other repositories. By default, they are
            from the same repository.

    Returns:
        The acronyms with the features of their candidates.
    """

    def hide(question: Question, text: LabelledText) -> Question:
        return _hide_own_meanings(question, source_of(text), attesting)

    if strangers:  # all documents lie in the same folder
        texts = [text._replace(name=str(number)) for number, text in enumerate(texts)]
        folders = collect_from_strangers(nlp, texts, seed=0)
    else:
        folders = collect_from_others(nlp, texts)
    gathered = gather(nlp, texts, prune=prune, folders=folders, hide=hide)
    return [acronym for acronym in gathered.acronyms if acronym.evidence.question.folder.any()]


def _hide_own_meanings(
    question: Question, source: str, attesting: Mapping[tuple[str, str], Collection[str]]
) -> Question:
    is_own = find_own_meanings(question, source, attesting)
    candidates = tuple(
        Candidate(candidate.long_form, {}, 0, -1) if own else candidate
        for candidate, own in zip(question.candidates, is_own, strict=True)
    )
    is_kept = ~is_own | (question.folder > 0) | (question.phrases > 0)
    return select_candidates_of(replace(question, candidates=candidates), np.flatnonzero(is_kept))


def make_folder_example(
    acronym: Labelled, logits: Floats, nil: float, weight: float
) -> FolderExample:
    """Return the example of an acronym for the fit.

    Args:
        acronym: Labelled acronym that another document defines.
        logits: Logits of the acronym's candidates without the feature `folder`, [candidates].
        nil: Logit of NIL.
        weight: Weight of the acronym in the fit.
    """
    alternatives = np.append(logits, nil).astype(np.float32)
    folder = np.append(acronym.evidence.question.folder, np.float32(0))
    return FolderExample(alternatives, folder, acronym.right or (len(logits),), weight)


def fit_folder_weight(examples: Sequence[FolderExample]) -> float:
    """Fit the weight of the feature `folder` by conditional logit.

    Args:
        examples: One or more acronyms that other documents define.

    Returns:
        The weight, which is at least 0, rounded to four decimals.
    """
    tables = [np.stack([example.logits, example.folder], axis=1) for example in examples]
    scale = np.concatenate([example.folder for example in examples]).std()
    fitted = fit_logit(
        tables,
        [example.right for example in examples],
        start=np.array([1, START], np.float32),
        signed=[True, False],
        free=[False, True],
        penalty=np.array([0, RIDGE * scale**2]),
        weights=np.array([example.weight for example in examples]),
    )
    return round(float(fitted[1]), 4)
