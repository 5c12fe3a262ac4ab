"""Find candidate concepts for phrases, and compute the features of each candidate.

A phrase is compared with the names of concepts, and with phrases that were linked to concepts
before, for example in training data.
"""

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
    """A cache for the unit vectors of names and phrases, which ignores upper and lower case."""

    def __init__(self, model: AcroBERT) -> None:
        """Create an empty cache for vectors of names and phrases.

        Args:
            model: The model that encodes names and phrases.
        """
        self.model = model
        self._rows: dict[str, int] = {}
        self._table = np.zeros((0, model.width), dtype=np.float16)
        self._matrix: Floats | None = None

    def __call__(self, texts: Sequence[str]) -> Floats:
        """Return the vectors of names and phrases, and compute those that are not cached yet.

        Args:
            texts: Names or phrases to look up.

        Returns:
            A unit vector for each text, float32 [texts, width].
        """
        folded = [text.lower() for text in texts]
        if missing := [text for text in dict.fromkeys(folded) if text not in self._rows]:
            computed = self._apply(self.model.encode_long_forms(missing)).astype(np.float16)
            self._rows.update((text, len(self._table) + row) for row, text in enumerate(missing))
            self._table = np.concatenate([self._table, computed])
        rows = np.array([self._rows[text] for text in folded], dtype=np.int64)
        return self._table[rows].astype(np.float32)

    def transform(self, matrix: Floats) -> None:
        """Apply a linear map to all vectors, including those that are already computed.

        The results are scaled to length 1.

        Args:
            matrix: Matrix by which vectors are multiplied, [width, width].
        """
        self._matrix = matrix
        self._table = self._apply(self._table.astype(np.float32)).astype(np.float16)

    def _apply(self, vectors: Floats) -> Floats:
        if self._matrix is None:
            return vectors
        mapped: Floats = vectors @ self._matrix
        mapped /= np.maximum(np.linalg.norm(mapped, axis=1, keepdims=True), 1e-9)
        return mapped


class LinkedNames:
    """The names of an inventory's concepts, and phrases that were linked to these concepts.

    Concepts are identified by their numbers in the inventory.

    Attributes:
        texts: All names, followed by all linked phrases.
        owners: Number of the concept to which each text belongs, int64 [texts].
        name_count: Number of names in `texts`. All later texts are linked phrases.
        concepts: A mapping from the merge key of each linked phrase to its concepts, with the
            number of times that it was linked to each of them.
        frequency: A mapping from each concept to the number of times that phrases were linked to
            it.
    """

    def __init__(self, inventory: Inventory, linked: Sequence[ConceptMention] = ()) -> None:
        """Combine the names of an inventory's concepts with phrases that were linked to them.

        Args:
            inventory: The inventory with the concepts and their names.
            linked: Phrases with the concepts to which they were linked, such as training data.
                Concepts outside the inventory are ignored.
        """
        self.inventory = inventory
        self.concepts: defaultdict[str, Counter[int]] = defaultdict(Counter)
        self.frequency: Counter[int] = Counter()
        self._kinds: Counter[tuple[str, str]] = Counter()
        pairs: dict[tuple[str, int], None] = {}
        for mention in linked:
            for concept in inventory.find_all(mention.concepts):
                self.concepts[merge_key(mention.phrase)][concept] += 1
                self.frequency[concept] += 1
                self._kinds[mention.kind, inventory.domain(concept)] += 1
                pairs[mention.phrase, concept] = None
        self.name_count = len(inventory.names)
        self.texts = [*inventory.names, *(phrase for phrase, _ in pairs)]
        of_phrases = np.array([concept for _, concept in pairs], dtype=np.int64)
        self.owners = np.concatenate([inventory.owners, of_phrases])

    def kind_share(self, kind: str, concept: int) -> float:
        """Return the share of a kind's linked phrases that belong to the domain of a concept.

        For example, a phrase that is labelled as a disease is more likely to name a concept of the
        domain to which most disease phrases were linked.

        Args:
            kind: Kind of the phrases, such as the type of an entity.
            concept: Number of the concept, whose domain is a part of the inventory.

        Returns:
            The share of the linked phrases of this kind, between 0 and 1. It is 0 if no phrase has
            this kind.
        """
        links = sum(count for (other, _), count in self._kinds.items() if other == kind)
        return self._kinds[kind, self.inventory.domain(concept)] / max(1, links)

    def group_texts(self) -> tuple[list[list[str]], list[list[str]]]:
        """Group the names and the linked phrases by concept.

        Returns:
            Two lists. The first contains the names and phrases of each concept with linked phrases.
            The second contains the names of each other concept.
        """
        linked: dict[int, list[str]] = {}
        for index in range(self.name_count, len(self.texts)):
            concept = int(self.owners[index])
            linked.setdefault(concept, self.inventory.names_of(concept)).append(self.texts[index])
        others = (concept for concept in range(len(self.inventory)) if concept not in linked)
        return list(linked.values()), [self.inventory.names_of(concept) for concept in others]


