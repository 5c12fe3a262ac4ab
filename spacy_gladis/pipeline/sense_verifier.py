"""The component `sense_verifier`: finds words of which one sense is known, and asks if it is this.

For a graph that knows one sense of a word: the island Java, but no programming language.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import srsly
from spacy import util
from spacy.language import Language
from spacy.matcher import PhraseMatcher
from spacy.pipeline.pipe import Pipe
from spacy.tokens import Doc, Span, SpanGroup

from ..files import write_json
from ..rules import Mention
from ..settings import check_settings
from .batches import annotate_batches
from .resolution import NIL
from .span_groups import span_key
from .verify import Sense, verify_all

SENSES = "senses"
LABEL = "SENSE"

Found = list[tuple[Span, float]]


@Language.factory(
    "sense_verifier",
    assigns=["doc.spans"],
    default_config={
        "senses": {},
        "spans_key": SENSES,
        "threshold": 0.5,
        "ignore_case": False,
        "model": None,
    },
)
class SenseVerifier(Pipe):
    """Marks every mention of the words it has a sense for, with the probability of that sense.

    `doc.spans["senses"]` holds the mentions: `kb_id_` is the word as it is in `senses` where the
    sense is likely enough, else NIL; `attrs["probabilities"]` says how likely, by "start:end"
    (characters).
    """

    def __init__(
        self,
        nlp: Language,
        name: str = "sense_verifier",
        *,
        senses: Mapping[str, Any],
        spans_key: str = SENSES,
        threshold: float = 0.5,
        ignore_case: bool = False,
        model: str | None = None,
    ) -> None:
        """Set up; weights are read when the first mention is found.

        senses: by word, a long form or a mapping with `long_form`, `definition`, `hypernyms`.
        spans_key: key of `doc.spans` for the mentions.
        threshold: the probability, 0..1, below which the answer is NIL.
        ignore_case: find words in any case.
        model: a folder of AcroBERT's weights; None: packaged.
        Raises InputError for a sense without words or a threshold out of range.
        """
        self.name = name
        self.vocab = nlp.vocab
        self._tokenizer = nlp.make_doc
        self.cfg: dict[str, Any] = {
            "senses": dict(senses),
            "spans_key": spans_key,
            "threshold": threshold,
            "ignore_case": ignore_case,
            "model": model,
        }
        self._prepare()

    def _prepare(self) -> None:
        """Check the settings, and make of them what finds the words."""
        check_settings(self.cfg, self.name)
        self._senses = {
            word: Sense.of(given, f"{self.name}, '{word}'")
            for word, given in self.cfg["senses"].items()
        }
        self._matcher = PhraseMatcher(
            self.vocab, attr="LOWER" if self.cfg["ignore_case"] else "ORTH"
        )
        for word in self._senses:
            self._matcher.add(word, [self._tokenizer(word)])

    def __call__(self, doc: Doc) -> Doc:
        """Verify the senses of one document's words, in place."""
        return next(self.pipe([doc]), doc)

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:
        """Verify the senses in a stream of documents in place, `batch_size` together."""
        yield from annotate_batches(self, stream, batch_size)

    def predict(self, docs: Iterable[Doc]) -> list[Found]:
        """The mentions of each document with the probability that each has its sense."""
        rows = [self._mentions(doc) for doc in docs]
        questions = [
            (Mention(span.doc.text, span.start_char, span.end_char), self._senses[span.kb_id_])
            for spans in rows
            for span in spans
        ]
        shares = iter(verify_all(questions, self.cfg["model"]))
        return [[(span, next(shares)) for span in spans] for spans in rows]

    def _mentions(self, doc: Doc) -> list[Span]:
        """The words found; where two overlap, the longer."""
        found = [
            Span(doc, start, end, label=LABEL, kb_id=self.vocab.strings[key])
            for key, start, end in self._matcher(doc)
        ]
        return util.filter_spans(found)

    def set_annotations(self, docs: Iterable[Doc], rows: list[Found]) -> None:
        """Write the mentions to `doc.spans` and their probabilities to the group's `attrs`."""
        for doc, found in zip(docs, rows, strict=True):
            spans = [
                span
                if share >= self.cfg["threshold"]
                else Span(doc, span.start, span.end, label=LABEL, kb_id=NIL)
                for span, share in found
            ]
            shares = {span_key(span): share for span, share in found}
            key = self.cfg["spans_key"]
            doc.spans[key] = SpanGroup(doc, name=key, spans=spans, attrs={"probabilities": shares})

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """The settings; the weights go by their path."""
        return util.to_bytes({"cfg": lambda: srsly.json_dumps(self.cfg)}, exclude)

    def from_bytes(self, data: bytes, *, exclude: Iterable[str] = ()) -> "SenseVerifier":
        """Read what `to_bytes` wrote."""
        util.from_bytes(
            data, {"cfg": lambda part: self.cfg.update(srsly.json_loads(part))}, exclude
        )
        self._prepare()
        return self

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Write the settings."""
        util.to_disk(path, {"cfg": lambda file: write_json(file, self.cfg)}, exclude)

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> "SenseVerifier":
        """Read what `to_disk` wrote."""
        util.from_disk(path, {"cfg": lambda file: self.cfg.update(srsly.read_json(file))}, exclude)
        self._prepare()
        return self
