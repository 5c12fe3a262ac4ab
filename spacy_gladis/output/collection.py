"""Expansion of texts and queries, so that a search finds both an acronym and its long form.

A text that says "ML" isn't found by a query for "machine learning", and the reverse. An
`AcronymCollection` learns what acronyms mean while texts are indexed. It adds the missing spellings
to the texts, and later to queries.
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
"""Maximum number of long forms that are added to a query for one of its acronyms."""


class Text(NamedTuple):
    """A text to index for a search, such as a chunk of a document.

    Attributes:
        text: The text itself.
        document: Path or name of the document that the text belongs to. Chunks of the same document
            have the same value.
    """

    text: str
    document: str = ""


class AcronymCollection:
    """The acronyms of the texts that a search looks through, with their meanings.

    Use a collection to expand texts before they are indexed (`read`) and queries before they are
    searched (`expanded_query`). Then a query for "machine learning" also finds texts that only say
    "ML".

    Raises:
        InputError: If `field` or `threshold` is set but `resolve` is False.
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
        """Create a collection that knows no acronyms yet.

        Args:
            resolve: Whether the linker resolves acronyms that no text defines. If False, only
                definitions in the texts are used, and no model runs.
            overlay: Paths of tables with your own acronyms and long forms.
            field: Subject field of the texts, such as "clinical". None infers it from each text.
            threshold: Minimum probability of the linker's answers (0 to 1). None uses the linker's
                default.
            language: Code of the language of the texts, which selects spaCy's tokenizer.
            nlp: A loaded pipeline to use instead of the settings above. It needs a detector, and a
                linker if `resolve` is True. None loads a pipeline when it is needed.
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
        """The pipeline that finds and resolves acronyms. It is loaded on first access.

        Raises:
            InputError: If an overlay can't be read or a setting is out of range.
            FormatError: If an overlay isn't a table of acronyms and long forms.
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
        """Create a collection from a list of acronyms and long forms, such as a company's glossary.

        Args:
            pairs: ``(acronym, long form)`` pairs. If an acronym occurs several times, its first
                long form counts as the most frequent one.
            **settings: Arguments of `AcronymCollection`.

        Returns:
            A collection with these acronyms.
        """
        collection = cls(**settings)
        collection._pairs = [(acronym, long_form, 1) for acronym, long_form in pairs]
        return collection

    def read(self, texts: Iterable[Text]) -> list[list[Expansion]]:
        """Learn the acronyms of texts, and return the missing spellings of each text.

        A text with an acronym may lack its long form, and a text with a long form may lack its
        acronym. Pass all texts at once if you can, because a definition in one text then applies to
        the others.

        Args:
            texts: Texts to index, such as the chunks of all documents.

        Returns:
            A list of expansions for each text, in the order of `texts`. The list is empty if a text
            lacks nothing.
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
        """Return the acronyms and long forms that are missing in a search query.

        For example, "ML papers" lacks "machine learning". Meanings from the collection's texts come
        first. If an acronym has several of them, the linker chooses one by the words of the query.
        If it can't, the most frequent meanings are used. Acronyms that the collection doesn't
        contain are resolved with the dictionary. If `resolve` is False, the linker and the
        dictionary aren't used.

        Args:
            query: Words to search for. Acronyms may be in lower case.

        Returns:
            An expansion for each missing long form or acronym. Empty if the query lacks nothing.
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
        """Return a search query followed by its missing acronyms and long forms.

        For example, "ML papers" becomes "ML papers machine learning". Pass the result to a search
        engine.

        Args:
            query: Words to search for. Acronyms may be in lower case.

        Returns:
            The query with the missing long forms and acronyms at its end, separated by spaces.
        """
        added = dict.fromkeys(expansion.added for expansion in self.expand_query(query))
        return " ".join([query, *added])

    def save(self, path: str | Path) -> None:
        """Write the collection's acronyms and long forms to a JSON file, which `load` reads.

        The settings of the collection are not part of the file.

        Args:
            path: Path of the file. An existing file is replaced.
        """
        write_text(Path(path), json.dumps(self.to_records(), ensure_ascii=False, indent=1) + "\n")

    @classmethod
    def load(cls, path: str | Path, **settings: Any) -> "AcronymCollection":
        """Create a collection from a file of acronyms and long forms.

        Args:
            path: Path of a file that `save` or the command ``spacy-gladis glossary --format json``
                wrote.
            **settings: Arguments of `AcronymCollection`.

        Returns:
            A collection with the acronyms in the file.

        Raises:
            InputError: If the file doesn't exist.
            FormatError: If the file has another format.
        """
        path = Path(path)
        if not path.is_file():
            raise InputError(f"There is no file {path}. Create it with AcronymCollection.save.")
        try:
            return cls.from_records(json.loads(path.read_text("utf8")), **settings)
        except (ValueError, LookupError, TypeError) as error:
            raise FormatError(
                f"{path} has no meanings of acronyms ({error!r}). Pass a file that "
                "AcronymCollection.save or spacy-gladis glossary --format json wrote."
            ) from error

    def to_records(self) -> list[dict[str, Any]]:
        """Return the collection's acronyms and long forms as JSON types, to store them elsewhere.

        Returns:
            A dictionary for each acronym, with the keys ``acronym`` and ``meanings``. Each meaning
            has a ``long_form`` and a number of ``mentions``. `from_records` restores the
            collection.
        """
        by_acronym: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
        for acronym, long_form, mentions in self._all_pairs():
            by_acronym[acronym].append({"long_form": long_form, "mentions": mentions})
        return [
            {"acronym": acronym, "meanings": meanings} for acronym, meanings in by_acronym.items()
        ]

    @classmethod
    def from_records(cls, records: Iterable[Any], **settings: Any) -> "AcronymCollection":
        """Create a collection from the records of another collection.

        Args:
            records: Dictionaries as `to_records` returns them.
            **settings: Arguments of `AcronymCollection`.

        Returns:
            A collection with the acronyms in the records.
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
        """The arguments that this collection was created with, except `nlp`, as JSON types."""
        return {
            "resolve": self.resolve,
            "overlay": list(map(str, self.overlay)),
            "field": self.field,
            "threshold": self.threshold,
            "language": self.language,
        }

    @property
    def index(self) -> SpellingIndex:
        """An index of the collection's meanings, by acronym and by long form."""
        if self._index is None:
            self._index = SpellingIndex(self._all_pairs())
        return self._index

    def _all_pairs(self) -> list[tuple[str, str, int]]:
        """Return each acronym and long form once, with the total number of its mentions."""
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
        """Return the spellings that a text lacks, given the long form of each of its acronyms.

        A long form of None means that the linker has no answer. The only meaning in the collection
        is then used, if there is just one.
        """
        expansions = []
        for acronym, long_form in answers.items():
            meanings = (long_form,) if long_form is not None else self.index.meanings(acronym)
            if len(meanings) == 1:
                expansions += missing_long_forms(text, acronym, meanings)
        return [*expansions, *self.index.missing_acronyms(text, answers)]