FEATURES = range(12)
(
    SPARSE,  # cosine of the trigrams of the phrase and of the concept's nearest name
    DENSE,  # cosine of the encoder's vectors of the phrase and of the nearest shortlisted name
    EXACT,  # 1 if the phrase is a name of the concept, ignoring case, punctuation and plural
    PREFERRED,  # cosine of the trigrams of the phrase and of the concept's preferred name
    WORDS,  # overlap of the words of the phrase and of the concept's nearest name
    SEEN,  # share of the phrase's links in training data that went to the concept
    LINKED_SPARSE,  # like SPARSE, but with phrases that were linked to the concept
    LINKED_DENSE,  # like DENSE, but with phrases that were linked to the concept
    FREQUENCY,  # log(1 + the number of times that phrases were linked to the concept)
    KIND,  # share of the concept's domain in the linked phrases of the same kind
    ACRONYM,  # share of the concept in the dictionary's counts for an undefined acronym
    DOCUMENT,  # probability of the concept for other phrases; see `add_document_feature`
) = FEATURES

LARGE, COMMON = 200_000, 0.02
"""`LARGE` is the number of texts above which common trigrams are ignored. `COMMON` is the share of
texts in which a trigram must occur to be common."""

LONGEST_ACRONYM = 12
"""Maximum length, in characters, of a phrase that is looked up in the dictionary as an acronym."""


class Evidence(NamedTuple):
    """The candidate concepts that were found for a phrase, with their features.

    Attributes:
        concepts: Numbers of the concepts in the inventory, int64 [concepts].
        features: Features of the concepts, float32 [concepts, FEATURES].
    """

    concepts: Ints
    features: Floats


class Query(NamedTuple):
    """The spellings of a phrase that are compared with the names of concepts.

    Attributes:
        spellings: The phrase, the phrase with its acronyms expanded, and the parts of a
            coordination such as "breast and ovarian cancer".
        acronym: The phrase if it may be an acronym without a definition in its document, otherwise
            an empty string.
        kind: Kind of the mention, such as the type of an entity.
    """

    spellings: tuple[str, ...]
    acronym: str
    kind: str


