"""The component `acrobert_linker`: tells what each acronym means in its document."""

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from spacy.language import Language
from spacy.pipeline import TrainablePipe
from spacy.tokens import Doc, SpanGroup
from spacy.training import Example, validate_examples, validate_get_examples
from thinc.api import Model, Optimizer
from thinc.types import Floats1d

from ..arrays import Floats
from ..dictionary import Dictionary
from ..dictionary.folder_definitions import FolderDefinitions, FolderEvidence
from ..errors import InputError, warn
from ..resolution import NIL, Resolution
from ..settings import THRESHOLD, resolve_settings
from ..text import Mention
from .annotations import ACRONYMS, DOCUMENT, own_findings, place_of, spans_to_answer
from .component import DEFAULT_MODEL, Scorer, SpanLinker
from .languages import ANY, NAMES, foreign_message, told_language
from .linker_dictionary import LinkerDictionary, is_being_loaded, share_dictionary

if TYPE_CHECKING:
    from ..linking.linker import Linker
    from ..linking.training_examples import TrainingExample


@Language.factory(
    "acrobert_linker",
    requires=["doc.spans"],
    assigns=["doc.spans"],
    default_config={
        "model": DEFAULT_MODEL,
        "scorer": {"@scorers": "spacy-gladis.acrobert_linker_scorer.v1"},
    },
    default_score_weights={"acronym_accuracy": 1.0, "acronym_macro_f1": 0.0},
)
class AcroBERTLinker(SpanLinker, TrainablePipe):  # type: ignore[misc]
    """Resolves the acronyms in `doc.spans`, whoever put them there.

    A definition in the same document comes first; otherwise AcroBERT chooses among the
    dictionary's candidates, and below the threshold the answer is NIL.
    """

    NIL = NIL

    def __init__(
        self,
        nlp: Language,
        name: str = "acrobert_linker",
        *,
        model: Model[list[Any], list[Floats1d]],
        spans_key: str = ACRONYMS,
        dictionary: str | None = None,
        overlay: str | list[str] | None = None,
        sources: list[str] | None = None,
        field: str | None = None,
        threshold: float = THRESHOLD,
        precision: float | None = None,
        top_k: int = 5,
        ranking: str = "retriever",
        cache: str | None = None,
        languages: list[str] | None = None,
        offensive: bool = False,
        scorer: Scorer | None = None,
    ) -> None:
        """Set up without reading anything: dictionary and weights are opened at first use.

        Args:
            nlp: The pipeline.
            name: The component's name in the pipeline.
            model: The architecture `spacy-gladis.AcroBERT.v1`.
            spans_key: Key of `doc.spans` with the acronyms.
            dictionary: A dictionary file, or a JSON file in the published format. None: the
                packaged one.
            overlay: A table or JSON file of own entries to add to the dictionary, or several; read
                at once. An entry without a long form is a word that is not an acronym.
            sources: Use only the counts of these sources of the dictionary. None: of all.
            field: Subject field of the texts, such as "clinical" (`settings.FIELDS`). None: the
                texts tell.
            threshold: The probability, 0 to 1, below which the answer is NIL.
            precision: Target precision, 0 to 1; the threshold is chosen to reach it where the model
                was measured. None: `threshold`. Give only one of the two.
            top_k: How many candidates are kept with their probabilities.
            ranking: "retriever" (all evidence) or "popularity" (counts alone).
            cache: A folder that keeps the vectors of long forms between runs. None: memory.
            languages: Codes of the languages whose texts the dictionary answers, "xx" for all.
                None: those that it has, English for the packaged one. In other languages its answer
                is NIL, with a warning.
            offensive: Also answer with offensive long forms of the dictionary.
            scorer: What `nlp.evaluate` and `score` call on examples to get the component's scores.
                None: there are no scores.

        Raises:
            InputError: If a setting is out of range or a file is not there.
            FormatError: If an overlay has a wrong line.
        """
        self.model = model
        self.scorer = scorer
        cfg = {
            "spans_key": spans_key,
            "sources": sources,
            "threshold": threshold,
            "top_k": top_k,
            "ranking": ranking,
            "cache": cache,
            "languages": languages,
            "offensive": offensive,
        }
        chosen = {} if threshold == THRESHOLD else {"threshold": threshold}
        cfg |= resolve_settings({"field": field, "precision": precision, **chosen})
        self._begin(nlp, name, cfg)
        # A saved pipeline has its entries in its own folder: the files need not be there any more.
        loading = is_being_loaded(nlp, name)
        files = [] if loading else overlay or []
        overlays = [files] if isinstance(files, str) else files
        self._dictionary = LinkerDictionary(dictionary, overlays)
        self._linker: Linker | None = None
        self._passed_over: set[tuple[str, str]] = set()
        self._warned: set[str] = set()
        if not loading:
            self._dictionary.check(name)
        share_dictionary(nlp, self._dictionary)

    def configure(
        self,
        *,
        dictionary: str | None = None,
        overlay: Sequence[str | Path] = (),
        **settings: Any,
    ) -> None:
        """Change settings of a component that is there, such as a loaded pipeline's threshold.

        dictionary: another dictionary, without the own entries of the present one. overlay: files
        of own entries, beside those that there are. settings: as `__init__` has them; a threshold
        takes the place of a precision, and the other way round. Raises InputError and FormatError
        as `__init__`.
        """
        settings = resolve_settings(settings)
        self._check(settings)
        if dictionary is not None:
            self._dictionary.replace(dictionary)
        self._dictionary.extend(overlay)
        self.cfg.update(settings)
        self._linker = None

    def variant(self, nlp: Language, dictionary: Dictionary, **settings: Any) -> "AcroBERTLinker":
        """A linker of the same weights with other settings; this one stays as it is.

        dictionary: a copy of this one's, with other own entries. Raises InputError as `configure`.
        """
        cfg = {**self.cfg, **resolve_settings(settings)}
        made = AcroBERTLinker(nlp, self.name, model=self.model, scorer=self.scorer, **cfg)
        made._dictionary = LinkerDictionary(self._dictionary.path, opened=dictionary)
        made.learnt = self.learnt
        made._linker = self.open().with_source(
            dictionary, field=made.cfg["field"], offensive=made.cfg["offensive"]
        )
        return made

    @property
    def linker_dictionary(self) -> LinkerDictionary:
        """The dictionary whether open or not, which the pipeline's detectors share."""
        return self._dictionary

    @property
    def dictionary(self) -> Dictionary:
        """The dictionary, opened at first use; `add` and `remove` change it for this component."""
        return self._dictionary.open()

    def open(self) -> "Linker":
        """Read the dictionary and the weights, if that is not done; the first use does the same.

        Raises InputError or FormatError where one of them is missing or damaged.
        """
        if self._linker is None:
            from ..linking.linker import Linker

            names = ("ranking", "sources", "field", "cache", "offensive")
            settings = {name: self.cfg[name] for name in names}
            self._linker = Linker(self._weights.acrobert, self.dictionary, **settings)
            self.resolve_threshold()
        return self._linker

    def resolve_threshold(self) -> float:
        """Return the threshold that is set, or that the wanted precision needs.

        Raises:
            InputError: If the model was not measured at that precision.
        """
        if self.cfg["precision"] is None:
            return float(self.cfg["threshold"])
        return self.open().model.settings.find_threshold(self.cfg["precision"])

    def _parts(self, *, reading: bool) -> dict[str, Any]:
        return {"model": self._weights, "dictionary": self._dictionary}

    def _changed(self) -> None:
        self._linker = None

    def learn(self, docs: Iterable[Doc]) -> FolderDefinitions:
        """Take what documents say as evidence for others; what was learnt of these.

        docs: as the detector left them. `doc.user_data["document"]`, if it is there, is a
            document's name: its path, or its path and its place there (``notes/a.jsonl:3``). What
            the nearest folder defines weighs most.
        Where none of them defines an acronym, phrases with its letters speak for it, and what their
        undefined acronyms mean tells of the topics of all. A document's own definitions still come
        first. What was learnt is saved with the pipeline.
        """
        learnt = FolderDefinitions()
        texts = []
        for doc in docs:
            if not isinstance(doc, Doc):
                raise InputError(
                    f"{self.name}.learn takes documents, as nlp.pipe(texts) gives them, not "
                    f"'{type(doc).__name__}'."
                )
            group = doc.spans.get(self.cfg["spans_key"]) or SpanGroup(doc)
            text, path = doc.text, doc.user_data.get(DOCUMENT, "")
            found = own_findings(doc, group)
            learnt.add(((text[slice(*d.acronym)], d.words(text)) for d in found.definitions), path)
            places = (place_of(span) for span in group)
            learnt.use(text[slice(*one)] for one in places if one not in found.resolutions)
            texts.append((text, path))
        acronyms = learnt.undefined
        for text, path in texts:
            learnt.add_phrases(text, acronyms, path)
        self.learnt.update(learnt)
        return learnt

    @property
    def learnt(self) -> FolderDefinitions:
        """The definitions of other documents, learnt so far; others may be put in their place."""
        return self._dictionary.learnt

    @learnt.setter
    def learnt(self, learnt: FolderDefinitions) -> None:
        self._dictionary.learnt = learnt

    def predict(self, docs: Iterable[Doc]) -> list[list[Resolution]]:
        """Resolve the spans of each document, in order, and leave the documents as they are."""
        rows: list[list[Resolution | None]] = []
        asked: list[Mention] = []
        documents = list(docs)
        for number, doc in enumerate(documents):
            group = spans_to_answer(doc, self.cfg["spans_key"], self.name)
            text = doc.text if group else ""
            own = own_findings(doc, group).resolutions if len(group) else {}
            places = [place_of(span) for span in group]
            rows.append([own.get(place) for place in places])
            asked += [Mention(text, *place, number) for place in places if place not in own]
        if not asked:  # without any, the weights are never read
            return cast("list[list[Resolution]]", rows)
        answers = iter(
            self.open().resolve(
                asked,
                self._elsewhere(asked, documents),
                threshold=self.resolve_threshold(),
                top_k=self.cfg["top_k"],
                foreign=self._foreign(asked, documents),
            )
        )
        return [[known or next(answers) for known in row] for row in rows]

    @property
    def answered_languages(self) -> frozenset[str] | None:
        """The codes of the languages whose texts the dictionary answers; None: of all."""
        chosen = self.cfg["languages"]
        known = self.dictionary.languages if chosen is None else chosen
        return None if known is None or ANY in known else frozenset(known)

    def _foreign(self, mentions: Iterable[Mention], docs: Sequence[Doc]) -> dict[int, str]:
        """The documents in a language that the dictionary has not, with its name."""
        known = self.answered_languages
        if known is None:
            return {}
        told = {one.document: one.text for one in mentions}
        codes = {number: told_language(text) for number, text in told.items()}
        foreign = {number: NAMES[code] for number, code in codes.items() if code not in known}
        for number, language in foreign.items():
            if language not in self._warned:
                self._warned.add(language)
                name = docs[number].user_data.get(DOCUMENT) or "a text"
                warn(f"{self.name}: {foreign_message(name, language, known)}")
        return foreign

    def _elsewhere(self, mentions: Iterable[Mention], docs: Sequence[Doc]) -> FolderEvidence:
        """What was learnt of documents beside these about their mentions."""
        learnt = self.learnt
        definitions = {}
        for one in mentions if learnt else ():
            path = docs[one.document].user_data.get(DOCUMENT, "")
            if found := learnt.meanings(one.acronym, path):
                definitions[one.document, one.acronym] = found
        return FolderEvidence(definitions, learnt.undefined)

    def update(
        self,
        examples: Iterable[Example],
        *,
        drop: float = 0.0,
        sgd: Optimizer | None = None,
        losses: dict[str, float] | None = None,
    ) -> dict[str, float]:
        """Learn from reference spans that carry a long form, or NIL, as `kb_id_`.

        The loss is the mean cross-entropy of the right meaning in the softmax that is served: over
        all candidates and NIL, by all evidence. Trained are vectors of the long forms that the
        examples name, see `linking/sense_vectors.py`; the encoder stays as it is, and the rest of
        the evidence is constant. `drop` has no effect.
        """
        losses = {} if losses is None else losses
        losses.setdefault(self.name, 0.0)
        examples = list(examples)
        validate_examples(examples, "AcroBERTLinker.update")
        questions = self._ask(examples)
        if not questions:
            return losses
        scores, backprop = self.model.begin_update(questions)
        loss, gradients = self._loss(scores, questions)
        backprop(gradients)
        if sgd:
            self.finish_update(sgd)
        losses[self.name] += loss
        return losses

    def get_loss(
        self, examples: Iterable[Example], scores: list[Floats1d]
    ) -> tuple[float, list[Floats1d]]:
        """The mean cross-entropy of the scores that the model gave, and its gradient."""
        return self._loss(scores, self._ask(list(examples)))

    def _loss(
        self, scores: list[Floats1d], questions: "list[TrainingExample]"
    ) -> tuple[float, list[Floats1d]]:
        from ..linking.training_examples import cross_entropy

        loss, gradients = cross_entropy(cast("list[Floats]", scores), questions)
        return loss, cast("list[Floats1d]", gradients)

    def _ask(self, examples: Sequence[Example]) -> "list[TrainingExample]":
        from ..linking.training_examples import make_training_examples

        passed_over: set[tuple[str, str]] = set()
        mentions, meant = _labelled(examples, self.cfg["spans_key"])
        elsewhere = self._elsewhere(mentions, [one.reference for one in examples])
        questions = make_training_examples(
            self.open(), mentions, meant, elsewhere, passed_over=passed_over
        )
        if new := passed_over - self._passed_over:
            self._passed_over |= new
            told = ", ".join(f"'{long_form}' ({acronym})" for acronym, long_form in sorted(new))
            warn(
                f"{self.name} learns nothing of what its dictionary lacks: {told}. Add it with "
                "dictionary.add(acronym, long_form)."
            )
        return questions

    def initialize(
        self, get_examples: Callable[[], Iterable[Example]], *, nlp: Language | None = None
    ) -> None:
        """Check that examples with spans hold something to learn; without spans nothing has to be.

        Raises InputError when no reference span has a `kb_id_` that is one of its candidates.
        """
        validate_get_examples(get_examples, "AcroBERTLinker.initialize")
        examples = list(islice(get_examples(), 100))
        marked = any(group for one in examples for group in one.reference.spans.values())
        if marked and not self._ask(examples):
            raise InputError(
                f"{self.name}: none of the first {len(examples)} examples has anything to learn. "
                f"Expected spans in reference.spans['{self.cfg['spans_key']}'] whose kb_id_ is "
                "a long form that the dictionary has for the acronym; add those that it lacks."
            )
        self.model.initialize()


def _labelled(
    examples: Iterable[Example], spans_key: str
) -> tuple[list[Mention], list[str | None]]:
    """The mentions of the references, and what each one means: its span's `kb_id_`.

    That is a long form, however spelt, or NIL, which gives an empty string; None where it is empty.
    """
    mentions: list[Mention] = []
    meant: list[str | None] = []
    for number, example in enumerate(examples):
        text = example.reference.text
        for span in example.reference.spans.get(spans_key, ()):
            mentions.append(Mention(text, *place_of(span), number))
            meant.append("" if span.kb_id_ == NIL else span.kb_id_ or None)
    return mentions, meant
