"""From a document's own definitions, and from ranked candidates, to resolutions."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate
from math import prod
from typing import TYPE_CHECKING, Any

from spacy.tokens import Doc, SpanGroup

from ..dictionary import Candidate
from ..dictionary.learnt import Elsewhere, LearntDefinitions
from ..dictionary.spellings import group_spellings
from ..rules import Mention, base_form, defined_mentions, find_definitions
from .annotations import (
    DOCUMENT,
    defined_resolution,
    defined_words,
    definition_of,
    first_offsets,
    joined_offsets,
)
from .resolution import Resolution, Source
from .span_groups import spans_to_answer

if TYPE_CHECKING:
    from ..modeling.disambiguator import Disambiguator


def resolve_docs(
    docs: Iterable[Doc],
    linker: str,
    cfg: Mapping[str, Any],
    learnt: LearntDefinitions,
    open_disambiguator: Callable[[], "Disambiguator"],
) -> list[list[Resolution]]:
    """What the spans of each document mean, in order; the documents stay as they are.

    linker, cfg: the linker's name and settings. learnt: what other documents define.
    open_disambiguator: called where a mention is left that its document does not explain.
    """
    rows: list[list[Resolution | None]] = []
    asked: list[tuple[int, int]] = []
    mentions: list[Mention] = []
    own: dict[tuple[int, str], Resolution] = {}
    definitions: dict[tuple[int, str], dict[str, float]] = {}
    for number, doc in enumerate(docs):
        group = spans_to_answer(doc, cfg["spans_key"], linker)
        text = doc.text if group else ""
        defined = own_definitions(text, group) if group and cfg["use_definitions"] else {}
        own |= {(number, base_form(answer.acronym)): answer for answer in defined.values()}
        spans = [(group, span) for span in group] if group else []
        places = [(first_offsets(*one), joined_offsets(*one)) for one in spans]
        rows.append([defined.get(first) for first, _ in places])
        for column, (first, whole) in enumerate(places):
            mention = Mention(text, *whole, number)
            if first not in defined or (first != whole and _parts(mention)):
                asked.append((number, column))
                mentions.append(mention)
                for one in (mention, *_parts(mention)):
                    if found := defined_elsewhere(one, doc, learnt):
                        definitions[number, one.acronym] = found
    if mentions:  # without any, torch is never imported
        elsewhere = Elsewhere(definitions, learnt.undefined)
        firsts = [rows[row][column] for row, column in asked]
        answers = _with_joined(mentions, own, firsts, elsewhere, cfg, open_disambiguator())
        for (row, column), answer in zip(asked, answers, strict=True):
            rows[row][column] = answer
    return rows  # type: ignore[return-value]  # no None is left


def _with_joined(
    mentions: list[Mention],
    own: Mapping[tuple[int, str], Resolution],
    firsts: Sequence[Resolution | None],
    elsewhere: Elsewhere,
    cfg: Mapping[str, Any],
    disambiguator: "Disambiguator",
) -> list[Resolution]:
    """The answers; acronyms that a slash joins, and that nothing knows together, each by itself.

    own: what documents say themselves of an acronym's base form; firsts: of the first one in each
    mention.
    """
    answers = _resolve(mentions, elsewhere, cfg, disambiguator)
    joined = {
        number: parts
        for number, answer in enumerate(answers)
        if (parts := _parts(mentions[number]))
        and (
            not answer.candidates
            or firsts[number]
            or any((one.document, base_form(one.acronym)) in own for one in parts)
        )
    }
    if joined:
        asked = [part for parts in joined.values() for part in parts]
        told = iter(_resolve(asked, elsewhere, cfg, disambiguator))
        threshold = wanted_threshold(disambiguator, cfg)
        for number, parts in joined.items():
            found = [own.get((one.document, base_form(one.acronym)), next(told)) for one in parts]
            together = _join(mentions[number].acronym, found, threshold)
            answers[number] = together or firsts[number] or answers[number]
    return answers


def _parts(mention: Mention) -> list[Mention]:
    """The acronyms, of two characters or more, that slashes join, as in 2D/3D; else none.

    None, too, where a sign says more than the acronyms do: ER-/PR- is not ER/PR.
    """
    words = mention.acronym.split("/")
    if len(words) == 1 or min(map(len, words)) < 2 or any(word[-1] in "+-" for word in words):
        return []
    starts = accumulate((len(word) + 1 for word in words), initial=mention.start)
    return [
        mention._replace(start=start, end=start + len(word))
        for start, word in zip(starts, words, strict=False)
    ]


def _join(acronym: str, parts: Sequence[Resolution], threshold: float) -> Resolution | None:
    """The answer of acronyms that a slash joins: as likely as all of their answers are."""
    long_form = "/".join(one.long_form or "" for one in parts)
    probability = prod(one.probability for one in parts)
    if not all(one.long_form for one in parts) or probability < threshold:
        return None
    reasons = tuple(reason for one in parts for reason in one.reasons)
    pairs = ((long_form, probability),)
    source = next((one.source for one in parts if one.source != "definition"), parts[0].source)
    return Resolution(acronym, long_form, probability, source, pairs, reasons)


def _resolve(
    mentions: list[Mention],
    elsewhere: Elsewhere,
    cfg: Mapping[str, Any],
    disambiguator: "Disambiguator",
) -> list[Resolution]:
    """AcroBERT's answers, all mentions in one go."""
    told: list[list[str]] = [[] for _ in mentions]
    if cfg["why"]:
        from ..modeling.reasons import explain

        groups = disambiguator.gather(mentions, elsewhere)
        scored = disambiguator.rank(groups, len(mentions))
        told = explain(disambiguator, groups, scored)
    else:
        scored = disambiguator.resolve(mentions, elsewhere)
    threshold = wanted_threshold(disambiguator, cfg)
    return [
        decide(
            " ".join(one.acronym.split()),
            found,
            elsewhere.definitions.get((one.document, one.acronym), {}),
            threshold,
            cfg["top_k"],
            why,
        )
        for one, found, why in zip(mentions, scored, told, strict=True)
    ]


