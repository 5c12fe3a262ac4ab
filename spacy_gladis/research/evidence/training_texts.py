"""The labelled texts on which the linker is fitted, and the meanings that they may not reveal.

There are three sources of labels: passages of many kinds, documents whose authors publish a
glossary, and working texts that were written for training. Further texts are derived from them.
Excerpts of one to three sentences teach the linker to answer short texts. Texts in which an acronym
is replaced by random letters teach it to leave in-house acronyms without an answer.

The dictionary contains the meanings that readers found in these texts. A fit would learn that the
dictionary knows everything, so a meaning that only one source attests is hidden from this source.
"""

import random
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import spacy

from ...arrays import Flags
from ...dictionary import Candidate, Dictionary
from ...linking.candidates import Question
from ...text import base_form
from ...text.spelling import same_key
from ..datasets.texts import NO_ACRONYM, GoldMention, LabelledText, read_texts
from ..datasets.training_labels import as_labelled_texts, read_passages
from .fit import Labelled, select_rows

LONGEST_TEXT = 2500
"""Maximum number of characters of a text in which letters are replaced."""

EXCERPT_SOURCE = 6000
"""Number of characters at the start of a text from which excerpts are drawn."""

SHORTEST_EXCERPT, LONGEST_EXCERPT = 20, 700
"""Minimum and maximum number of characters of an excerpt."""

SENTENCES = (1, 1, 1, 2, 2, 3)
"""Numbers of sentences of an excerpt. One is drawn at random."""

LETTERS = "ABCDEFGHIJKLMNOPRSTUVW"
LENGTHS = (2, 3, 3, 3, 4)
"""Lengths of random acronyms. One is drawn at random."""

TRIES = 200
"""Maximum number of random acronyms to try until the dictionary lists one."""

EXCERPTS = 4000
LETTERED = 1000
LETTERED_EXCERPTS = 1000
"""Number of texts that are derived from the passages and the written texts, by kind."""

_CAPITALS = re.compile("[A-Z]{2,5}")
_LEARNED = re.compile(
    r"common: .*/(?:labelled_texts|working_documents)|glossary: project_glossaries"
)
"""Names of the dictionary's sources that contain meanings found in the labelled texts."""


def read_training_texts(labels: Path, shared: Path) -> dict[str, list[LabelledText]]:
    """Read the labelled texts for training.

    Args:
        labels: Folder with the labels of the passages, and with the written texts in
            `written_texts.jsonl`.
        shared: Folder with the passages and documents in `training`, and the folder `corpus`.

    Returns:
        A mapping from ``"passages"``, ``"documents"`` and ``"written"`` to the texts.

    Raises:
        InputError: If a file is missing.
        FormatError: If a file is damaged.
    """
    return {
        "passages": as_labelled_texts(read_passages(labels, shared)),
        "documents": read_texts(shared / "training" / "documents.jsonl.zst"),
        "written": read_texts(labels / "written_texts.jsonl"),
    }


def derive_texts(
    texts: Mapping[str, Sequence[LabelledText]], dictionary: Dictionary
) -> dict[str, list[LabelledText]]:
    """Make excerpts of labelled texts, and texts in which acronyms are random letters.

    Args:
        texts: Labelled texts by the name of their set. Those of ``"documents"`` aren't used.
        dictionary: Dictionary that lists the random acronyms, so that they have wrong candidates.

    Returns:
        The derived texts by the name of their set. They have the repository, or else the name, of
        the text that they come from.
    """
    originals = [
        text._replace(repository=source_of(text))
        for name, of_set in texts.items()
        if name != "documents"
        for text in of_set
    ]
    lettered = list(_take(replace_acronyms(originals, dictionary, seed=1), LETTERED))
    return {
        "excerpts": list(_take(cut_excerpts(originals, seed=2), EXCERPTS)),
        "letters": lettered,
        "letters in excerpts": list(_take(cut_excerpts(lettered, seed=3), LETTERED_EXCERPTS)),
    }


def source_of(text: LabelledText) -> str:
    """Return the source that a text shares with related texts: its repository, or its name.

    Args:
        text: Labelled text.
    """
    return text.repository or text.name


def cut_excerpts(texts: Sequence[LabelledText], *, seed: int) -> Iterator[LabelledText]:
    """Cut excerpts of one to three sentences that contain an acronym without a definition.

    Args:
        texts: Labelled texts. Each gives at most one excerpt.
        seed: Random seed of the order of the texts and of the choice of the sentences.

    Yields:
        The excerpts, with offsets of mentions relative to their start.
    """
    rng = random.Random(seed)
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    for text in rng.sample(texts, len(texts)):
        sentences = list(nlp(text.text[:EXCERPT_SOURCE]).sents)
        number = rng.choice(SENTENCES)
        if len(sentences) < number:
            continue
        first = rng.randrange(len(sentences) - number + 1)
        start, end = sentences[first].start_char, sentences[first + number - 1].end_char
        mentions = [m for m in text.mentions if start <= m.start and m.end <= end]
        has_length = SHORTEST_EXCERPT <= end - start <= LONGEST_EXCERPT
        if has_length and mentions and not any(mention.defined for mention in mentions):
            moved = [m._replace(start=m.start - start, end=m.end - start) for m in mentions]
            yield text._replace(text=text.text[start:end], mentions=tuple(moved))


