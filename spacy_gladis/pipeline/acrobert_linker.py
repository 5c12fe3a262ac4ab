"""The component `acrobert_linker`, which resolves the acronyms of a document."""

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
from .annotations import ACRONYMS, DOCUMENT, document_findings, place_of, spans_to_answer
from .component import DEFAULT_MODEL, Scorer, SpanLinker
from .dictionaries import LinkerDictionary, is_being_loaded, share_dictionary
from .languages import ANY, NAMES, detect_language, foreign_message

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
    """Pipeline component that resolves the acronyms in `doc.spans` to their long forms.

    The spans can come from `acronym_detector` or from any other component. A definition in the same
    document takes precedence. Otherwise AcroBERT chooses among the candidates that the dictionary
    lists. The answer is NIL if no candidate reaches the threshold.

    The component opens the dictionary and loads the weights at first use. It reads overlays, which
    are files with your own entries, immediately.
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
        """Initialize the linker with its settings.

        Args:
            nlp: The pipeline to which the linker belongs.
            name: Name of the component in the pipeline, which error messages mention.
            model: A thinc model of the architecture `spacy-gladis.AcroBERT.v1`.
            spans_key: Key under which `doc.spans` holds the acronyms.
            dictionary: Path of a dictionary file, or of a JSON file in the published GLADIS format.
                None selects the packaged dictionary.
            overlay: Path or paths of tables or JSON files with your own entries, which are added to
                the dictionary. An entry without a long form marks a word that is not an acronym.
            sources: Names of the dictionary's sources whose counts are used. None uses all sources.
            field: Subject field of the texts, such as "clinical" (see `settings.FIELDS`). None
                infers it from each text.
            threshold: Minimum probability of an answer, between 0 and 1. Below it, the answer is
                NIL.
            precision: Target precision, between 0 and 1. The threshold is chosen to reach it on the
                data on which the model was calibrated. None uses `threshold`. Set only one of the
                two.
            top_k: Number of candidates that each answer keeps with their probabilities.
            ranking: Method for ranking candidates. "retriever" uses all evidence, and "popularity"
                uses only the dictionary's counts.
            cache: Folder that keeps the vectors of long forms between runs. None keeps them in
                memory.
            languages: Codes of the languages that the dictionary covers, such as ["en"]. The code
                "xx" stands for all languages. In texts in other languages, the dictionary isn't
                used: its answers are NIL, with a warning. None uses the languages recorded in the
                dictionary, which is English for the packaged one.
            offensive: Whether offensive long forms in the dictionary can be answers.
            scorer: Function that `nlp.evaluate` and `score` call on examples. None computes no
                scores.

        Raises:
            InputError: If a setting is out of range or a file doesn't exist.
            FormatError: If an overlay has an invalid line.
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
        # A saved pipeline has its user entries in its own folder, and the overlay files may be
        # gone.
        loading = is_being_loaded(nlp, name)
        files = [] if loading else overlay or []
        overlays = [files] if isinstance(files, str) else files
        self._dictionary = LinkerDictionary(dictionary, overlays)
        self._linker: Linker | None = None
        self._skipped: set[tuple[str, str]] = set()
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
        """Change the settings of an existing linker, such as the threshold of a loaded pipeline.

        Args:
            dictionary: Path of another dictionary. It replaces the present dictionary and its user
                entries. None keeps both.
            overlay: Paths of files with user entries, which are added to the present user entries.
            **settings: Other settings by name, as documented for `__init__`. Setting a threshold
                resets a target precision, and setting a target precision resets the threshold.

        Raises:
            InputError: If a setting is unknown or out of range, or a file doesn't exist.
            FormatError: If an overlay has an invalid line.
        """
        settings = resolve_settings(settings)
        self._check(settings)
        if dictionary is not None:
            self._dictionary.replace(dictionary)
        self._dictionary.extend(overlay)
        self.cfg.update(settings)
        self._linker = None

    def variant(self, nlp: Language, dictionary: Dictionary, **settings: Any) -> "AcroBERTLinker":
        """Return a new linker that shares this linker's weights but has other settings.

        Use it, for example, to answer a single request with its own list of acronyms. This linker
        doesn't change.

        Args:
            nlp: The pipeline to which this linker belongs.
            dictionary: Dictionary of the new linker: a copy of this linker's dictionary with other
                user entries.
            **settings: Settings that differ from this linker's settings, by name.

        Returns:
            The new linker. It isn't added to the pipeline.

        Raises:
            InputError: If a setting is unknown or out of range.
        """
        cfg = {**self.cfg, **resolve_settings(settings)}
        linker = AcroBERTLinker(nlp, self.name, model=self.model, scorer=self.scorer, **cfg)
        linker._dictionary = LinkerDictionary(self._dictionary.path, opened=dictionary)
        linker.folder_definitions = self.folder_definitions
        linker._linker = self.open().with_source(
            dictionary, field=linker.cfg["field"], offensive=linker.cfg["offensive"]
        )
        return linker

    @property
    def linker_dictionary(self) -> LinkerDictionary:
        """The linker's dictionary, which may not be opened yet and which detectors share."""
        return self._dictionary

    @property
    def dictionary(self) -> Dictionary:
        """The linker's dictionary, opened at first use.

        Use its methods `add` and `remove` to change the entries for this component.
        """
        return self._dictionary.open()

    def open(self) -> "Linker":
        """Load the dictionary and the weights if they aren't loaded yet.

        The first prediction calls this method. Call it yourself to report a missing or damaged file
        when your program starts.

        Returns:
            The object that resolves mentions. Each call returns the same object until a setting
            changes.

        Raises:
            InputError: If the dictionary or the weights don't exist.
            FormatError: If the dictionary or the weights are damaged.
        """
        if self._linker is None:
            from ..linking.linker import Linker

            names = ("ranking", "sources", "field", "cache", "offensive")
            settings = {name: self.cfg[name] for name in names}
            self._linker = Linker(self._weights.acrobert, self.dictionary, **settings)
            self.resolve_threshold()
        return self._linker

    def resolve_threshold(self) -> float:
        """Return the threshold that the linker applies, which can follow from a target precision.

        Returns:
            The minimum probability, between 0 and 1, of an answer. This is the setting `threshold`,
            or, if `precision` is set, the lowest threshold that reaches this precision.

        Raises:
            InputError: If no threshold of the model reaches the target precision.
        """
        if self.cfg["precision"] is None:
            return float(self.cfg["threshold"])
        return self.open().model.settings.find_threshold(self.cfg["precision"])

    def _parts(self, *, reading: bool) -> dict[str, Any]:
        return {"model": self._weights, "dictionary": self._dictionary}

    def _changed(self) -> None:
        self._linker = None

    def learn(self, docs: Iterable[Doc]) -> FolderDefinitions:
        """Collect definitions from documents as evidence for the acronyms in other documents.

        Use it if a project defines its acronyms in one document and uses them in others. A
        document's own definitions still take precedence.

        For an acronym that no document defines, phrases whose words begin with its letters become
        candidates. The meanings of such acronyms also indicate the topics of all documents. The
        evidence is saved with the pipeline.

        Args:
            docs: Documents that the detector has processed. `doc.user_data["document"]` can hold
                the name of a document: its path, or its path and the place in the file
                (``notes/a.jsonl:3``). Definitions from the nearest folder then have the greatest
                weight.

        Returns:
            The evidence from these documents. It is also added to `folder_definitions`.

        Raises:
            InputError: If `docs` contains anything other than `Doc` objects.
        """
        definitions = FolderDefinitions()
        texts = []
        for doc in docs:
            if not isinstance(doc, Doc):
                raise InputError(
                    f"{self.name}.learn expects spaCy documents, but got an object of the type "
                    f"'{type(doc).__name__}'. Pass nlp.pipe(texts)."
                )
            group = doc.spans.get(self.cfg["spans_key"]) or SpanGroup(doc)
            text, path = doc.text, doc.user_data.get(DOCUMENT, "")
            findings = document_findings(doc, group)
            definitions.add(
                (
                    (text[slice(*definition.acronym)], definition.words(text))
                    for definition in findings.definitions
                ),
                path,
            )
            mentions = (place_of(span) for span in group)
            definitions.use(
                text[slice(*offsets)] for offsets in mentions if offsets not in findings.resolutions
            )
            texts.append((text, path))
        acronyms = definitions.undefined
        for text, path in texts:
            definitions.add_phrases(text, acronyms, path)
        self.folder_definitions.update(definitions)
        return definitions

    @property
    def folder_definitions(self) -> FolderDefinitions:
        """Definitions and phrases from other documents. Assign new ones to replace them."""
        return self._dictionary.folder_definitions

    @folder_definitions.setter
    def folder_definitions(self, definitions: FolderDefinitions) -> None:
        """Replace the definitions and phrases collected from other documents.

        Args:
            definitions: The new evidence, which applies to all components that share the
                dictionary.
        """
        self._dictionary.folder_definitions = definitions

    def predict(self, docs: Iterable[Doc]) -> list[list[Resolution]]:
        """Resolve the acronyms of each document without changing the documents.

        Args:
            docs: The documents, whose acronyms are in `doc.spans`.

        Returns:
            For each document, an answer for each span, in the order of the spans.
        """
        rows: list[list[Resolution | None]] = []
        mentions: list[Mention] = []
        documents = list(docs)
        for number, doc in enumerate(documents):
            group = spans_to_answer(doc, self.cfg["spans_key"], self.name)
            text = doc.text if group else ""
            defined = document_findings(doc, group).resolutions if len(group) else {}
            places = [place_of(span) for span in group]
            rows.append([defined.get(place) for place in places])
            mentions += [Mention(text, *place, number) for place in places if place not in defined]
        if not mentions:  # avoids loading the weights
            return cast("list[list[Resolution]]", rows)
        answers = iter(
            self.open().resolve(
                mentions,
                self._elsewhere(mentions, documents),
                threshold=self.resolve_threshold(),
                top_k=self.cfg["top_k"],
                foreign=self._foreign(mentions, documents),
            )
        )
        return [[resolution or next(answers) for resolution in row] for row in rows]

    @property
    def answered_languages(self) -> frozenset[str] | None:
        """Codes of the languages that the dictionary covers, or None if it covers all languages."""
        languages = self.cfg["languages"]
        codes = self.dictionary.languages if languages is None else languages
        return None if codes is None or ANY in codes else frozenset(codes)

    def _foreign(self, mentions: Iterable[Mention], docs: Sequence[Doc]) -> dict[int, str]:
        """Return the languages that the dictionary doesn't cover, by the number of the document.

        A warning is issued once for each of these languages.
        """
        covered = self.answered_languages
        if covered is None:
            return {}
        texts = {mention.document: mention.text for mention in mentions}
        codes = {number: detect_language(text) for number, text in texts.items()}
        foreign = {number: NAMES[code] for number, code in codes.items() if code not in covered}
        for number, language in foreign.items():
            if language not in self._warned:
                self._warned.add(language)
                name = docs[number].user_data.get(DOCUMENT) or "a text"
                warn(f"{self.name}: {foreign_message(name, language, covered)}")
        return foreign

    def _elsewhere(self, mentions: Iterable[Mention], docs: Sequence[Doc]) -> FolderEvidence:
        """Return the evidence that other documents give about the acronyms of these mentions."""
        paths = {number: doc.user_data.get(DOCUMENT, "") for number, doc in enumerate(docs)}
        return self.folder_definitions.find_evidence(mentions, paths)

    def update(
        self,
        examples: Iterable[Example],
        *,
        drop: float = 0.0,
        sgd: Optimizer | None = None,
        losses: dict[str, float] | None = None,
    ) -> dict[str, float]:
        """Train the linker on reference spans whose `kb_id_` is a long form or NIL.

        The loss is the mean cross-entropy of the correct meanings. The probabilities are those that
        `predict` uses: a softmax over all candidates and NIL. Training changes only the vectors of
        the long forms that the examples name (see `linking/sense_vectors.py`). The encoder and all
        other evidence stay constant.

        Args:
            examples: Examples whose reference has spans under the setting `spans_key`.
            drop: Dropout rate. It has no effect.
            sgd: Optimizer that is applied after the backward pass. None only accumulates the
                gradients.
            losses: A mapping from component names to losses, which is updated in place. None
                creates a new one.

        Returns:
            The updated losses, by component name.
        """
        losses = {} if losses is None else losses
        losses.setdefault(self.name, 0.0)
        examples = list(examples)
        validate_examples(examples, "AcroBERTLinker.update")
        training_examples = self._ask(examples)
        if not training_examples:
            return losses
        scores, backprop = self.model.begin_update(training_examples)
        loss, gradients = self._loss(scores, training_examples)
        backprop(gradients)
        if sgd:
            self.finish_update(sgd)
        losses[self.name] += loss
        return losses

    def get_loss(
        self, examples: Iterable[Example], scores: list[Floats1d]
    ) -> tuple[float, list[Floats1d]]:
        """Return the loss of the linker's scores for examples, and the gradients of the loss.

        Args:
            examples: The examples for which `scores` were computed.
            scores: For each reference mention that the model can learn from, the logits of its
                candidates and, in the last place, of NIL, float32 [candidates + 1].

        Returns:
            The mean cross-entropy, and one gradient for each array in `scores`, in the same shape.
        """
        return self._loss(scores, self._ask(list(examples)))

    def _loss(
        self, scores: list[Floats1d], questions: "list[TrainingExample]"
    ) -> tuple[float, list[Floats1d]]:
        from ..linking.training_examples import cross_entropy

        loss, gradients = cross_entropy(cast("list[Floats]", scores), questions)
        return loss, cast("list[Floats1d]", gradients)

    def _ask(self, examples: Sequence[Example]) -> "list[TrainingExample]":
        from ..linking.training_examples import make_training_examples

        skipped: set[tuple[str, str]] = set()
        mentions, meant = _labelled(examples, self.cfg["spans_key"])
        elsewhere = self._elsewhere(mentions, [example.reference for example in examples])
        questions = make_training_examples(
            self.open(), mentions, meant, elsewhere, passed_over=skipped
        )
        if new_meanings := skipped - self._skipped:
            self._skipped |= new_meanings
            listing = ", ".join(
                f"'{long_form}' ({acronym})" for acronym, long_form in sorted(new_meanings)
            )
            warn(
                f"{self.name} skips examples with long forms that its dictionary does not list: "
                f"{listing}. Add them with dictionary.add(acronym, long_form)."
            )
        return questions

    def initialize(
        self, get_examples: Callable[[], Iterable[Example]], *, nlp: Language | None = None
    ) -> None:
        """Check that the examples contain at least one mention that the linker can learn from.

        Examples without any spans are accepted, because they may be meant for other components.

        Args:
            get_examples: Function that returns the training examples. The first 100 are checked.
            nlp: The pipeline. It has no effect.

        Raises:
            InputError: If no reference span has a `kb_id_` that is NIL or one of the acronym's
                candidates.
        """
        validate_get_examples(get_examples, "AcroBERTLinker.initialize")
        examples = list(islice(get_examples(), 100))
        has_spans = any(group for example in examples for group in example.reference.spans.values())
        if has_spans and not self._ask(examples):
            raise InputError(
                f"{self.name}: none of the first {len(examples)} examples can be learnt from. Give "
                f"examples with spans in reference.spans['{self.cfg['spans_key']}'] whose kb_id_ "
                "is a long form that the dictionary lists for the acronym. Add missing long forms "
                "with dictionary.add(acronym, long_form)."
            )
        self.model.initialize()


def _labelled(
    examples: Iterable[Example], spans_key: str
) -> tuple[list[Mention], list[str | None]]:
    """Return the mentions in the reference documents, and the meanings of their labels.

    A meaning is a long form in any spelling, an empty string for NIL, or None without a `kb_id_`.
    """
    mentions: list[Mention] = []
    meanings: list[str | None] = []
    for number, example in enumerate(examples):
        text = example.reference.text
        for span in example.reference.spans.get(spans_key, ()):
            mentions.append(Mention(text, *place_of(span), number))
            meanings.append("" if span.kb_id_ == NIL else span.kb_id_ or None)
    return mentions, meanings
