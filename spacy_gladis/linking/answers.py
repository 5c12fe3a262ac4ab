"""From the logits of an acronym's candidates to its meanings and their probabilities."""

from collections.abc import Sequence

import numpy as np

from ..arrays import Floats
from ..dictionary import USER_SOURCE, Candidate
from ..dictionary.same_key import group_spellings
from .calibration import FEATURES, NIL_FEATURES, SUREST, Calibration, reweigh
from .evidence import CENTROID, COUNTED, TOPIC, AcronymInDocument

GROUPED = 32
"""Candidates beyond the first so many are not looked at for spellings of one meaning: their
probability is next to nothing, and comparing all with all is quadratic."""

OWN_ENTRY = 5.0
"""What is added to the logit of an entry that the user typed."""

STRONG = 0.9
"""The probability of a meaning that fits its context and its document's topics well."""

OTHER_DOCUMENT = 0.85
"""The highest probability of what another document defines, below that of a strong match."""

NIL_WORDS = NIL_FEATURES.index("nil_words")

ATTESTING = np.isin(
    FEATURES,
    (
        "initials",
        "attested",
        "sources",
        "glossary",
        "common",
        "topic",
    ),
)
"""The evidence that speaks of a long form whatever the context is, and of its document's topics."""


def answer(
    group: AcronymInDocument, logits: Floats, calibration: Calibration
) -> list[tuple[Candidate, float]]:
    """Meanings with their probabilities, best first, of the candidates' logits."""
    nil = calibration.nil_logit(group.surroundings)
    logits, nil = own_entries_first(group, logits, nil, calibration)
    probabilities = calibration.probabilities(logits, nil)
    order = np.argsort(-logits, kind="stable")
    return _by_meaning([(group.candidates[i], float(probabilities[i])) for i in order])


def with_others(
    group: AcronymInDocument,
    answers: list[tuple[Candidate, float]],
    alone: list[tuple[Candidate, float]],
) -> list[tuple[Candidate, float]]:
    """The answers to a mention, where what other documents say is not overrated.

    A definition in another document is no more than `OTHER_DOCUMENT` likely. One that is not near
    yields to a meaning that is `STRONG` by all other evidence.

    Args:
        group: The acronym, with what other documents say of its candidates.
        answers: Its meanings with their probabilities by all evidence, best first.
        alone: The same without what other documents say.
    """
    weights = zip(group.candidates, group.folder, strict=True)
    said = {one.long_form for one, weight in weights if weight}
    (best, probability), (rival, likely) = answers[0], alone[0]
    if not group.is_near and likely >= STRONG and rival.long_form not in said:
        return alone
    if best.long_form not in said or USER_SOURCE in best.counts:
        return answers
    return reweigh(answers, min(probability, OTHER_DOCUMENT))


def own_entries_first(
    group: AcronymInDocument, logits: Floats, nil: float, calibration: Calibration
) -> tuple[Floats, float]:
    """Logits and that of NIL; what the user typed comes first, an only meaning is the answer.

    No text and no list could attest an organisation's own meaning: it counts as attested as well
    as the best of the others, and OWN_ENTRY more. Another meaning wins where the context is much
    more like its own.
    """
    own = np.array([USER_SOURCE in candidate.counts for candidate in group.candidates], bool)
    if not own.any():
        return logits, nil
    if own.all():
        return logits, float(logits.min()) - 2 * OWN_ENTRY
    attested = calibration.logits(np.mean(group.features, axis=0) * ATTESTING)
    raised = logits + np.float32(attested.max()) - attested + np.float32(OWN_ENTRY)
    return np.where(own, raised, logits), nil - OWN_ENTRY


def _by_meaning(ranked: list[tuple[Candidate, float]]) -> list[tuple[Candidate, float]]:
    """Add up the probabilities of each meaning's spellings, of the first GROUPED candidates."""
    head, tail = ranked[:GROUPED], ranked[GROUPED:]
    probabilities: dict[int, float] = {}
    for index, (_, probability) in zip(meanings([one for one, _ in head]), head, strict=True):
        probabilities[index] = probabilities.get(index, 0.0) + probability
    # The softmax is of single precision: its sum may be a little above 1.
    grouped = [(head[index][0], min(1.0, sure)) for index, sure in probabilities.items()]
    return sorted(grouped + tail, key=lambda pair: -pair[1])


def meanings(candidates: Sequence[Candidate]) -> list[int]:
    """For each candidate the index of the one that stands for its meaning.

    Mined dictionaries hold "computed tomography", "computed tomographic", "computed tomography
    scan". Each would take its share of the probability, and the right meaning would look unsure.
    Candidates come in the order of preference: a later one joins the first earlier one that it
    is a spelling of. The one that stands for a meaning is its most frequent.
    """
    found = group_spellings(tuple(candidate.long_form for candidate in candidates))
    best: dict[int, int] = {}
    for index, group in enumerate(found):
        if group not in best or candidates[index].total > candidates[best[group]].total:
            best[group] = index
    return [best[group] for group in found]


def confidence_row(
    group: AcronymInDocument,
    answers: Sequence[tuple[Candidate, float]],
    logits: Floats,
    acronyms: int,
) -> Floats:
    """What the trees ask of a mention's first answer, float32 [COLUMNS].

    answers: its meanings with their probabilities, best first. logits: of the group's candidates
    [candidates]. acronyms: how many with candidates its document does not define.
    """
    attested = group.features[0][:, COUNTED].sum(axis=1)  # the same in every context
    best = next(i for i, one in enumerate(group.candidates) if one is answers[0][0])
    first = min(max(answers[0][1], SUREST), 1 - SUREST)
    ahead = logits.max() - np.partition(logits, -2)[-2] if len(logits) > 1 else logits.max()
    others = np.delete(attested, best).max(initial=0)
    features = np.mean([table[best] for table in group.features], axis=0)
    acronym = group.acronym
    row = (
        *(np.log(first / (1 - first)), answers[1][1] if len(answers) > 1 else 0, ahead),
        *(np.log1p(len(logits)), attested[best], attested[best] - others),
        *(acronym.isupper(), acronym.islower(), len(acronym)),
        *(group.surroundings[NIL_WORDS], acronyms, features[TOPIC], features[CENTROID]),
    )
    return np.array(row, np.float32)
