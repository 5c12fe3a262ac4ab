"""The component `concept_linker`: links phrases to the concepts of an inventory."""

from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path
from typing import Any

from spacy.language import Language
from spacy.pipeline.pipe import Pipe
from spacy.tokens import Doc
from spacy.training import Example, validate_examples, validate_get_examples
from thinc.api import Model
from thinc.types import Floats1d

from ..concepts import ConceptMention, Inventory
from ..errors import InputError
from ..files import writing
from ..resolution import NIL, ConceptCandidate, ConceptLink
from .annotations import current_group, place_of
from .component import DEFAULT_MODEL, Scorer, SpanLinker
from .linker_dictionary import is_being_loaded
from .saved_file import SavedFile

TERMS = "terms"


@Language.factory(
    "concept_linker",
    requires=["doc.spans"],
    assigns=["doc.spans"],
    default_config={
        "model": DEFAULT_MODEL,
        "scorer": {"@scorers": "spacy-gladis.concept_linker_scorer.v1"},
    },
    default_score_weights={"concept_accuracy": 1.0, "concept_recall": 0.0},
)
class ConceptLinker(SpanLinker, Pipe):
    """Links the phrases in `doc.spans`, whoever put them there, to the concepts of an inventory.

    A span's `kb_id_` becomes its concept's id, or NIL below the threshold; `span._.concept_link`
    has the preferred name, the probability and the other candidates.
    """

    def __init__(
        self,
        nlp: Language,
        name: str = "concept_linker",
        *,
        model: Model[list[Any], list[Floats1d]],
        inventory: str | None = None,
        spans_key: str = TERMS,
        threshold: float = 0.5,
        top_k: int = 5,
        scorer: Scorer | None = None,
    ) -> None:
        """Set up without reading anything: inventory and weights are opened at first use.

        model: the architecture `spacy-gladis.AcroBERT.v1`, whose encoder compares names.
        inventory: a file that 'spacy-gladis concepts build' wrote.
        spans_key: key of `doc.spans` with the phrases.
        threshold: the probability, 0..1, below which the answer is NIL.
        top_k: how many candidates are kept with their probabilities.
        Raises InputError when a setting is out of range or the inventory is not there.
        """
        self.model = model
        self.scorer = scorer
        cfg = {"spans_key": spans_key, "threshold": threshold, "top_k": top_k}
        self._begin(nlp, name, cfg)
        self._inventory = LinkerInventory(inventory)
        if not is_being_loaded(nlp, name):  # a saved pipeline has its file in its own folder
            self._inventory.check(name)
        self._ranker: Any = None

    def configure(self, *, inventory: str | None = None, **settings: Any) -> None:
        """Change settings of a component that is there, such as a loaded pipeline's threshold.

        inventory: another inventory. settings: as `__init__` has them. Raises InputError when one
        is unknown or out of range; nothing is changed then.
        """
        self._check(settings)
        if inventory is not None:
            wanted = LinkerInventory(inventory)
            wanted.check(self.name)
            self._inventory, self._ranker = wanted, None
        self.cfg.update(settings)

    @property
    def inventory(self) -> Inventory:
        """The inventory, opened at first use."""
        return self._inventory.open()

    def open(self) -> Any:
        """Read the inventory and the weights, if that is not done; the first use does the same.

        Returns what ranks the concepts, a ConceptRanker. Raises InputError or
        FormatError where a file is missing or damaged.
        """
        if self._ranker is None:
            from ..linking.concepts.evidence import EvidenceFinder, LinkedNames, NameVectors
            from ..linking.concepts.ranker import ConceptRanker

            names, vectors = LinkedNames(self.inventory), NameVectors(self._weights.acrobert)
            self._ranker = ConceptRanker(EvidenceFinder(names, vectors))
        return self._ranker

    def _parts(self, *, reading: bool) -> dict[str, Any]:
        return {"model": self._weights, "inventory": self._inventory}

    def _changed(self) -> None:
        self._ranker = None

    def predict(self, docs: Iterable[Doc]) -> list[list[ConceptLink]]:
        """Link the spans of each document, in order, and leave the documents as they are."""
        rows: list[list[ConceptMention]] = []
        for number, doc in enumerate(docs):
            group = current_group(doc, self.cfg["spans_key"])
            text = doc.text if group else ""
            places = [place_of(span) for span in group or ()]
            row = [ConceptMention(text[a:b], (), text, a, str(number)) for a, b in places]
            rows.append(row)
        mentions = [mention for row in rows for mention in row]
        if not mentions:  # without any, the weights are never read
            return [[] for _ in rows]
        ranked = iter(self.open().rank(mentions, self.cfg["top_k"]))
        return [[self._decide(mention, next(ranked)) for mention in row] for row in rows]

    def _decide(self, mention: ConceptMention, ranked: list[tuple[int, float]]) -> ConceptLink:
        """The best concept, or NIL when there is none or it is too unlikely."""
        candidates = tuple(
            ConceptCandidate(
                self.inventory.ids[one], self.inventory.preferred_name(one), probability
            )
            for one, probability in ranked
        )
        probability = candidates[0].probability if candidates else 0.0
        if not candidates or probability < self.cfg["threshold"]:
            return ConceptLink(mention.phrase, None, None, probability, candidates)
        best = candidates[0]
        return ConceptLink(mention.phrase, best.concept, best.name, probability, candidates)

    def update(
        self, examples: Iterable[Example], *, losses: dict[str, float] | None = None, **_: Any
    ) -> dict[str, float]:
        """Leave examples for other components alone.

        Raises InputError for examples with linked phrases: there is nothing here that learns.
        """
        examples = list(examples)
        validate_examples(examples, "ConceptLinker.update")
        self._refuse(examples)
        return {} if losses is None else losses

    def initialize(
        self, get_examples: Callable[[], Iterable[Example]], *, nlp: Language | None = None
    ) -> None:
        """Nothing to initialize; raises InputError for examples with linked phrases."""
        validate_get_examples(get_examples, "ConceptLinker.initialize")
        self._refuse(islice(get_examples(), 100))

    def _refuse(self, examples: Iterable[Example]) -> None:
        key = self.cfg["spans_key"]
        spans = (span for one in examples for span in one.reference.spans.get(key, ()))
        if any(span.kb_id_ not in ("", NIL) for span in spans):
            raise InputError(
                f"{self.name} does not learn from examples: its weights are fitted already. Build "
                "phrases that you have linked into the inventory, as names of their concepts "
                f"('spacy-gladis concepts build'). To train other components, add '{self.name}' "
                "to frozen_components, or disable it with nlp.select_pipes."
            )


