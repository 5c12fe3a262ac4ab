"""Fitting of the linker's feature weights on held-out acronyms, without labelled texts.

Half of the documents represent what the package knows: the counts of the dictionary and the
contexts of the senses. The other half represent new texts of users, whose meanings may be missing
in the dictionary. If you have labelled texts, the command `train evidence` fits better weights.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import replace
from itertools import compress
from pathlib import Path
from zlib import crc32

import numpy as np

from ...arrays import Floats
from ...dictionary import Candidate, Dictionary
from ...linking.acrobert import AcroBERT
from ...linking.calibration import FEATURES, Calibration
from ...linking.features import (
    ATTESTED,
    CENTROID,
    COSINE,
    COUNTED,
    GLOSS,
    GLOSSED,
    INITIALS,
    NEIGHBOURS,
    SEEN,
    UNSEEN,
)
from ...linking.linker import Linker
from ...linking.ranking import group_meanings
from ...text import merge_key
from ..datasets.sample import Sample
from .centroids import choose, likely_centroids, read_contexts
from .likelihood import SenseContexts
from .logit import fit_calibration
from .sense_calibration import FEWEST

EACH = 4
"""Maximum number of contexts per sense that represent what the package knows."""

QUESTIONS = 4000
"""Maximum number of mentions in new documents on which weights are fitted."""

FORGOTTEN = 0.5
"""Share of the candidates whose counts and contexts are hidden in a second copy of each question.
The copy represents the long forms that users add, which have neither counts nor contexts."""


def weigh(
    model: AcroBERT,
    dictionary: Dictionary,
    samples: Iterable[Sample],
    work: Path | None = None,
    *,
    limit: int = QUESTIONS,
    seed: int = 0,
) -> Calibration:
    """Fit the feature weights that maximise the likelihood of the right meanings in new documents.

    Args:
        model: Model that encodes the contexts, with a PLDA model of the senses.
        dictionary: Dictionary that provides the candidates.
        samples: Samples of held-out acronyms; see `run.samples_of`.
        work: Cache folder of the context vectors. None to store nothing.
        limit: Maximum number of mentions to fit the weights on.
        seed: Random seed of the draw of mentions.

    Returns:
        The fitted weights. The existing weights of the model if there are fewer than `FEWEST`
        mentions with candidates, or if the model has no PLDA model.
    """
    halves: tuple[list[Sample], list[Sample]] = ([], [])
    for sample in samples:
        halves[crc32(sample.document.encode()) % 2].append(sample)
    known_samples, new_samples = halves
    candidates = known_candidates(known_samples, dictionary)
    questions = [sample for sample in new_samples if candidates.get(sample.acronym)]
    likelihood = model.centroids.likelihood
    if len(questions) < FEWEST or likelihood is None:
        return model.settings.calibration
    order = np.random.default_rng(seed).permutation(len(questions))[:limit]
    questions = [questions[row] for row in order]
    encoded = read_contexts(model, choose(known_samples, EACH, Counter(), of_a_document=1), work)
    remembering = copy(model)
    remembering.settings = replace(model.settings, calibration=Calibration())
    seen = SenseContexts.of(encoded.keys, encoded.documents, encoded.vectors)
    remembering.centroids = likely_centroids(seen, likelihood)
    mentions = [sample.mention._replace(document=row) for row, sample in enumerate(questions)]
    options = [candidates[sample.acronym] for sample in questions]
    features = Linker(remembering, dictionary).compute_features(mentions, options)[0]
    answers = [
        _right(sample.long_form, choices)
        for sample, choices in zip(questions, options, strict=True)
    ]
    rng = np.random.default_rng(seed)
    hidden = [_forget(table, rng) for table in features]
    informative = np.concatenate(features + hidden).any(axis=0)
    fitted = [name for name, column in zip(FEATURES, informative, strict=True) if column]
    names = {*fitted, "nil"} - {"texts"}
    return _sharpened(
        fit_calibration(features + hidden, answers * 2, Calibration(), names), features, answers
    )


def _sharpened(
    calibration: Calibration, features: Sequence[Floats], answers: Sequence[list[int]]
) -> Calibration:
    """Fit a common factor of all weights, and the weight of NIL. The ranking stays the same."""
    scores = [np.zeros_like(table) for table in features]
    for score, table in zip(scores, features, strict=True):
        score[:, COSINE] = calibration.logits(table)
    rescaled = fit_calibration(scores, answers, Calibration(), ("cosine", "nil"))
    weights = {name: round(getattr(calibration, name) * rescaled.cosine, 4) for name in FEATURES}
    return replace(calibration, **(weights | {"folder": calibration.folder}), nil=rescaled.nil)


def _forget(features: Floats, rng: np.random.Generator) -> Floats:
    """Hide the counts and contexts of random candidates, and keep the features of their names."""
    hidden = features.copy()
    lost = rng.random(len(features)) < FORGOTTEN
    for column in (CENTROID, SEEN, NEIGHBOURS, GLOSS, GLOSSED, *COUNTED):
        hidden[lost, column] = 0
    hidden[lost, ATTESTED] = hidden[lost, INITIALS]
    hidden[lost, UNSEEN] = 1
    return hidden


def known_candidates(
    samples: Sequence[Sample], dictionary: Dictionary
) -> dict[str, list[Candidate]]:
    """Return the candidates that a dictionary would have if it were built from given samples only.

    Only samples that were created from definitions count.

    Args:
        samples: Samples that the dictionary may know.
        dictionary: Dictionary whose candidates are reduced to those with a definition in `samples`.

    Returns:
        A mapping from each acronym to its candidates, with their counts in `samples`.
    """
    counts: defaultdict[str, defaultdict[str, Counter[str]]] = defaultdict(
        lambda: defaultdict(Counter)
    )
    for sample in samples:
        if sample.kind == "definition":
            counts[sample.acronym][merge_key(sample.long_form)][sample.domain] += 1
    return {
        acronym: [
            candidate._replace(counts=dict(domains), total=domains.total())
            for candidate in dictionary.candidates(acronym)
            if (domains := by_key.get(merge_key(candidate.long_form)))
        ]
        for acronym, by_key in counts.items()
    }


def _right(long_form: str, candidates: Sequence[Candidate]) -> list[int]:
    """Return the rows of the candidates with a given meaning, in any spelling."""
    groups, key = group_meanings(candidates), merge_key(long_form)
    spelt = [merge_key(candidate.long_form) == key for candidate in candidates]
    right_groups = set(compress(groups, spelt))
    return [row for row, group in enumerate(groups) if group in right_groups]
