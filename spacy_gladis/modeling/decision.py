"""From the meanings of a mention and their probabilities to what is said of it."""

from collections.abc import Mapping, Sequence

from ..dictionary import Candidate
from ..dictionary.learnt import NOTHING, Elsewhere
from ..dictionary.same_key import group_spellings
from ..resolution import AnswerSource, Resolution
from ..rules import Mention
from .disambiguator import Disambiguator
from .reasons import explain

NO_DOCUMENTS: Mapping[int, str] = {}


def resolve(
    disambiguator: Disambiguator,
    mentions: Sequence[Mention],
    elsewhere: Elsewhere = NOTHING,
    *,
    threshold: float,
    top_k: int,
    why: bool = False,
    foreign: Mapping[int, str] = NO_DOCUMENTS,
) -> list[Resolution]:
    """What each mention means by all evidence, in order; NIL below the threshold, 0..1.

    elsewhere: what other documents say. top_k: how many candidates are kept. why: name the
    evidence of each answer. foreign: the documents, by their numbers, in a language that the
    dictionary has not, with the language's name.
    """
    groups = disambiguator.gather(mentions, elsewhere, foreign)
    ranked = disambiguator.rank(groups, len(mentions))
    told = explain(disambiguator, groups, ranked) if why else [[]] * len(mentions)
    return [
        decide(
            " ".join(one.acronym.split()),
            found,
            elsewhere.definitions.get((one.document, one.acronym), {}),
            threshold,
            top_k,
            reasons,
            foreign.get(one.document),
        )
        for one, found, reasons in zip(mentions, ranked, told, strict=True)
    ]


def decide(
    acronym: str,
    ranked: Sequence[tuple[Candidate, float]],
    learnt: Mapping[str, float],
    threshold: float,
    top_k: int,
    reasons: Sequence[str] = (),
    language: str | None = None,
) -> Resolution:
    """The best candidate, or NIL where there is none or it is too unlikely.

    learnt: long forms that other documents define; the best one has their wording if it is one.
    reasons: why it is the best. language: the document's, where the dictionary has it not.
    """
    pairs = [(one.long_form, float(probability)) for one, probability in ranked[:top_k]]
    if not pairs:
        why = f"the text is in {language}, the dictionary is not" if language else ""
        return Resolution(acronym, None, 0.0, "nil", (), (why,) if why else ())
    best, probability = pairs[0]
    source: AnswerSource = "dictionary" if ranked[0][0].counts else "document"
    if learnt and (taught := _same_meaning(best, learnt)):
        best, source = taught, "folder"
        pairs[0] = best, probability
    if probability < threshold:
        return Resolution(acronym, None, probability, "nil", tuple(pairs))
    return Resolution(acronym, best, probability, source, tuple(pairs), tuple(reasons))


def _same_meaning(long_form: str, learnt: Mapping[str, float]) -> str | None:
    """The learnt long form that is a spelling of this one, the one of most weight."""
    names = sorted(learnt, key=lambda name: -learnt[name])
    groups = group_spellings((long_form, *names))
    return next((name for name, group in zip(names, groups[1:], strict=True) if not group), None)