class EvidenceFinder:
    """Finds candidate concepts for phrases, and computes the features of these candidates.

    Candidates are concepts with names that share trigrams with the phrase. Optionally, concepts
    whose names have vectors similar to the phrase are candidates too.
    """

    def __init__(
        self,
        linked_names: LinkedNames,
        vectors: NameVectors,
        *,
        names: int = 24,
        dense: bool = False,
        dictionary: Dictionary | None = None,
    ) -> None:
        """Create a finder, and index the names of the concepts by their trigrams.

        Args:
            linked_names: Names of the concepts, and phrases that were linked to them.
            vectors: The cache for the vectors of names.
            names: Maximum number of texts that are shortlisted for a phrase by trigrams. The same
                limit applies to vectors.
            dense: Whether to shortlist by vectors too. The first search then encodes all texts,
                which takes about a minute of CPU time for 50,000 names.
            dictionary: Dictionary for acronyms that their document doesn't define. None selects the
                packaged dictionary.
        """
        self.linked_names, self.vectors = linked_names, vectors
        self.names, self.dense = names, dense
        self.dictionary = dictionary or Dictionary.open()
        self._index = TrigramIndex(linked_names.texts)
        if len(linked_names.texts) > LARGE:
            self._index.ignore_common(COMMON)

    def find(self, mentions: Sequence[ConceptMention]) -> list[Evidence]:
        """Find candidate concepts for the phrases that mentions mark in their texts.

        Acronyms that the text defines are expanded first. Coordinated phrases such as "breast and
        ovarian cancer" are split.

        Args:
            mentions: The mentions to link, with their texts.

        Returns:
            For each mention, its candidate concepts and their features. There are no candidates if
            no name is similar to the phrase.
        """
        queries = [
            self._query(mention, expanded)
            for mention, expanded in zip(mentions, expand_acronyms(mentions), strict=True)
        ]
        distinct = list(dict.fromkeys(queries))
        evidence = dict(zip(distinct, self._compare(distinct), strict=True))
        return [evidence[query] for query in queries]

    def _query(self, mention: ConceptMention, expanded: str) -> Query:
        """Return the query for a mention. A phrase that is itself a name is not split."""
        phrase = mention.phrase
        is_short = len(phrase) <= LONGEST_ACRONYM and " " not in phrase
        has_capitals = phrase[1:] != phrase[1:].lower()  # "pots" is not the acronym POTS
        acronym = phrase if is_short and has_capitals and expanded == phrase else ""
        spellings = tuple(dict.fromkeys((phrase, expanded)))
        parts = () if any(map(self._concepts_of, spellings)) else split_coordination(expanded)
        return Query((*spellings, *parts), acronym, mention.kind)

    def _links_of(self, text: str) -> Mapping[int, int]:
        return self.linked_names.concepts.get(merge_key(text), {})

    def _concepts_of(self, text: str) -> dict[int, None]:
        """Return the concepts that have a text as a name, then those to which it was linked."""
        named = self.linked_names.inventory.lookup(text)
        return dict.fromkeys([*named, *self._links_of(text)])

    def _compare(self, queries: Sequence[Query]) -> list[Evidence]:
        texts = list(dict.fromkeys(text for query in queries for text in query.spellings))
        nearest = dict(zip(texts, self._nearest(texts), strict=True))
        rows = sorted({int(row) for of_text in nearest.values() for row in of_text})
        # Compute all missing vectors in large batches. The calls below then read the cache.
        self.vectors([*texts, *(self.linked_names.texts[row] for row in rows)])
        return [
            self._evidence(query, [nearest[text] for text in query.spellings]) for query in queries
        ]

    def _nearest(self, texts: Sequence[str]) -> list[Ints]:
        """Return the rows of the names and linked phrases to compare with each text."""
        nearest = [rows for rows, _ in self._index.nearest(texts, self.names)]
        if self.dense and texts:
            table = self.vectors(self.linked_names.texts)
            for number, vector in enumerate(self.vectors(texts)):
                cosines = table @ vector
                best = np.argpartition(-cosines, min(self.names, len(cosines)) - 1)[: self.names]
                nearest[number] = np.union1d(nearest[number], best)
        exact = [self._preferred(self._concepts_of(text)) for text in texts]
        return [np.union1d(rows, more) for rows, more in zip(nearest, exact, strict=True)]

    def _preferred(self, concepts: Iterable[int]) -> Ints:
        """Return the rows of the preferred names of concepts."""
        rows = [self.linked_names.inventory.name_range(concept)[0] for concept in concepts]
        return np.array(rows, dtype=np.int64)

    def _acronym_shares(self, acronym: str) -> dict[int, float]:
        """Return the concepts named by long forms of an acronym, with their shares of its uses."""
        candidates = self.dictionary.lookup(acronym) if acronym else []
        uses = 1 + sum(candidate.total for candidate in candidates)
        shares: dict[int, float] = {}
        for candidate in candidates:
            for concept in self._concepts_of(candidate.long_form):
                shares[concept] = shares.get(concept, 0.0) + candidate.total / uses
        return shares

    def _evidence(self, query: Query, nearest: Sequence[Ints]) -> Evidence:
        acronym_shares = self._acronym_shares(query.acronym)
        rows = np.unique(np.concatenate([*nearest, self._preferred(acronym_shares)]))
        concepts, index = np.unique(self.linked_names.owners[rows], return_inverse=True)
        features = np.zeros((len(concepts), len(FEATURES)), dtype=np.float32)
        if len(rows):
            self._add_similarity(query.spellings, rows, concepts, index, features)
            for row, concept in enumerate(concepts.tolist()):
                features[row, FREQUENCY] = np.log1p(self.linked_names.frequency[concept])
                features[row, KIND] = self.linked_names.kind_share(query.kind, concept)
                features[row, ACRONYM] = acronym_shares.get(concept, 0.0)
        return Evidence(concepts, features)

    def _add_similarity(
        self,
        spellings: tuple[str, ...],
        rows: Ints,
        concepts: Ints,
        index: Ints,
        features: Floats,
    ) -> None:
        """Compare the spellings with the texts `rows`, whose concepts are `concepts[index]`."""
        linked: Ints = (rows >= self.linked_names.name_count).astype(np.int64)
        texts = [self.linked_names.texts[row] for row in rows]
        table = self.vectors(texts)
        preferred = self._preferred(concepts.tolist())
        for text in spellings:
            sparse = self._index.cosines(text, rows)
            dense = table @ self.vectors([text])[0]
            words = np.array([_overlap(text, name) for name in texts], dtype=np.float32)
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
        exact, linked = set(self.linked_names.inventory.lookup(text)), self._links_of(text)
        total = sum(linked.values())
        for row, concept in enumerate(concepts.tolist()):
            if concept in exact:
                features[row, EXACT] = 1
            if concept in linked:
                share = linked[concept] / (total + 0.5)
                features[row, SEEN] = max(features[row, SEEN], share)