def wanted_threshold(disambiguator: "Disambiguator", cfg: Mapping[str, Any]) -> float:
    """The threshold that is set, or that the wanted precision needs.

    Raises InputError where the model knows none for it.
    """
    if cfg["precision"] is None:
        return float(cfg["threshold"])
    return disambiguator.model.settings.threshold_of(cfg["precision"])


def own_definitions(text: str, group: SpanGroup) -> dict[tuple[int, int], Resolution]:
    """The mentions that a document explains itself: as the detector says, else by rules."""
    if "definitions" in group.attrs:
        records = ((first_offsets(group, s), definition_of(group, s)) for s in group)
        found = {o: (defined_words(text, r), r["confidence"]) for o, r in records if r is not None}
    else:
        definitions = find_definitions(text)
        parts = [(one.words(text), one.confidence) for one in definitions]
        found = {o: parts[index] for o, index in defined_mentions(text, definitions).items()}
    return {o: defined_resolution(text[slice(*o)], *said) for o, said in found.items()}


def defined_pairs(text: str, group: SpanGroup) -> list[tuple[str, str]]:
    """The acronyms and long forms that a document defines, as `own_definitions` finds them."""
    if "definitions" in group.attrs:
        return [
            (text[slice(*one["acronym"])], defined_words(text, one))
            for one in group.attrs["definitions"]
        ]
    return [(text[slice(*one.acronym)], one.words(text)) for one in find_definitions(text)]


def defined_elsewhere(mention: Mention, doc: Doc, learnt: LearntDefinitions) -> dict[str, float]:
    """The long forms that other documents than the mention's define, and how much each weighs."""
    path = doc.user_data.get(DOCUMENT, "") if learnt else ""
    return learnt.meanings(mention.acronym, path)


def decide(
    acronym: str,
    scored: Sequence[tuple[Candidate, float]],
    learnt: Mapping[str, float],
    threshold: float,
    top_k: int,
    reasons: Sequence[str] = (),
) -> Resolution:
    """The best candidate, or NIL where there is none or it is too unlikely.

    learnt: long forms that other documents define; the best one has their wording if it is one.
    reasons: why it is the best.
    """
    pairs = [(one.long_form, float(probability)) for one, probability in scored[:top_k]]
    if not pairs:
        return Resolution(acronym, None, 0.0, "nil")
    best, probability = pairs[0]
    source: Source = "dictionary" if scored[0][0].counts else "document"
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