class LinkerInventory(SavedFile):
    """Where the inventory is, and the inventory once it is wanted.

    path: a file that 'spacy-gladis concepts build' wrote; None: none was given yet.
    """

    FILE, STATE, KIND = "inventory.concepts", "inventory.json", "inventory"

    def __init__(self, path: str | None = None) -> None:
        self.path = path
        self._opened: Inventory | None = None

    def open(self) -> Inventory:
        """The inventory, the same object each time.

        Raises InputError where none was given or there is no such file, FormatError where it is
        foreign or truncated.
        """
        if self._opened is None:
            if self.path is None:
                raise InputError(
                    "concept_linker needs an inventory of concepts. Make one with 'spacy-gladis "
                    "concepts build SOURCE... --output FILE', and give it as the component's "
                    "setting 'inventory'."
                )
            self._opened = Inventory.open(self.path)
        return self._opened

    def _state(self) -> dict[str, Any]:
        return {"fingerprint": self.open().fingerprint}

    def _restore(self, state: dict[str, Any], path: str | None) -> None:
        opened = Inventory.open(path or "")
        self._check(state["fingerprint"], path, opened.fingerprint)
        self.path, self._opened = path, opened

    def _copy(self, path: Path) -> None:
        source = self.open().path
        assert source is not None  # it was opened from a file
        with writing(path) as temporary:
            temporary.write_bytes(source.read_bytes())
