"""From mentions and candidates to probabilities (GLADIS section 4.3, and beyond it)."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from copy import copy
from pathlib import Path

import numpy as np

from ..arrays import Floats
from ..dictionary import USER_SOURCE, Candidate, Dictionary
from ..dictionary.learnt import NOTHING, Elsewhere
from ..dictionary.same_key import join_candidates
from ..settings import Ranking, check_settings
from ..text import Mention, base_form, document_phrases
from .acrobert import AcroBERT
from .answers import answer, confidence_row, with_others
from .calibration import FEATURES, Calibration, reweigh, softmax, surroundings
from .evidence import FOLDER, PHRASE, TOPIC, AcronymInDocument, MentionEvidence, with_phrases
from .long_form_vectors import LongFormVectors
from .sense_vectors import sense_key
from .topics import stated_topics, topics_beside, without_itself

SENTENCE = 25
"""Words of a text whose only acronym has weights of its own, at most: those are fitted on single
sentences. Longer texts take the weights of whole ones."""

DISCOURSE = 0.8
"""Weight of a document's other mentions of an acronym (one sense per discourse) against a mention's
own context."""

CONTEXTS = 3
"""Of an acronym's mentions in a document the first so many are read in their contexts; the others
take the mean."""

_VALUE = re.compile(r"\s?[:=]?\s?\d")

ROUNDS = 2
"""How often the acronyms of a document tell one another their topics."""


class Disambiguator:
    """Ranks the dictionary's candidates for each mention.

    ranking: "retriever": all evidence. "popularity": the dictionary's counts alone; a candidate's
        probability is its share of them, each seen once more, and NIL once.
    sources: names of the dictionary's sources whose counts are used; None: all.
    field: what the texts are of, where that is known.
    offensive: whether offensive long forms are candidates, too.
    cache: folder for the vectors of long forms, None keeps them in memory.
    Raises InputError when a setting is out of range.
    """

    def __init__(
        self,
        model: AcroBERT,
        dictionary: Dictionary,
        *,
        ranking: Ranking = "retriever",
        sources: Collection[str] | None = None,
        field: str | None = None,
        offensive: bool = False,
        cache: Path | str | None = None,
    ) -> None:
        check_settings({"ranking": ranking, "field": field})
        self.model, self.dictionary = model, dictionary
        self.ranking, self.sources = ranking, sources
        self.field, self.offensive = field, offensive
        vectors = LongFormVectors(model, dictionary, cache)
        self.evidence = MentionEvidence(model, dictionary.sources, vectors)
        self._told: dict[str, Floats] = {}
        self._revision = dictionary.revision

    def with_dictionary(self, dictionary: Dictionary) -> "Disambiguator":
        """One over another copy of this dictionary, with the same weights and stored vectors."""
        made = copy(self)
        made.dictionary, made._told = dictionary, {}
        vectors = self.evidence.vectors.copy()  # what a request enters stays its own
        made.evidence = MentionEvidence(self.model, dictionary.sources, vectors)
        return made

    def resolve(
        self, mentions: Sequence[Mention], elsewhere: Elsewhere = NOTHING
    ) -> list[list[tuple[Candidate, float]]]:
        """Each mention's meanings with their probabilities, best first.

        elsewhere: what other documents say.
        Mentions of one document have the same text: the document's. A meaning is the most
        frequent of the candidates that spell it, with the sum of their
        probabilities. What the probabilities of one mention lack to 1 is the probability that the
        dictionary does not have its long form. No candidates: an empty list.
        """
        groups = self.group(mentions, elsewhere)
        self.read(mentions, groups, elsewhere)
        return self.rank(groups, len(mentions))

    def rank(
        self, groups: Sequence[AcronymInDocument], mentions: int
    ) -> list[list[tuple[Candidate, float]]]:
        """The meanings of so many mentions, of what was gathered of their acronyms."""
        answers: list[list[tuple[Candidate, float]]] = [[] for _ in range(mentions)]
        acronyms = Counter(group.document for group in groups if group.candidates)
        for group in groups:
            found = self._answers(group, acronyms[group.document])
            if group.folder.any() and self.ranking != "popularity":
                alone = self._answers(group.without_others(), acronyms[group.document])
                found = [with_others(group, *both) for both in zip(found, alone, strict=True)]
            for number, index in enumerate(group.indices):
                answers[index] = list(found[min(number, len(found) - 1)])
        return answers

    def _answers(
        self, group: AcronymInDocument, acronyms: int
    ) -> list[list[tuple[Candidate, float]]]:
        """The meanings of an acronym's different mentions; all beyond the last take its answer."""
        different = self.vote(self.weigh(group), len(group.indices))[: CONTEXTS + 1]
        calibration = self._weights(group)
        found = [answer(group, logits, calibration) for logits in different]
        return self.confide(group, found, different, acronyms)

    def confide(
        self,
        group: AcronymInDocument,
        answers: Sequence[list[tuple[Candidate, float]]],
        logits: Sequence[Floats],
        acronyms: int,
    ) -> list[list[tuple[Candidate, float]]]:
        """Answers to an acronym, each by its logits, with the probabilities that the trees give.

        What counts alone say, what the user typed or labelled texts taught, and what other
        documents define stay as they are. acronyms: how many with candidates the document does not
        define.
        """
        trees = self.model.confidence
        if (
            not (len(trees) and group.candidates)
            or self.ranking == "popularity"
            or group.folder.any()
            or any(USER_SOURCE in one.counts for one in group.candidates)
            or self.model.learnt.knows(sense_key(one.long_form) for one in group.candidates)
        ):
            return list(answers)
        rows = [
            confidence_row(group, found, of, acronyms)
            for found, of in zip(answers, logits, strict=True)
        ]
        sure = trees.probabilities(np.stack(rows)).tolist()
        return [reweigh(found, one) for found, one in zip(answers, sure, strict=True)]

    def vote(self, read: Sequence[Floats], mentions: int) -> list[Floats]:
        """What each mention of an acronym takes from itself and from the document's others.

        read: of each context that was read. Mentions beyond those take the mean, the same object.
        """
        mean: Floats = np.mean(read, axis=0)
        if mentions == 1:
            return [mean]
        own = [(1 - DISCOURSE) * one + DISCOURSE * mean for one in read]
        return [*own, *[mean] * (mentions - len(own))]

    def group(
        self,
        mentions: Sequence[Mention],
        elsewhere: Elsewhere = NOTHING,
        foreign: Collection[int] = (),
    ) -> list[AcronymInDocument]:
        """The acronyms of each document with their candidates; no context is read.

        Phrases of the document that may spell an acronym out are candidates, too, and what other
        documents define. foreign: documents in a language that the dictionary has not: of its
        entries those that the user typed are candidates.
        """
        documents: defaultdict[int, dict[str, list[int]]] = defaultdict(dict)
        for index, mention in enumerate(mentions):
            documents[mention.document].setdefault(mention.acronym, []).append(index)
        asked = {
            (acronym, document in foreign)
            for document, indices in documents.items()
            for acronym in indices
        }
        own_sources = self.dictionary.own_sources
        known = {
            (acronym, own): self._candidates(acronym, own_sources if own else self.sources)
            for acronym, own in asked
        }
        groups = []
        for document, indices in documents.items():
            text = mentions[next(iter(indices.values()))[0]].text
            phrases = document_phrases(text, indices)
            words, number = len(text.split()), sum(map(len, indices.values()))
            for acronym, at in indices.items():
                own = {
                    text[one.start : one.end]: one.confidence for one in phrases.get(acronym, ())
                }
                candidates = known[acronym, document in foreign]
                if document not in foreign and any(_is_value(mentions[index]) for index in at):
                    candidates = self._with_symbol(acronym, candidates)
                candidates, likely = with_phrases(candidates, own)
                taught = elsewhere.definitions.get((document, acronym), {})
                weights = {name: one.weight for name, one in taught.items()}
                candidates, folder = with_phrases(candidates, weights)
                likely = np.pad(likely, (0, len(candidates) - len(likely)))
                around = surroundings(len(candidates), words, number)
                group = AcronymInDocument(document, acronym, at, candidates, likely, folder, around)
                group.is_near = any(one.is_near for one in taught.values())
                group.alone = len(indices) == 1 and words <= SENTENCE
                groups.append(group)
        return groups

    def _candidates(self, acronym: str, sources: Collection[str] | None) -> list[Candidate]:
        return self.dictionary.lookup(acronym, sources, offensive=self.offensive)

    def _with_symbol(self, acronym: str, candidates: list[Candidate]) -> list[Candidate]:
        """Add what the acronym means as a symbol: `CA 10.4` is `Ca`, typed in capitals."""
        symbol = acronym.capitalize()
        if len(acronym) != 2 or not acronym.isupper() or symbol not in self.dictionary:
            return candidates
        return join_candidates([candidates, self._candidates(symbol, self.sources)])

    def read(
        self,
        mentions: Sequence[Mention],
        groups: Sequence[AcronymInDocument],
        elsewhere: Elsewhere = NOTHING,
    ) -> None:
        """Gather the evidence of each acronym from its first contexts, its document and others."""
        if self.ranking == "popularity":
            for group in groups:
                group.features = [np.zeros((len(group.candidates), len(FEATURES)), np.float32)]
            return
        indices = [index for group in groups for index in group.indices[:CONTEXTS]]
        options = [group.candidates for group in groups for _ in group.indices[:CONTEXTS]]
        calibration = self.model.settings.calibration
        asked = [mentions[index] for index in indices]
        features, topics, vectors = self.evidence.gather(asked, options, calibration)
        at = 0
        for group in groups:
            end = at + len(group.indices[:CONTEXTS])
            group.features, group.queries = features[at:end], vectors[at:end]
            group.own_words = topics[at:end].mean(axis=0)
            for table in group.features:
                table[:, PHRASE] = group.phrase_probabilities
                table[:, FOLDER] = group.folder
            at = end
        documents: defaultdict[int, list[AcronymInDocument]] = defaultdict(list)
        for group in groups:
            if group.candidates:
                documents[group.document].append(group)
        told = {base_form(one): self.topics_of(one) for one in elsewhere.acronyms if documents}
        whole = np.sum(list(told.values()), axis=0, dtype=np.float64)
        for together in documents.values():
            own = {base_form(group.acronym) for group in together}
            self.agree(together, topics_beside(told, whole, own))

    def agree(self, groups: Sequence[AcronymInDocument], others: Floats) -> None:
        """Let the acronyms of one document, and those of its folder, tell one another its topics.

        others: what those of the folder tell, [topics], or 0.
        """
        known, sources = self.model.topics, self.dictionary.sources
        topics = [known.of_candidates(group.candidates, sources) for group in groups]
        words = np.mean([group.own_words for group in groups], axis=0)
        if self.field is not None:
            words = words + stated_topics(self.field, known, sources)
        documents = [words + others] * len(groups)
        for number in range(ROUNDS + 1):
            for group, of, document in zip(groups, topics, documents, strict=True):
                agreement, group.topics = known.agreement(of, document), document
                for table in group.features:
                    table[:, TOPIC] = agreement
            if number < ROUNDS:
                probabilities = [self._probabilities(group) for group in groups]
                own = without_itself(words, topics, probabilities)
                documents = [one + others for one in own]

    def topics_of(self, acronym: str) -> Floats:
        """What an acronym tells of topics before any context is read, [topics]; remembered."""
        if self._revision != self.dictionary.revision:
            self._told, self._revision = {}, self.dictionary.revision
        if acronym not in self._told:
            candidates = self._candidates(acronym, self.sources)
            table = np.zeros((len(candidates), len(FEATURES)), np.float32)
            of = self.model.topics.of_candidates(candidates, self.dictionary.sources)
            self.evidence.attest(acronym, candidates, table)
            self._told[acronym] = of.mix(softmax(self.model.settings.calibration.logits(table)))
        return self._told[acronym]

    def weigh(self, group: AcronymInDocument) -> list[Floats]:
        """The candidates' logits in each context that was read."""
        if self.ranking == "popularity":
            return [np.log1p([one.total for one in group.candidates]).astype(np.float32)]
        calibration = self._weights(group)
        names = [candidate.long_form for candidate in group.candidates]
        return [
            calibration.logits(table) + self.learnt(names, query)
            for table, query in zip(group.features, group.queries, strict=True)
        ]

    def learnt(self, long_forms: Sequence[str], query: Floats) -> Floats:
        """What labelled texts taught of long forms in a context, float32 [long forms]."""
        if not len(self.model.learnt):
            return np.zeros(len(long_forms), np.float32)
        return self.model.learnt.compare([sense_key(name) for name in long_forms], query)

    def _weights(self, group: AcronymInDocument) -> Calibration:
        """Of the evidence for an acronym; none where counts alone speak."""
        counts_alone = self.ranking == "popularity"
        return Calibration() if counts_alone else self.model.settings.weights(group.alone)

    def _probabilities(self, group: AcronymInDocument) -> Floats:
        """The candidates' probabilities in the mean of the contexts that were read."""
        calibration = self._weights(group)
        logits: Floats = np.mean(self.weigh(group), axis=0)
        return calibration.probabilities(logits, calibration.nil_logit(group.surroundings))

    def logits(
        self, mentions: Sequence[Mention], candidates: Sequence[Sequence[Candidate]]
    ) -> list[Floats]:
        """Logits of each mention's candidates by its own context, float32 [candidates].

        One of the candidates is taken to be meant: there is no "none of these".
        """
        features, vectors = self._alone(mentions, candidates)
        weights = self.model.settings.weights_of_given
        return [
            weights.logits(rows) + self.learnt([one.long_form for one in options], query)
            for rows, options, query in zip(features, candidates, vectors, strict=True)
        ]

    def features(
        self, mentions: Sequence[Mention], candidates: Sequence[Sequence[Candidate]]
    ) -> list[Floats]:
        """What speaks for each candidate, float32 [candidates, FEATURES] in their order.

        Each mention is alone: its topics are those that the words around it tell.
        """
        return self._alone(mentions, candidates)[0]

    def _alone(
        self, mentions: Sequence[Mention], candidates: Sequence[Sequence[Candidate]]
    ) -> tuple[list[Floats], Floats]:
        """The features of mentions by themselves, and the contexts' vectors [mentions, width]."""
        weights = self.model.settings.weights_of_given
        features, topics, vectors = self.evidence.gather(mentions, candidates, weights)
        known = self.model.topics
        for table, options, words in zip(features, candidates, topics, strict=True):
            if options:
                of = known.of_candidates(options, self.dictionary.sources)
                table[:, TOPIC] = known.agreement(of, words)
        return features, vectors


def _is_value(mention: Mention) -> bool:
    """Whether a number follows the mention, as the value of what was measured."""
    return _VALUE.match(mention.text, mention.end) is not None