def _overlap(first: str, second: str) -> float:
    """Return the Dice coefficient of the words of two texts, 0..1."""
    left, right = set(first.lower().split()), set(second.lower().split())
    return 2 * len(left & right) / max(1, len(left) + len(right))


_JOINED = re.compile(r"\s*,\s*(?:and |or )?|\s+(?:and/or|and|or)\s+|\s*/\s*")
_EMPTY_BRACKETS = re.compile(r"\s*[(\[]\s*[)\]]")


def expand_acronyms(mentions: Iterable[ConceptMention]) -> list[str]:
    """Expand the acronyms in phrases if the texts of the phrases define them.

    For example, "G6PD deficiency" becomes "glucose-6-phosphate dehydrogenase deficiency". If the
    phrase already contains the long form, the acronym is removed.

    Args:
        mentions: The mentions whose phrases are expanded. The phrase of a mention without an offset
            (`start` below 0) is not changed.

    Returns:
        The expanded phrase of each mention, in the order of `mentions`.
    """
    cache: dict[str, tuple[list[Definition], dict[tuple[int, int], int]]] = {}
    expanded = []
    for mention in mentions:
        if mention.start < 0:
            expanded.append(mention.phrase)
            continue
        if mention.text not in cache:
            definitions = find_definitions(mention.text)
            cache[mention.text] = definitions, defined_mentions(mention.text, definitions)
        expanded.append(_expand(mention, *cache[mention.text]))
    return expanded


def split_coordination(phrase: str) -> list[str]:
    """Split a coordinated phrase into complete phrases.

    For example, "breast and ovarian cancer" gives "breast cancer" and "ovarian cancer". The last
    part's words after its first word are added to each earlier part that has only one word.

    Args:
        phrase: The phrase to split, such as "breast and ovarian cancer".

    Returns:
        The complete phrases, or an empty list if the phrase is not a coordination.
    """
    parts = [part for part in _JOINED.split(phrase) if part]
    if len(parts) < 2:
        return []
    shared = parts[-1].split()[1:]
    return [" ".join([part, *shared]) if " " not in part else part for part in parts[:-1]] + [
        parts[-1]
    ]


def _expand(
    mention: ConceptMention, definitions: list[Definition], acronyms: dict[tuple[int, int], int]
) -> str:
    phrase, first = mention.phrase, mention.start
    last = first + len(phrase)
    for start, end in sorted(acronyms, reverse=True):
        if first <= start and end <= last:
            low, high = definitions[acronyms[start, end]].long_form
            is_spelled_out = first <= low and high <= last
            long_form = "" if is_spelled_out else mention.text[low:high]
            phrase = phrase[: start - first] + long_form + phrase[end - first :]
    return " ".join(_EMPTY_BRACKETS.sub("", phrase).split()) or mention.phrase
