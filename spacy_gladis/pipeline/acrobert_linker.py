"""The component `acrobert_linker`: tells what each acronym means in its document."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import srsly
from spacy import util
from spacy.language import Language
from spacy.pipeline import TrainablePipe
from spacy.tokens import Doc, SpanGroup
from spacy.training import Example, validate_examples, validate_get_examples
from thinc.api import Config, Model, Optimizer
from thinc.types import Floats1d

from ..dictionary import Candidate, Dictionary
from ..errors import InputError
from ..files import write_json
from ..rules import Mention, defined_mentions, find_definitions
from ..settings import check_settings
from .annotations import (
    ACRONYMS,
    RESOLUTIONS,
    defined_resolution,
    defined_words,
    definition_of,
    install_extensions,
    mention_offsets,
    write_answers,
)
from .batches import annotate_batches
from .linker_dictionary import LinkerDictionary, is_being_loaded, share_dictionary
from .questions import labelled_mentions
from .resolution import NIL, Resolution, Source
from .scorers import with_gold_spans

if TYPE_CHECKING:
    from ..modeling.disambiguator import Disambiguator
    from ..modeling.questions import Question

Scorer = Callable[..., dict[str, Any]]

DEFAULT_MODEL = Config().from_str(
    """
[model]
@architectures = "spacy-gladis.AcroBERT.v1"
path = null
"""
)["model"]


@Language.factory(
    "acrobert_linker",
    requires=["doc.spans"],
    assigns=["doc.spans"],
    default_config={
        "model": DEFAULT_MODEL,
        "spans_key": ACRONYMS,
        "dictionary": None,
        "overlay": None,
        "domains": None,
        "threshold": 0.5,
        "top_k": 5,
        "ranking": "cascade",
        "discourse": 0.3,
        "contexts": 3,
        "cache": None,
        "use_definitions": True,
        "use_gold_spans": True,
        "scorer": {"@scorers": "spacy-gladis.acrobert_linker_scorer.v1"},
    },
    default_score_weights={"acronym_accuracy": 1.0, "acronym_macro_f1": 0.0},
)
class AcroBERTLinker(TrainablePipe):  # type: ignore[misc]
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
        domains: list[str] | None = None,
        threshold: float = 0.5,
        top_k: int = 5,
        ranking: str = "cascade",
        discourse: float = 0.3,
        contexts: int = 3,
        cache: str | None = None,
        use_definitions: bool = True,
        use_gold_spans: bool = True,
        scorer: Scorer | None = None,
    ) -> None:
        """Set up without reading anything: dictionary and weights are opened at first use.

        model: the architecture `spacy-gladis.AcroBERT.v1`.
        spans_key: key of `doc.spans` with the acronyms.
        dictionary: a dictionary file or a JSON file in the published format; None: the packaged.
        overlay: a table or JSON file of own entries to add to it, or several; read at once. An
            entry without a long form is a word that is no acronym.
        domains: use the counts of these source domains alone; None: of all.
        threshold: the probability, 0..1, below which the answer is NIL.
        top_k: how many candidates are kept with their probabilities.
        ranking: "cascade" (the cross-encoder reads a shortlist where the model gives its logit a
            weight; the packaged model gives it 0, so that it is not asked), "cross" (it reads
            all), "retriever" (it reads none), "popularity" (counts alone).
        discourse: 0..1, the weight of an acronym's other mentions in the document.
        contexts: of these the first so many are read, the others take their mean.
        cache: a folder that keeps the vectors of long forms between runs; None: memory.
        use_definitions: let the document's own definitions come first.
        use_gold_spans: score on the spans of the reference, not on those found.
        Raises InputError when a setting is out of range or an overlay is not there, FormatError
        for an overlay with a wrong line.
        """
        install_extensions()
        self.vocab = nlp.vocab
        self.model = model
        self.name = name
        self.scorer = scorer
        self.cfg: dict[str, Any] = {
            "spans_key": spans_key,
            "domains": domains,
            "threshold": threshold,
            "top_k": top_k,
            "ranking": ranking,
            "discourse": discourse,
            "contexts": contexts,
            "cache": cache,
            "use_definitions": use_definitions,
            "use_gold_spans": use_gold_spans,
        }
        # A saved pipeline has the entries in its own folder: the file need not be there any more.
        files = [] if is_being_loaded(nlp, name) else overlay or []
        overlays = [files] if isinstance(files, str) else files
        self._dictionary = LinkerDictionary(dictionary, overlays)
        self._disambiguator: Disambiguator | None = None
        check_settings(self.cfg, self.name)
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
        of own entries, beside those that there are. settings: as `__init__` has them. Raises
        InputError and FormatError as `__init__`.
        """
        if unknown := settings.keys() - self.cfg.keys():
            raise InputError(f"{self.name} has no setting {', '.join(sorted(unknown))}")
        check_settings(settings, self.name)
        if dictionary is not None:
            self._dictionary.replace(dictionary)
        self._dictionary.extend(overlay)
        self.cfg.update(settings)
        self._disambiguator = None

    def variant(self, nlp: Language, dictionary: Dictionary, **settings: Any) -> "AcroBERTLinker":
        """A linker of the same weights with other settings; this one stays as it is.

        dictionary: a copy of this one's, with other own entries. Raises InputError as `configure`.
        """
        cfg = {**self.cfg, **settings}
        made = AcroBERTLinker(nlp, self.name, model=self.model, scorer=self.scorer, **cfg)
        made._dictionary = LinkerDictionary(self._dictionary.path, opened=dictionary)
        made._disambiguator = self.open().with_dictionary(dictionary)
        return made

    @property
    def linker_dictionary(self) -> LinkerDictionary:
        """The dictionary whether open or not, which the pipeline's detectors share."""
        return self._dictionary

    @property
    def dictionary(self) -> Dictionary:
        """The dictionary, opened at first use; `add` and `remove` change it for this component."""
        return self._dictionary.open()

    def open(self) -> "Disambiguator":
        """Read the dictionary and the weights, if that is not done; the first use does the same.

        Raises InputError or FormatError where one of them is missing or damaged.
        """
        if self._disambiguator is None:
            make = self.model.attrs["make_disambiguator"]
            names = ("ranking", "domains", "discourse", "contexts", "cache")
            settings = {name: self.cfg[name] for name in names}
            settings["phrases"] = self.cfg["use_definitions"]
            self._disambiguator = make(self.model, self.dictionary, **settings)
        return self._disambiguator

    def __call__(self, doc: Doc) -> Doc:
        """Resolve the acronyms of one document, in place."""
        return next(self.pipe([doc]), doc)

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:
        """Resolve the acronyms of a stream of documents in place, `batch_size` together."""
        install_extensions()
        yield from annotate_batches(self, stream, batch_size)

    def predict(self, docs: Iterable[Doc]) -> list[list[Resolution]]:
        """Resolve the spans of each document, in order, and leave the documents as they are."""
        rows: list[list[Resolution | None]] = []
        asked: list[tuple[int, int]] = []
        mentions: list[Mention] = []
        for number, doc in enumerate(docs):
            group = doc.spans.get(self.cfg["spans_key"], ())
            text = doc.text if group else ""
            defined = self._defined(text, group) if group else {}
            places = [mention_offsets(group, span) for span in group]
            rows.append([defined.get(place) for place in places])
            for column, (start, end) in enumerate(places):
                if (start, end) not in defined:
                    asked.append((number, column))
                    mentions.append(Mention(text, start, end, number))
        for (row, column), answer in zip(asked, self._resolve(mentions), strict=True):
            rows[row][column] = answer
        return rows  # type: ignore[return-value]  # no None is left

    def _resolve(self, mentions: list[Mention]) -> list[Resolution]:
        """AcroBERT's answers, all mentions in one go; without any, torch is never imported."""
        if not mentions:
            return []
        scored = self.open().resolve(mentions)
        pairs = zip(mentions, scored, strict=True)
        return [self._decide(mention.acronym, found) for mention, found in pairs]

    def _defined(self, text: str, group: SpanGroup) -> dict[tuple[int, int], Resolution]:
        """The mentions that the document explains itself: as the detector says, else by rules."""
        if not self.cfg["use_definitions"]:
            return {}
        if "definitions" in group.attrs:
            records = ((mention_offsets(group, s), definition_of(group, s)) for s in group)
            parts = [
                (o, defined_words(text, r), r["confidence"]) for o, r in records if r is not None
            ]
        else:
            definitions = find_definitions(text)
            parts = [
                (offsets, definitions[index].words(text), definitions[index].confidence)
                for offsets, index in defined_mentions(text, definitions).items()
            ]
        return {
            offsets: defined_resolution(text[slice(*offsets)], long_form, confidence)
            for offsets, long_form, confidence in parts
        }

    def _decide(self, acronym: str, scored: Sequence[tuple[Candidate, float]]) -> Resolution:
        """The best candidate, or NIL when there is none or it is too unlikely."""
        pairs = tuple(
            (candidate.long_form, float(probability))
            for candidate, probability in scored[: self.cfg["top_k"]]
        )
        best, probability = pairs[0] if pairs else (None, 0.0)
        if best is None or probability < self.cfg["threshold"]:
            return Resolution(acronym, None, probability, "nil", pairs)
        source: Source = "dictionary" if scored[0][0].counts else "document"
        return Resolution(acronym, best, probability, source, pairs)

    def set_annotations(self, docs: Iterable[Doc], resolutions: list[list[Resolution]]) -> None:
        """Write the long forms to the spans' `kb_id_`, and all else to the group's `attrs`."""
        for doc, answers in zip(docs, resolutions, strict=True):
            write_answers(doc, self.cfg["spans_key"], RESOLUTIONS, answers)

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
        examples name, see `modeling/learnt.py`; the encoder stays as it is, and the rest of the
        evidence is constant. `drop` has no effect.
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
        return self._loss(scores, self._ask(examples))

    def _loss(
        self, scores: list[Floats1d], questions: "list[Question]"
    ) -> tuple[float, list[Floats1d]]:
        from ..modeling.questions import cross_entropy

        loss, gradients = cross_entropy(scores, questions)
        return loss, gradients

    def _ask(self, examples: Iterable[Example]) -> "list[Question]":
        from ..modeling.questions import ask

        return ask(self.open(), *labelled_mentions(examples, self.cfg["spans_key"]))

    def initialize(
        self, get_examples: Callable[[], Iterable[Example]], *, nlp: Language | None = None
    ) -> None:
        """Check that the examples hold something to learn.

        Raises InputError when no reference span has a `kb_id_` that is one of its candidates.
        """
        validate_get_examples(get_examples, "AcroBERTLinker.initialize")
        examples = list(islice(get_examples(), 100))
        if examples and not self._ask(examples):
            raise InputError(
                f"{self.name}: none of the first {len(examples)} examples has anything to learn. "
                f"Expected spans in reference.spans['{self.cfg['spans_key']}'] whose kb_id_ is "
                "a long form that the dictionary has for the acronym; add those that it lacks."
            )
        self.model.initialize()

    def score(self, examples: Iterable[Example], **kwargs: Any) -> dict[str, Any]:
        """Score the answers at the reference's mentions, wherever the pipeline found others."""
        if self.cfg["use_gold_spans"]:
            examples = [with_gold_spans(one, self.cfg["spans_key"]) for one in examples]
            docs = [example.predicted for example in examples]
            self.set_annotations(docs, self.predict(docs))
        scores: dict[str, Any] = super().score(examples, **kwargs)
        return scores

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """Settings, weights and the dictionary's own entries; the dictionary goes by its path."""
        parts = {
            "cfg": lambda: srsly.json_dumps(self.cfg),
            "vocab": lambda: self.vocab.to_bytes(exclude=exclude),
            "model": self.model.to_bytes,
            "dictionary": self._dictionary.to_bytes,
        }
        return util.to_bytes(parts, exclude)

    def from_bytes(self, data: bytes, *, exclude: Iterable[str] = ()) -> "AcroBERTLinker":
        """Read what `to_bytes` wrote; raises FormatError if the dictionary is another one now."""
        self._disambiguator = None
        parts = {
            "cfg": lambda b: self.cfg.update(srsly.json_loads(b)),
            "vocab": lambda b: self.vocab.from_bytes(b, exclude=exclude),
            "model": self.model.from_bytes,
            "dictionary": self._dictionary.from_bytes,
        }
        util.from_bytes(data, parts, exclude)
        return self

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Write all that the component needs: it then depends on no other file."""
        parts = {
            "cfg": lambda p: write_json(p, self.cfg),
            "vocab": lambda p: self.vocab.to_disk(p, exclude=exclude),
            "model": self.model.shims[0].to_disk,
            "dictionary": self._dictionary.to_disk,
        }
        util.to_disk(path, parts, exclude)

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> "AcroBERTLinker":
        """Read what `to_disk` wrote; raises FormatError if a file is damaged or another's."""
        self._disambiguator = None
        parts: dict[str, Callable[[Path], Any]] = {
            "cfg": lambda p: self.cfg.update(srsly.read_json(p)),
            "vocab": lambda p: self.vocab.from_disk(p, exclude=exclude),
            "model": self.model.shims[0].from_disk,
            "dictionary": self._dictionary.from_disk,
        }
        util.from_disk(path, parts, exclude)
        return self
