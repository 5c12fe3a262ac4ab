"""The component `concept_linker`, which links phrases to the concepts of an inventory."""

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
from .dictionaries import is_being_loaded
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
    """Pipeline component that links the phrases in `doc.spans` to the concepts of an inventory.

    The spans can come from any component. The `kb_id_` of a span becomes the id of its concept, or
    NIL if the probability is below the threshold. `span._.concept_link` has the preferred name of
    the concept, the probability and the other candidates. The component opens the inventory and the
    weights at first use.
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
        """Initialize the linker with its settings.

        Args:
            nlp: The pipeline to which the linker belongs.
            name: Name of the component in the pipeline, which error messages mention.
            model: A thinc model of the architecture `spacy-gladis.AcroBERT.v1`, whose encoder
                compares names.
            inventory: Path of an inventory file that `spacy-gladis concepts build` wrote. Without
                one, `open` and the first prediction raise an error.
            spans_key: Key under which `doc.spans` holds the phrases.
            threshold: Minimum probability of an answer, between 0 and 1. Below it, the answer is
                NIL.
            top_k: Number of candidates that each answer keeps with their probabilities.
            scorer: Function that `nlp.evaluate` and `score` call on examples. None computes no
                scores.

        Raises:
            InputError: If a setting is out of range or the inventory doesn't exist.
        """
        self.model = model
        self.scorer = scorer
        cfg = {"spans_key": spans_key, "threshold": threshold, "top_k": top_k}
        self._begin(nlp, name, cfg)
        self._inventory = LinkerInventory(inventory)
        if not is_being_loaded(nlp, name):  # a saved pipeline has a copy of its file
            self._inventory.check(name)
        self._ranker: Any = None

    def configure(self, *, inventory: str | None = None, **settings: Any) -> None:
        """Change the settings of an existing linker, such as the threshold of a loaded pipeline.

        Args:
            inventory: Path of another inventory. None keeps the present one.
            **settings: Other settings by name, as documented for `__init__`.

        Raises:
            InputError: If a setting is unknown or out of range, or the inventory doesn't exist.
                Nothing is changed then.
        """
        self._check(settings)
        if inventory is not None:
            opened = LinkerInventory(inventory)
            opened.check(self.name)
            self._inventory, self._ranker = opened, None
        self.cfg.update(settings)

    @property
    def inventory(self) -> Inventory:
        """The inventory with the concepts and their names, opened at first use."""
        return self._inventory.open()

    def open(self) -> Any:
        """Load the inventory and the weights if they aren't loaded yet.

        The first prediction calls this method. Call it yourself to report a missing or damaged file
        when your program starts.

        Returns:
            The `ConceptRanker` that ranks concepts. Each call returns the same object until the
            inventory changes.

        Raises:
            InputError: If the inventory or the weights don't exist.
            FormatError: If the inventory or the weights are damaged.
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
        """Link the phrases of each document to concepts without changing the documents.

        Args:
            docs: The documents, which hold the phrases under the setting `spans_key`.

        Returns:
            For each document, a link for each span, in the order of the spans.
        """
        rows: list[list[ConceptMention]] = []
        for number, doc in enumerate(docs):
            group = current_group(doc, self.cfg["spans_key"])
            text = doc.text if group else ""
            places = [place_of(span) for span in group or ()]
            row = [ConceptMention(text[a:b], (), text, a, str(number)) for a, b in places]
            rows.append(row)
        mentions = [mention for row in rows for mention in row]
        if not mentions:  # avoids loading the weights
            return [[] for _ in rows]
        ranked = iter(self.open().rank(mentions, self.cfg["top_k"]))
        return [[self._decide(mention, next(ranked)) for mention in row] for row in rows]

    def _decide(self, mention: ConceptMention, ranked: list[tuple[int, float]]) -> ConceptLink:
        """Return a link to the best concept, or to NIL if no concept reaches the threshold."""
        candidates = tuple(
            ConceptCandidate(
                self.inventory.ids[number], self.inventory.preferred_name(number), probability
            )
            for number, probability in ranked
        )
        probability = candidates[0].probability if candidates else 0.0
        if not candidates or probability < self.cfg["threshold"]:
            return ConceptLink(mention.phrase, None, None, probability, candidates)
        best = candidates[0]
        return ConceptLink(mention.phrase, best.concept, best.name, probability, candidates)

    def update(
        self, examples: Iterable[Example], *, losses: dict[str, float] | None = None, **_: Any
    ) -> dict[str, float]:
        """Accept training examples for other components without learning from them.

        Args:
            examples: The examples, which must not have linked phrases.
            losses: A mapping from component names to losses. None creates an empty one.

        Returns:
            The losses, unchanged.

        Raises:
            InputError: If an example has linked phrases, because this component can't learn from
                them.
        """
        examples = list(examples)
        validate_examples(examples, "ConceptLinker.update")
        self._refuse(examples)
        return {} if losses is None else losses

    def initialize(
        self, get_examples: Callable[[], Iterable[Example]], *, nlp: Language | None = None
    ) -> None:
        """Check that the examples contain no linked phrases, which this component can't learn from.

        Args:
            get_examples: Function that returns the training examples. The first 100 are checked.
            nlp: The pipeline. It has no effect.

        Raises:
            InputError: If an example has linked phrases.
        """
        validate_get_examples(get_examples, "ConceptLinker.initialize")
        self._refuse(islice(get_examples(), 100))

    def _refuse(self, examples: Iterable[Example]) -> None:
        key = self.cfg["spans_key"]
        spans = (span for example in examples for span in example.reference.spans.get(key, ()))
        if any(span.kb_id_ not in ("", NIL) for span in spans):
            raise InputError(
                f"{self.name} does not learn from the linked phrases in examples. Add these "
                "phrases to the inventory as names of their concepts with 'spacy-gladis concepts "
                f"build'. To train other components, add '{self.name}' to frozen_components, or "
                "disable it with nlp.select_pipes."
            )


class LinkerInventory(SavedFile):
    """An inventory of concepts that is opened at first use and saved together with its component.

    Attributes:
        path: Path of the inventory file. None if no file was given.
    """

    FILE, STATE, KIND = "inventory.concepts", "inventory.json", "inventory"

    def __init__(self, path: str | None = None) -> None:
        """Store the path of the inventory without opening it.

        Args:
            path: Path of an inventory file that `spacy-gladis concepts build` wrote. With None,
                `open` raises an error.
        """
        self.path = path
        self._opened: Inventory | None = None

    def open(self) -> Inventory:
        """Open the inventory if necessary and return it.

        Returns:
            The inventory. Each call returns the same object.

        Raises:
            InputError: If there is no path or no such file.
            FormatError: If the file is damaged or has another format.
        """
        if self._opened is None:
            if self.path is None:
                raise InputError(
                    "concept_linker needs an inventory of concepts. Build one with 'spacy-gladis "
                    "concepts build SOURCE... --output FILE', and set the component's setting "
                    "'inventory' to its path."
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
