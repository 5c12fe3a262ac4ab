"""The acronyms of the texts that a search looks through.

A text that says "ML" isn't found by a query for "machine learning", and the reverse. The collection
learns what its acronyms mean while its texts are indexed, adds the missing spellings to the texts,
and later adds them to queries.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from spacy.language import Language

from ..documents.source import Source
from ..errors import FormatError, InputError
from ..files import write_text
from ..pipeline.annotate import annotate_sources, with_unanswered
from ..pipeline.annotations import mentions_of
from ..pipeline.learn import detector_of, learn_sources, linker_of
from ..pipeline.load import load_detector, load_pipeline
from ..problem import log_problem
from ..text import base_form, merge_key
from .glossary import Glossary
from .missing_spellings import WORD, Expansion, SpellingIndex, missing_long_forms

MOST_MEANINGS = 3
"""Maximum number of meanings that are added for an acronym of a query."""


class Text(NamedTuple):
    """A text to index, such as a chunk of a document.

    Attributes:
        text: The text.
        document: The path or name of the document, which several chunks can share.
    """

    text: str
    document: str = ""


class AcronymCollection:
    """The acronyms of the texts that a search looks through.

    Raises:
        InputError: If `field` or `threshold` is set without `resolve`.
    """

    def __init__(
        self,
        *,
        resolve: bool = True,
        overlay: Sequence[str | Path] = (),
        field: str | None = None,
        threshold: float | None = None,
        language: str = "en",
        nlp: Language | None = None,
    ) -> None:
        """Create an empty collection.

        Args:
            resolve: Whether the linker resolves acronyms that no text defines. If False, no
                model runs.
            overlay: Tables of your own acronyms and long forms.
            field: Subject field of the texts, such as "clinical".
            threshold: Lowest probability of the linker's answers, from 0 to 1. None uses its
                default.
            language: Code of the tokenizer's language.
            nlp: A pipeline with a detector, and with a linker if `resolve` is True. It replaces the
                settings above. None loads one when it is needed.
        """
        if not resolve and (field is not None or threshold is not None):
            raise InputError(
                "field and threshold are settings of the linker. Remove them, or set resolve=True."
            )
        self.resolve, self.overlay, self.language = resolve, tuple(overlay), language
        self.field, self.threshold = field, threshold
        self._given = nlp
        self._glossary = Glossary()
        self._pairs: list[tuple[str, str, int]] = []
        self._index: SpellingIndex | None = None

    @cached_property
    def nlp(self) -> Language:
        """The pipeline, loaded on first access.

        Raises:
            InputError: If an overlay can't be read or a setting is out of range.
            FormatError: If an overlay isn't a table of entries.
        """
        if not self.resolve:
            return self._given or load_detector(self.language, self.overlay)
        nlp = self._given or load_pipeline(
            language=self.language,
            overlay=self.overlay,
            field=self.field,
            threshold=self.threshold,
        )
        linker_of(nlp).folder_definitions.add([pair[:2] for pair in self._pairs])
        return nlp

    @classmethod
    def from_pairs(cls, pairs: Iterable[tuple[str, str]], **settings: Any) -> "AcronymCollection":
        """Create a collection from a list of acronyms and long forms.

        Args:
            pairs: Acronyms and long forms, the most frequent meaning of an acronym first.
            **settings: Arguments of the class.

        Returns:
            The collection.
        """
        collection = cls(**settings)
        collection._pairs = [(acronym, long_form, 1) for acronym, long_form in pairs]
        return collection

    def read(self, texts: Iterable[Text]) -> list[list[Expansion]]:
        """Learn the acronyms of texts, and return the spellings that each text lacks.

        Pass all texts at once if you can: a definition in one of them then applies to the others.

        Args:
            texts: The texts.

        Returns:
            The expansions of each text.
        """
        nlp = self.nlp
        sources = [Source(document, text) for text, document in texts]
        if self.resolve:
            linker_of(nlp).folder_definitions.update(learn_sources(nlp, lambda: sources))
        answers: dict[int, dict[str, str | None]] = {}
        for source, doc in annotate_sources(nlp, sources, log_problem):
            self._glossary.add(source.name, with_unanswered(doc))
            answers[id(source)] = {a.acronym: a.long_form for *_, a in mentions_of(doc)}
        self._index = None
        return [self._expand(source.text, answers.get(id(source), {})) for source in sources]

    def expand_query(self, query: str) -> list[Expansion]:
        """Return the spellings that a query lacks.

        The meanings in the collection's texts come first. If an acronym has several of them, the
        linker chooses one. If it can't, the most frequent ones are used. An acronym that the
        collection doesn't have is resolved with the dictionary.

        Args:
            query: The query, in any case.

        Returns:
            The expansions.
        """
        mentions = (query[slice(*place)] for place in detector_of(self.nlp).find(query).mentions)
        words = (word for word in WORD.findall(query) if self.index.is_acronym(word))
        in_query = {acronym: self.index.meanings(acronym) for acronym in (*mentions, *words)}
        answers: dict[str, str] = {}
        if self.resolve and any(len(meanings) != 1 for meanings in in_query.values()):
            for *_, answer in mentions_of(self.nlp(query)):
                if answer.long_form is not None:
                    answers[answer.acronym] = answer.long_form
        expansions = []
        for acronym, meanings in in_query.items():
            answer_key = merge_key(answers.get(acronym, ""))
            chosen = [m for m in meanings if merge_key(m) == answer_key] or list(meanings)
            if not meanings and acronym in answers:
                chosen = [answers[acronym]]
            expansions += missing_long_forms(query, acronym, chosen[:MOST_MEANINGS])
        return [*expansions, *self.index.missing_acronyms(query, in_query)]

    def expanded_query(self, query: str) -> str:
        """Return a query followed by the spellings that it lacks.

        Args:
            query: The query.

        Returns:
            The query, such as "ML papers machine learning" for "ML papers".
        """
        added = dict.fromkeys(expansion.added for expansion in self.expand_query(query))
        return " ".join([query, *added])

    def save(self, path: str | Path) -> None:
        """Write the meanings to a JSON file for `load`.

        Args:
            path: The file.
        """
        write_text(Path(path), json.dumps(self.to_records(), ensure_ascii=False, indent=1) + "\n")

    @classmethod
    def load(cls, path: str | Path, **settings: Any) -> "AcronymCollection":
        """Read the meanings of a collection.

        Args:
            path: A file of `save`, or of `spacy-gladis glossary --format json`.
            **settings: Arguments of the class.

        Returns:
            The collection.

        Raises:
            InputError: If there is no such file.
            FormatError: If the file has another format.
        """
        path = Path(path)
        if not path.is_file():
            raise InputError(f"There is no file {path}. Write it with AcronymCollection.save.")
        try:
            return cls.from_records(json.loads(path.read_text("utf8")), **settings)
        except (ValueError, LookupError, TypeError) as error:
            raise FormatError(
                f"{path} has no meanings of acronyms ({error!r}). Write it with "
                "AcronymCollection.save or with spacy-gladis glossary --format json."
            ) from error

    def to_records(self) -> list[dict[str, Any]]:
        """Return the meanings as JSON types.

        Returns:
            A record for each acronym, for `from_records`.
        """
        by_acronym: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
        for acronym, long_form, mentions in self._all_pairs():
            by_acronym[acronym].append({"long_form": long_form, "mentions": mentions})
        return [
            {"acronym": acronym, "meanings": meanings} for acronym, meanings in by_acronym.items()
        ]

    @classmethod
    def from_records(cls, records: Iterable[Any], **settings: Any) -> "AcronymCollection":
        """Restore a collection.

        Args:
            records: The records as `to_records` returned them.
            **settings: Arguments of the class.

        Returns:
            The collection.
        """
        collection = cls(**settings)
        collection._pairs = [
            (str(record["acronym"]), str(meaning["long_form"]), int(meaning["mentions"]))
            for record in records
            for meaning in record["meanings"]
            if meaning["long_form"] is not None
        ]
        return collection

    @property
    def settings(self) -> dict[str, Any]:
        """The arguments of the class, as JSON types."""
        return {
            "resolve": self.resolve,
            "overlay": list(map(str, self.overlay)),
            "field": self.field,
            "threshold": self.threshold,
            "language": self.language,
        }

    @property
    def index(self) -> SpellingIndex:
        """The meanings by acronym and by long form."""
        if self._index is None:
            self._index = SpellingIndex(self._all_pairs())
        return self._index

    def _all_pairs(self) -> list[tuple[str, str, int]]:
        """Return acronyms, long forms and numbers of mentions, each pair once."""
        pairs = [
            (entry.acronym, meaning.long_form, meaning.mentions)
            for entry in self._glossary.entries()
            for meaning in entry.meanings
            if meaning.long_form is not None
        ]
        joined: dict[tuple[str, str], tuple[str, str, int]] = {}
        for acronym, long_form, mentions in [*self._pairs, *pairs]:
            key = base_form(acronym), merge_key(long_form)
            before = joined.get(key, (acronym, long_form, 0))
            joined[key] = (*before[:2], before[2] + mentions)
        return list(joined.values())

    def _expand(self, text: str, answers: dict[str, str | None]) -> list[Expansion]:
        """Return the expansions of a text with these acronyms and long forms."""
        expansions = []
        for acronym, long_form in answers.items():
            meanings = (long_form,) if long_form is not None else self.index.meanings(acronym)
            if len(meanings) == 1:
                expansions += missing_long_forms(text, acronym, meanings)
        return [*expansions, *self.index.missing_acronyms(text, answers)]
