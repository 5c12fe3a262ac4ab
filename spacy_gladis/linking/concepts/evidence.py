"""What speaks for a concept: numbers for each concept that is shortlisted for a phrase, by all
the names and linked phrases that it can be compared with."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ...arrays import Floats, Ints
from ...concepts import ConceptMention, Inventory
from ...concepts.trigrams import TrigramIndex
from ...dictionary import Dictionary
from ...text import Definition, defined_mentions, find_definitions, merge_key
from ..acrobert import AcroBERT


class NameVectors:
    """Unit vectors of texts in lower case, each computed once; float32 [texts, width]."""

    def __init__(self, model: AcroBERT) -> None:
        self.model = model
        self._rows: dict[str, int] = {}
        self._table = np.zeros((0, model.width), dtype=np.float16)
        self._matrix: Floats | None = None

    def __call__(self, texts: Sequence[str]) -> Floats:
        """The vectors, of which those that are not there yet are computed."""
        folded = [text.lower() for text in texts]
        if fresh := [text for text in dict.fromkeys(folded) if text not in self._rows]:
            computed = self._turn(self.model.encode_long_forms(fresh)).astype(np.float16)
            self._rows.update((text, len(self._table) + at) for at, text in enumerate(fresh))
            self._table = np.concatenate([self._table, computed])
        rows = np.array([self._rows[text] for text in folded], dtype=np.int64)
        return self._table[rows].astype(np.float32)

    def turn(self, matrix: Floats) -> None:
        """Multiply all vectors by a matrix [width, width], those computed so far too."""
        self._matrix = matrix
        self._table = self._turn(self._table.astype(np.float32)).astype(np.float16)

    def _turn(self, vectors: Floats) -> Floats:
        if self._matrix is None:
            return vectors
        turned: Floats = vectors @ self._matrix
        turned /= np.maximum(np.linalg.norm(turned, axis=1, keepdims=True), 1e-9)
        return turned


class LinkedNames:
    """The inventory's names, by their number, and behind them the linked phrases.

    texts: all of them. owners: the concept of each, int64 [texts]. learnt: how many are names;
    from there on they are phrases.
    """

    def __init__(self, inventory: Inventory, linked: Sequence[ConceptMention] = ()) -> None:
        """linked: phrases with their concepts; those outside the inventory are left out."""
        self.inventory = inventory
        self.concepts: defaultdict[str, Counter[int]] = defaultdict(Counter)
        """The concepts of each phrase, by its merge key, with how often they were linked to it."""
        self.frequency: Counter[int] = Counter()
        """How often each concept was linked."""
        self._kinds: Counter[tuple[str, str]] = Counter()
        pairs: dict[tuple[str, int], None] = {}
        for mention in linked:
            for concept in inventory.find_all(mention.concepts):
                self.concepts[merge_key(mention.phrase)][concept] += 1
                self.frequency[concept] += 1
                self._kinds[mention.kind, inventory.domain(concept)] += 1
                pairs[mention.phrase, concept] = None
        self.learnt = len(inventory.names)
        self.texts = [*inventory.names, *(phrase for phrase, _ in pairs)]
        added = np.array([concept for _, concept in pairs], dtype=np.int64)
        self.owners = np.concatenate([inventory.owners, added])

    def kind_share(self, kind: str, concept: int) -> float:
        """The share of the links from phrases of a kind that went to the concept's domain, 0..1."""
        links = sum(count for (one, _), count in self._kinds.items() if one == kind)
        return self._kinds[kind, self.inventory.domain(concept)] / max(1, links)

    def groups(self) -> tuple[list[list[str]], list[list[str]]]:
        """The texts of each concept: of those that phrases were linked to, and of the others."""
        linked: dict[int, list[str]] = {}
        for index in range(self.learnt, len(self.texts)):
            concept = int(self.owners[index])
            linked.setdefault(concept, self.inventory.names_of(concept)).append(self.texts[index])
        others = (one for one in range(len(self.inventory)) if one not in linked)
        return list(linked.values()), [self.inventory.names_of(one) for one in others]


FEATURES = range(12)
(
    SPARSE,  # cosine of trigrams with the concept's nearest name
    DENSE,  # cosine of the encoder's vectors with the nearest name shortlisted
    EXACT,  # whether the phrase is one of the names, but for case, punctuation and plural
    PREFERRED,  # cosine of trigrams with the preferred name
    WORDS,  # overlap of the words with the nearest name
    SEEN,  # share of the phrase's links that went to the concept
    LINKED_SPARSE,  # cosine of trigrams with the nearest phrase that was linked to the concept
    LINKED_DENSE,  # the same with the encoder's vectors
    FREQUENCY,  # logarithm of how often the concept was linked
    KIND,  # share of the linked phrases of the mention's kind that have a concept of this domain
    ACRONYM,  # how often the dictionary has it for an acronym that the document does not define
    DOCUMENT,  # its probability for another phrase of the document; see `with_document`
) = FEATURES