def replace_acronyms(
    texts: Sequence[LabelledText], dictionary: Dictionary, *, seed: int
) -> Iterator[LabelledText]:
    """Replace one or two acronyms of each text by random letters that have other meanings.

    Args:
        texts: Labelled texts. Long texts, and texts with only one acronym, are left out.
        dictionary: Dictionary that lists the random acronyms.
        seed: Random seed of the order of the texts and of the letters.

    Yields:
        The texts, in which the new acronyms are labelled as having no meaning.
    """
    rng = random.Random(seed)
    for text in rng.sample(texts, len(texts)):
        acronyms = sorted(
            {
                mention.acronym
                for mention in text.mentions
                if mention.long_forms
                and not mention.defined
                and _CAPITALS.fullmatch(mention.acronym)
            }
        )
        if len(text.text) > LONGEST_TEXT or len(acronyms) < 2:
            continue
        replaced = rng.sample(acronyms, 2 if len(acronyms) > 5 else 1)
        drawn = [_draw_letters(text.text, dictionary, rng) for _ in replaced]
        if all(drawn) and len(set(drawn)) == len(drawn):
            yield _replace_mentions(text, dict(zip(replaced, drawn, strict=True)))


def _draw_letters(text: str, dictionary: Dictionary, rng: random.Random) -> str:
    """Return random letters that the dictionary lists and the text lacks, or an empty string."""
    for _ in range(TRIES):
        letters = "".join(rng.choices(LETTERS, k=rng.choice(LENGTHS)))
        if letters not in text and dictionary.count(letters):
            return letters
    return ""


def _replace_mentions(text: LabelledText, letters: Mapping[str, str]) -> LabelledText:
    parts: list[str] = []
    mentions: list[GoldMention] = []
    position = length = 0
    for mention in sorted(text.mentions):
        if mention.start < position:
            continue
        written = letters.get(mention.acronym, mention.acronym)
        before = text.text[position : mention.start]
        start = length + len(before)
        length = start + len(written)
        parts += [before, written]
        moved = mention._replace(start=start, end=length)
        if written != mention.acronym:
            moved = GoldMention(start, length, written, (), NO_ACRONYM, False)
        mentions.append(moved)
        position = mention.end
    whole = "".join([*parts, text.text[position:]])
    return text._replace(text=whole, mentions=tuple(mentions))


def _take(texts: Iterator[LabelledText], most: int) -> Iterator[LabelledText]:
    for _, text in zip(range(most), texts, strict=False):
        yield text


def find_attesting_sources(texts: Iterable[LabelledText]) -> dict[tuple[str, str], set[str]]:
    """Find the sources of labelled texts that attest each meaning of an acronym.

    Args:
        texts: Labelled texts.

    Returns:
        A mapping from keys of an acronym and a meaning to the sources of the texts (see
        `source_of`).
    """
    attesting: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for text in texts:
        for mention in text.mentions:
            for long_form in mention.long_forms:
                attesting[_key(mention.acronym, long_form)].add(source_of(text))
    return attesting


def hide_own_meanings(
    acronym: Labelled, source: str, attesting: Mapping[tuple[str, str], Collection[str]]
) -> Labelled:
    """Remove the candidates that the dictionary has only because of the text's own labels.

    Args:
        acronym: Labelled acronym with the features of its candidates.
        source: Source of the text (see `source_of`).
        attesting: Sources that attest each meaning; see `find_attesting_sources`.

    Returns:
        The acronym with its remaining candidates.
    """
    is_kept = ~find_own_meanings(acronym.evidence.question, source, attesting)
    return acronym if is_kept.all() else select_rows(acronym, np.flatnonzero(is_kept))


def find_own_meanings(
    question: Question, source: str, attesting: Mapping[tuple[str, str], Collection[str]]
) -> Flags:
    """Find the candidates that the dictionary has only because of the text's own labels.

    Args:
        question: An acronym of a labelled text, with its candidates.
        source: Source of the text (see `source_of`).
        attesting: Sources that attest each meaning; see `find_attesting_sources`.

    Returns:
        Whether each candidate is such a meaning, bool [candidates].
    """

    def is_own(candidate: Candidate) -> bool:
        if not candidate.counts or not all(map(_LEARNED.fullmatch, candidate.counts)):
            return False
        sources = attesting.get(_key(question.acronym, candidate.long_form), ())
        return bool(sources) and all(name == source for name in sources)

    return np.array([is_own(candidate) for candidate in question.candidates], bool)


def _key(acronym: str, long_form: str) -> tuple[str, str]:
    return base_form(acronym).casefold(), same_key(long_form)
