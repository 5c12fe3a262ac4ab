"""The systems by name: strings (s), neural (n), back-off chains (b) and ours."""

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING

from ...arrays import Floats
from ...concepts import ConceptMention, Inventory
from ...errors import unknown_name
from ..training.start import find_start
from .systems.alignment import AlignmentModel, concatenated
from .systems.backoff import BackOff
from .systems.char_ngrams import CharNgrams
from .systems.dictionary import TrainingDictionary
from .systems.embeddings import Embed, bert, bert_layers, fasttext
from .systems.exact import ExactMatch
from .systems.levenshtein import LevenshteinRatio
from .systems.nearest import NearestLabel, NearestName, label_vectors
from .systems.node2vec import node2vec
from .systems.ours import OurLinker
from .systems.protocol import LinkingSystem
from .systems.quickumls import ApproximateMatch
from .systems.stoilos import Stoilos

if TYPE_CHECKING:
    from ...modeling.acrobert import AcroBERT


Make = Callable[[], LinkingSystem]


def _chain(*parts: Make) -> Make:
    return lambda: BackOff([make() for make in parts])


def systems_over(load: "Callable[[], AcroBERT]") -> dict[str, Make]:
    """What makes each system anew. load: gives the encoder, which is asked for once."""
    load = cache(load)
    once = cache(lambda: bert(load()))

    def vectors(inventory: Inventory, train: Sequence[ConceptMention]) -> Embed:
        return once()(inventory, train)

    def layers(inventory: Inventory, train: Sequence[ConceptMention]) -> Embed:
        return bert_layers(load())

    def labels(inventory: Inventory, train: Sequence[ConceptMention]) -> Floats:
        return label_vectors(inventory, vectors(inventory, train))

    nearest, words = partial(NearestName, vectors), partial(NearestName, fasttext)
    aligned = partial(AlignmentModel, labels, layers)
    return {
        "s.1 dictionary": TrainingDictionary,
        "s.2 exact": ExactMatch,
        "s.3 levenshtein": LevenshteinRatio,
        "s.4 stoilos": Stoilos,
        "s.5 scispacy": CharNgrams,
        "s.6 quickumls": ApproximateMatch,
        "n.1 fasttext": words,
        "n.2 bert": nearest,
        "n.3 layers to labels": aligned,
        "n.4 labels": partial(NearestLabel, vectors),
        "n.5 bert to node2vec": partial(AlignmentModel, node2vec, vectors),
        "n.6 bert to labels and node2vec": partial(
            AlignmentModel, concatenated(labels, node2vec), vectors
        ),
        "b.1 s.1 s.2": _chain(TrainingDictionary, ExactMatch),
        "b.2 s.1 s.2 s.3": _chain(TrainingDictionary, ExactMatch, LevenshteinRatio),
        "b.3 s.1 s.2 s.4": _chain(TrainingDictionary, ExactMatch, Stoilos),
        "b.4 s.1 s.2 s.5": _chain(TrainingDictionary, ExactMatch, CharNgrams),
        "b.5 s.1 s.2 n.1": _chain(TrainingDictionary, ExactMatch, words),
        "b.6 s.1 s.2 n.2": _chain(TrainingDictionary, ExactMatch, nearest),
        "b.7 s.1 s.2 n.3": _chain(TrainingDictionary, ExactMatch, aligned),
        "b.8 s.1 s.4 n.2": _chain(TrainingDictionary, Stoilos, nearest),
        "ours": partial(OurLinker, load),
        "ours-as-it-is": partial(OurLinker, load, aligned=False),
    }


def make_systems(
    names: list[str], base: str | None = None, device: str = "cpu"
) -> dict[str, LinkingSystem]:
    """Systems by name, by its beginning (`s.1`) or its first letter (`s`); "all" is every one.

    base: the encoder of the neural systems and ours, see `find_start`; None: the packaged
    AcroBERT's. device: where it computes. Raises InputError for a name that is none of these, or
    where there is no such encoder.
    """
    start = find_start(base) if base else None  # a misspelt name is told before an hour of work

    def load() -> "AcroBERT":
        from ...modeling.acrobert import AcroBERT

        return AcroBERT.load(start).to(device)

    systems = systems_over(load)
    made: dict[str, LinkingSystem] = {}
    for name in names:
        matching = [one for one in systems if name in ("all", one, one.split()[0], one[0])]
        if not matching:
            raise unknown_name("system", name, ["all", *systems])
        made.update((one, systems[one]()) for one in matching if one not in made)
    return made