LARGE, COMMON = 200_000, 0.02
"""Texts from which on the trigrams that more than this share of them have propose none."""

LONGEST_ACRONYM = 12
"""Characters of a phrase that the dictionary is asked for at most."""


class Evidence(NamedTuple):
    """The shortlisted concepts of a phrase, by number, and what speaks for each.

    concepts: int64 [concepts]. features: float32 [concepts, FEATURES].
    """

    concepts: Ints
    features: Floats


class Query(NamedTuple):
    """What is compared with names: the spellings of a phrase.

    acronym: the phrase, if it may be an acronym that its document does not define, or "". kind: the
    mention's.
    """

    spellings: tuple[str, ...]
    acronym: str
    kind: str


class EvidenceFinder:
    """Shortlists concepts by trigrams, and by vectors where `dense` says so, and compares them.

    names: texts that a phrase is compared with at most, for each way of shortlisting.
    dense: compare a phrase with the vectors of all texts; each has to be encoded first, which takes
        a minute of a processor for some 50,000 names. Otherwise those shortlisted are encoded.
    dictionary: what acronyms mean that their document does not define; None: the packaged one.
    """

    def __init__(
        self,
        known: LinkedNames,
        vectors: NameVectors,
        *,
        names: int = 24,
        dense: bool = False,
        dictionary: Dictionary | None = None,
    ) -> None:
        self.known, self.vectors, self.names, self.dense = known, vectors, names, dense
        self.dictionary = dictionary or Dictionary.open()
        self._index = TrigramIndex(known.texts)
        if len(known.texts) > LARGE:
            self._index.ignore_common(COMMON)

    def find(self, mentions: Sequence[ConceptMention]) -> list[Evidence]:
        """The evidence for each mention's phrase; where nothing is near, no concepts.

        Acronyms are also spelt out, and phrases that join several are also taken apart.
        """
        queries = [
            self._query(mention, expanded)
            for mention, expanded in zip(mentions, expand_acronyms(mentions), strict=True)
        ]
        distinct = list(dict.fromkeys(queries))
        found = dict(zip(distinct, self._compare(distinct), strict=True))
        return [found[one] for one in queries]

    def _query(self, mention: ConceptMention, expanded: str) -> Query:
        """A phrase that is known as a whole is not taken apart."""
        phrase = mention.phrase
        short = len(phrase) <= LONGEST_ACRONYM and " " not in phrase
        marked = phrase[1:] != phrase[1:].lower()  # "pots" are no tachycardia
        acronym = phrase if short and marked and expanded == phrase else ""
        whole = tuple(dict.fromkeys((phrase, expanded)))
        parts = () if any(map(self._meant, whole)) else split_coordination(expanded)
        return Query((*whole, *parts), acronym, mention.kind)

    def _linked(self, text: str) -> Mapping[int, int]:
        return self.known.concepts.get(merge_key(text), {})

    def _meant(self, text: str) -> dict[int, None]:
        """The concepts that have this name, then those that it was linked to."""
        return dict.fromkeys([*self.known.inventory.lookup(text), *self._linked(text)])

    def _compare(self, queries: Sequence[Query]) -> list[Evidence]:
        texts = list(dict.fromkeys(text for one in queries for text in one.spellings))
        near = dict(zip(texts, self._nearest(texts), strict=True))
        needed = sorted({int(row) for rows in near.values() for row in rows})
        self.vectors([*texts, *(self.known.texts[row] for row in needed)])
        return [self._evidence(one, [near[text] for text in one.spellings]) for one in queries]

    def _nearest(self, texts: Sequence[str]) -> list[Ints]:
        """The numbers of the texts that are compared with each of `texts`."""
        nearest = [rows for rows, _ in self._index.nearest(texts, self.names)]
        if self.dense and texts:
            table = self.vectors(self.known.texts)
            for at, vector in enumerate(self.vectors(texts)):
                cosines = table @ vector
                best = np.argpartition(-cosines, min(self.names, len(cosines)) - 1)[: self.names]
                nearest[at] = np.union1d(nearest[at], best)
        exact = [self._preferred(self._meant(text)) for text in texts]
        return [np.union1d(rows, more) for rows, more in zip(nearest, exact, strict=True)]

    def _preferred(self, concepts: Iterable[int]) -> Ints:
        """The preferred names of concepts."""
        rows = [self.known.inventory.name_range(one)[0] for one in concepts]
        return np.array(rows, dtype=np.int64)

    def _long_forms(self, acronym: str) -> dict[int, float]:
        """The concepts that have a long form of an acronym for a name, with its share of uses."""
        candidates = self.dictionary.lookup(acronym) if acronym else []
        uses = 1 + sum(one.total for one in candidates)
        found: dict[int, float] = {}
        for one in candidates:
            for concept in self._meant(one.long_form):
                found[concept] = found.get(concept, 0.0) + one.total / uses
        return found

    def _evidence(self, query: Query, nearest: Sequence[Ints]) -> Evidence:
        meant = self._long_forms(query.acronym)
        rows = np.unique(np.concatenate([*nearest, self._preferred(meant)]))
        concepts, index = np.unique(self.known.owners[rows], return_inverse=True)
        features = np.zeros((len(concepts), len(FEATURES)), dtype=np.float32)
        if len(rows):
            self._add_nearness(query.spellings, rows, concepts, index, features)
            for row, concept in enumerate(concepts.tolist()):
                features[row, FREQUENCY] = np.log1p(self.known.frequency[concept])
                features[row, KIND] = self.known.kind_share(query.kind, concept)
                features[row, ACRONYM] = meant.get(concept, 0.0)
        return Evidence(concepts, features)

    def _add_nearness(
        self,
        spellings: tuple[str, ...],
        rows: Ints,
        concepts: Ints,
        index: Ints,
        features: Floats,
    ) -> None:
        """Compare the spellings with the texts `rows`, whose concepts are `concepts[index]`."""
        linked: Ints = (rows >= self.known.learnt).astype(np.int64)
        texts = [self.known.texts[row] for row in rows]
        table = self.vectors(texts)
        preferred = self._preferred(concepts.tolist())
        for text in spellings:
            sparse = self._index.cosines(text, rows)
            dense = table @ self.vectors([text])[0]
            words = np.array([_overlap(text, one) for one in texts], dtype=np.float32)
            for columns, values in (
                (np.array([SPARSE, LINKED_SPARSE]), sparse),
                (np.array([DENSE, LINKED_DENSE]), dense),
                (np.array([WORDS, WORDS]), words),
            ):
                np.maximum.at(features, (index, columns[linked]), values)
            cosines = self._index.cosines(text, preferred)
            features[:, PREFERRED] = np.maximum(features[:, PREFERRED], cosines)
            self._add_exact(text, concepts, features)

    def _add_exact(self, text: str, concepts: Ints, features: Floats) -> None:
        exact, linked = set(self.known.inventory.lookup(text)), self._linked(text)
        total = sum(linked.values())
        for row, concept in enumerate(concepts.tolist()):
            if concept in exact:
                features[row, EXACT] = 1
            if concept in linked:
                share = linked[concept] / (total + 0.5)
                features[row, SEEN] = max(features[row, SEEN], share)


