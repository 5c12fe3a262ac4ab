"""The component `acronym_detector`, which finds acronyms and their definitions."""

import copy
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from spacy.language import Language
from spacy.pipeline import TrainablePipe
from spacy.tokens import Doc
from spacy.training import Example, validate_examples, validate_get_examples
from thinc.api import Model, Optimizer, SequenceCategoricalCrossentropy
from thinc.types import Floats2d

from ..arrays import Floats
from ..dictionary import Dictionary
from ..dictionary.spellings import DictionarySpellings
from ..errors import InputError
from ..text import Offsets, base_form, settle
from ..text.detect import Detected, complete, define, detect, shaped_acronyms
from ..text.mention import cover, sort_spans
from .annotations import (
    ACRONYMS,
    LONG_FORMS,
    Findings,
    place_of,
    resolve_definitions,
    write_findings,
)
from .component import Component, Scorer
from .dictionaries import DetectorDictionary, LinkerDictionary, is_being_loaded
from .tags import LABELS, gold_labels, tagged_spans

Tagger = Model[list[Doc], list[Floats2d]]

LOSS = SequenceCategoricalCrossentropy(normalize=False, names=LABELS, missing_value="")


@Language.factory(
    "acronym_detector",
    assigns=["doc.spans"],
    default_config={
        "scorer": {"@scorers": "spacy-gladis.acronym_detector_scorer.v1"},
    },
    default_score_weights={
        "identification_f": 1.0,
        "spans_acronyms_f": 0.0,
        "spans_long_forms_f": 0.0,
    },
)
class AcronymDetector(Component, TrainablePipe):  # type: ignore[misc]
    """Pipeline component that finds the acronyms in a text, and their definitions.

    The component marks definitions such as "computed tomography (CT)", all mentions of defined
    acronyms, and acronyms that the text doesn't define.

    Without a model, only rules are used. With a model, the definitions that the rules find are
    kept, and a tagger decides about everything else. The spans that the rules propose are features
    of the tagger. A pair scorer then matches the tagged acronyms with the tagged long forms.
    """

    optional = frozenset({"dictionary"})

    def __init__(
        self,
        nlp: Language,
        name: str = "acronym_detector",
        *,
        model: Tagger | None = None,
        threshold: float = 0.5,
        spans_key: str = ACRONYMS,
        long_forms_key: str = LONG_FORMS,
        patterns: bool = True,
        undefined: bool = True,
        known: bool | None = None,
        dictionary: str | None = None,
        scorer: Scorer | None = None,
    ) -> None:
        """Initialize the detector with its settings.

        Args:
            nlp: The pipeline to which the detector belongs.
            name: Name of the component in the pipeline, which error messages mention.
            model: A tagger of the architecture `spacy-gladis.AcronymTagger.v1`. None uses only
                rules.
            threshold: Minimum confidence, between 0 and 1, of a definition that only the tagger
                finds.
            spans_key: Key under which `doc.spans` gets the acronyms.
            long_forms_key: Key under which `doc.spans` gets the long forms.
            patterns: Whether to recognize all patterns of definitions. If False, only the patterns
                of Schwartz and Hearst (2003) are recognized.
            undefined: Whether to find acronyms without a definition, by their shape or with the
                tagger.
            known: Whether to find undefined acronyms that only a dictionary can identify, such as
                c/o and k8s. None does so in English texts of English pipelines, because the
                packaged list is English. The user's entries are always found, and ignored words
                never.
            dictionary: Path of a dictionary file. None uses the dictionary of the pipeline's
                `acrobert_linker` with the user's entries, or the packaged one in a pipeline without
                a linker.
            scorer: Function that `nlp.evaluate` and `score` call on examples. None computes no
                scores.

        Raises:
            InputError: If both keys are equal, `threshold` is out of range, or the dictionary file
                doesn't exist.
        """
        if spans_key == long_forms_key:
            raise InputError(
                f"acronym_detector: spans_key and long_forms_key are both '{spans_key}'. "
                "Give acronyms and long forms different keys."
            )
        self.model = model
        self.scorer = scorer
        cfg = {
            "threshold": threshold,
            "spans_key": spans_key,
            "long_forms_key": long_forms_key,
            "patterns": patterns,
            "undefined": undefined,
            "known": known,
            "dictionary": dictionary,
        }
        self._begin(nlp, name, cfg)
        self._dictionary = DetectorDictionary(nlp, dictionary, known)
        if dictionary is not None and not is_being_loaded(nlp, name):
            self._dictionary.source.check(name)

    @property
    def dictionary(self) -> Dictionary:
        """The detector's dictionary, opened at first use.

        If the pipeline has a linker, this is usually the same object as the linker's dictionary.
        """
        return self._dictionary.source.open()

    def share_dictionary(self, dictionary: LinkerDictionary) -> None:
        """Use the dictionary of a linker, unless the detector was given its own dictionary file.

        A linker calls this method when it is added to the pipeline.

        Args:
            dictionary: The linker's dictionary, which may not be opened yet.
        """
        self._dictionary.share(dictionary)

    def with_dictionary(self, dictionary: Dictionary) -> "AcronymDetector":
        """Return a new detector with the same settings and another dictionary.

        Args:
            dictionary: The dictionary of the new detector, already opened.

        Returns:
            The new detector. It isn't added to the pipeline, and this detector doesn't change.
        """
        detector = copy.copy(self)
        detector._dictionary = self._dictionary.over(dictionary)
        return detector

    def _parts(self, *, reading: bool) -> dict[str, Any]:
        parts: dict[str, Any] = {} if self.model is None else {"model": self.model}
        if self._dictionary.is_separate if reading else self._dictionary.must_be_saved:
            parts["dictionary"] = self._dictionary.source
        return parts

    def predict(self, docs: Iterable[Doc]) -> list[Findings]:
        """Find the acronyms and definitions of each document without changing the documents.

        Args:
            docs: The documents to search.

        Returns:
            For each document, its acronyms and definitions with their character offsets.
        """
        docs = list(docs)
        if self.model is None:
            return [self.find(doc.text) for doc in docs]
        with_tokens = [doc for doc in docs if len(doc)]
        rows = iter(self.model.predict(with_tokens) if with_tokens else ())
        probabilities = map(self.model.ops.to_numpy, rows)
        return [self._tagged(doc, next(probabilities)) if len(doc) else Findings() for doc in docs]

    def find(self, text: str) -> Findings:
        """Find the acronyms in a text and their definitions with rules, even if there is a tagger.

        Args:
            text: The text to search, which needs no tokens.

        Returns:
            The acronyms and definitions with their character offsets.
        """
        patterns, undefined = self.cfg["patterns"], self.cfg["undefined"]
        spellings = self._dictionary.spellings(text)
        detected = detect(text, spellings, patterns=patterns, undefined=undefined)
        long_forms = {definition.long_form for definition in detected.definitions}
        return _to_findings(text, detected, long_forms, spellings)

    def _tagged(self, doc: Doc, probabilities: Floats) -> Findings:
        """Find acronyms and definitions in a document with the tagger and the rules."""
        text = doc.text
        spellings = self._dictionary.spellings(text)
        shaped = shaped_acronyms(text, spellings)
        rule_definitions = define(text, (), spellings, patterns=self.cfg["patterns"])
        proposed = [*(definition.acronym for definition in rule_definitions), *shaped]
        acronyms, long_forms = tagged_spans(
            doc, probabilities, proposed, [definition.long_form for definition in rule_definitions]
        )
        acronyms, long_forms, definitions = settle(
            text, acronyms, long_forms, rule_definitions, self.cfg["threshold"]
        )
        long_form_offsets = [marked.offsets for marked in long_forms]
        detected = complete(
            text,
            definitions,
            [marked.offsets for marked in acronyms],
            spellings,
            undefined=self.cfg["undefined"],
        )
        findings = _to_findings(text, detected, long_form_offsets, spellings)
        covered = cover(text, long_form_offsets)
        findings.mentions = [
            mention for mention in findings.mentions if covered.find(1, *mention) < 0
        ]
        return findings

    def set_annotations(self, docs: Iterable[Doc], findings: Iterable[Findings]) -> None:
        """Write acronyms and long forms to `doc.spans`, as spans of whole tokens.

        Args:
            docs: The documents to change, in place.
            findings: The acronyms and definitions of each document, as `predict` returns them.
        """
        for doc, document_findings in zip(docs, findings, strict=True):
            write_findings(
                doc, document_findings, self.cfg["spans_key"], self.cfg["long_forms_key"]
            )

    @property
    def is_trainable(self) -> bool:
        """Whether the component has a tagger, which can be trained."""
        return self.model is not None

    def initialize(
        self,
        get_examples: Callable[[], Iterable[Example]],
        *,
        nlp: Language | None = None,
    ) -> None:
        """Infer the sizes of the tagger's weights from examples. Without a tagger, do nothing.

        Args:
            get_examples: Function that returns the training examples.
            nlp: The pipeline. It has no effect.

        Raises:
            InputError: If no example has acronyms or long forms under the component's keys.
        """
        if self.model is None:
            return
        validate_get_examples(get_examples, "AcronymDetector.initialize")
        if not any(self._is_marked(example.reference) for example in get_examples()):
            raise InputError(
                f"{self.name}: no example has spans in reference.spans['{self.cfg['spans_key']}'] "
                f"or reference.spans['{self.cfg['long_forms_key']}']. Make training data with "
                "'spacy-gladis convert'."
            )
        docs = [example.x for example in islice(get_examples(), 10) if len(example.x)]
        labels: list[Any] = [self.model.ops.alloc2f(len(doc), len(LABELS)) for doc in docs]
        self.model.initialize(X=docs, Y=labels)  # the labels' width sets the output's size

    def get_loss(
        self, examples: Iterable[Example], scores: Sequence[Floats2d]
    ) -> tuple[float, list[Floats2d]]:
        """Return the cross-entropy loss of the tagger's probabilities, and its gradients.

        Documents that have no spans under `spans_key` or `long_forms_key` don't contribute.

        Args:
            examples: The examples for which `scores` were computed.
            scores: For each document, the tagger's probability of each label for each token,
                float32 [tokens, labels].

        Returns:
            The loss, and one gradient for each array in `scores`, in the same shape.
        """
        examples = list(examples)
        validate_examples(examples, "AcronymDetector.get_loss")
        gradients, loss = LOSS(scores, [self._gold(example) for example in examples])
        return float(loss), gradients

    def finish_update(self, sgd: Optimizer) -> None:
        """Update the tagger's weights with the gradients that have accumulated.

        Without a tagger, this does nothing.

        Args:
            sgd: The optimizer that computes the new weights.
        """
        if self.model is not None:
            self.model.finish_update(sgd)

    def use_params(self, params: dict[Any, Any]) -> Iterator[None]:
        """Replace the tagger's weights within a context, for example by an optimizer's averages.

        The previous weights are restored when the context ends. Without a tagger, nothing is
        replaced.

        Args:
            params: The new values by parameter key, as thinc's optimizer stores them.

        Yields:
            None.
        """
        if self.model is None:
            yield
        else:
            yield from super().use_params(params)

    def _is_marked(self, doc: Doc) -> bool:
        return self.cfg["spans_key"] in doc.spans or self.cfg["long_forms_key"] in doc.spans

    def _gold(self, example: Example) -> list[str]:
        """Return the gold labels of the predicted document's tokens.

        The labels are empty if the reference has no spans under the component's keys.
        """
        if not self._is_marked(example.reference):
            return [""] * len(example.predicted)
        keys = (self.cfg["spans_key"], self.cfg["long_forms_key"])
        short, long = (
            [place_of(span) for span in example.reference.spans.get(key, ())] for key in keys
        )
        return gold_labels(example.predicted, short, long)


def _to_findings(
    text: str,
    detected: Detected,
    long_forms: Iterable[Offsets],
    spellings: DictionarySpellings | None,
) -> Findings:
    """Convert detected acronyms and definitions to findings, and add the parts of compounds."""
    defined = detected.defined or {}
    resolutions = resolve_definitions(text, detected.definitions, defined)
    definitions, mentions = list(detected.definitions), list(detected.mentions)
    if spellings is not None:
        explained = {base_form(text[slice(*place)]) for place in defined}
        parts = spellings.find_parts(text, detected.undefined)
        undefined = [part for part in parts if base_form(text[slice(*part)]) not in explained]
        mentions = sort_spans([*mentions, *undefined])
    return Findings(definitions, mentions, sorted(long_forms), resolutions)