def _overlap(first: str, second: str) -> float:
    """Twice the common words by the words of both, 0..1."""
    one, other = set(first.lower().split()), set(second.lower().split())
    return 2 * len(one & other) / max(1, len(one) + len(other))


_JOINED = re.compile(r"\s*,\s*(?:and |or )?|\s+(?:and/or|and|or)\s+|\s*/\s*")
_EMPTY_BRACKETS = re.compile(r"\s*[(\[]\s*[)\]]")


def expand_acronyms(mentions: Iterable[ConceptMention]) -> list[str]:
    """The phrases, each acronym that the mention's text defines in its long form.

    "G6PD deficiency" becomes "glucose-6-phosphate dehydrogenase deficiency"; where the long form is
    in the phrase already, the acronym goes. A text is searched once for all its mentions.
    """
    known: dict[str, tuple[list[Definition], dict[tuple[int, int], int]]] = {}
    expanded = []
    for mention in mentions:
        if mention.start < 0:
            expanded.append(mention.phrase)
            continue
        if mention.text not in known:
            definitions = find_definitions(mention.text)
            known[mention.text] = definitions, defined_mentions(mention.text, definitions)
        expanded.append(_expand(mention, *known[mention.text]))
    return expanded


def split_coordination(phrase: str) -> list[str]:
    """The phrases that one phrase joins; none where it joins nothing.

    "breast and ovarian cancer" gives "breast cancer" and "ovarian cancer": a part of one word
    takes what follows the first word of the last part.
    """
    parts = [part for part in _JOINED.split(phrase) if part]
    if len(parts) < 2:
        return []
    shared = parts[-1].split()[1:]
    return [" ".join([part, *shared]) if " " not in part else part for part in parts[:-1]] + [
        parts[-1]
    ]


def _expand(
    mention: ConceptMention, definitions: list[Definition], places: dict[tuple[int, int], int]
) -> str:
    phrase, first = mention.phrase, mention.start
    last = first + len(phrase)
    for start, end in sorted(places, reverse=True):
        if first <= start and end <= last:
            low, high = definitions[places[start, end]].long_form
            spelt_out = first <= low and high <= last
            long_form = "" if spelt_out else mention.text[low:high]
            phrase = phrase[: start - first] + long_form + phrase[end - first :]
    return " ".join(_EMPTY_BRACKETS.sub("", phrase).split()) or mention.phrase
