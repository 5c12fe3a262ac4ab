"""The systems by name: strings (s), neural (n), back-off chains (b) and ours."""

from collections.abc import Callable, Sequence

from ...concepts import Inventory
from ...concepts.mention import ConceptMention
from ...errors import unknown_name
from .systems.alignment import AlignmentModel, concatenated
from .systems.backoff import BackOff
from .systems.char_ngrams import CharNgrams
from .systems.dictionary import TrainingDictionary
from .systems.embeddings import Floats, bert, fasttext
from .systems.exact import ExactMatch
from .systems.levenshtein import LevenshteinRatio
from .systems.nearest import NearestLabel, NearestName, label_vectors
from .systems.node2vec import node2vec
from .systems.ours import OurLinker
from .systems.protocol import LinkingSystem
from .systems.quickumls import ApproximateMatch
from .systems.stoilos import Stoilos


def _chain(*parts: Callable[[], LinkingSystem]) -> Callable[[], LinkingSystem]:
    return lambda: BackOff([make() for make in parts])


def _labels(inventory: Inventory, train: Sequence[ConceptMention]) -> Floats:
    return label_vectors(inventory, bert(inventory, train))


def _graph(inventory: Inventory, train: Sequence[ConceptMention]) -> Floats:
    return node2vec(inventory)


SYSTEMS: dict[str, Callable[[], LinkingSystem]] = {
    "s.1 dictionary": TrainingDictionary,
    "s.2 exact": ExactMatch,
    "s.3 levenshtein": LevenshteinRatio,
    "s.4 stoilos": Stoilos,
    "s.5 scispacy": CharNgrams,
    "s.6 quickumls": ApproximateMatch,
    "n.1 fasttext": lambda: NearestName(fasttext),
    "n.2 bert": lambda: NearestName(bert),
    "n.3 layers to labels": lambda: AlignmentModel(_labels),
    "n.4 labels": lambda: NearestLabel(bert),
    "n.5 bert to node2vec": lambda: AlignmentModel(_graph, bert),
    "n.6 bert to labels and node2vec": lambda: AlignmentModel(concatenated(_labels, _graph), bert),
    "b.1 s.1 s.2": _chain(TrainingDictionary, ExactMatch),
    "b.2 s.1 s.2 s.3": _chain(TrainingDictionary, ExactMatch, LevenshteinRatio),
    "b.3 s.1 s.2 s.4": _chain(TrainingDictionary, ExactMatch, Stoilos),
    "b.4 s.1 s.2 s.5": _chain(TrainingDictionary, ExactMatch, CharNgrams),
    "b.5 s.1 s.2 n.1": _chain(TrainingDictionary, ExactMatch, lambda: NearestName(fasttext)),
    "b.6 s.1 s.2 n.2": _chain(TrainingDictionary, ExactMatch, lambda: NearestName(bert)),
    "b.7 s.1 s.2 n.3": _chain(TrainingDictionary, ExactMatch, lambda: AlignmentModel(_labels)),
    "b.8 s.1 s.4 n.2": _chain(TrainingDictionary, Stoilos, lambda: NearestName(bert)),
    "ours": OurLinker,
}


def make_systems(names: list[str]) -> dict[str, LinkingSystem]:
    """Systems by name, by its beginning (`s.1`) or its first letter (`s`); "all" is every one.

    Raises InputError for a name that is none of these.
    """
    made: dict[str, LinkingSystem] = {}
    for name in names:
        matching = [one for one in SYSTEMS if name in ("all", one, one.split()[0], one[0])]
        if not matching:
            raise unknown_name("system", name, ["all", *SYSTEMS])
        made.update((one, SYSTEMS[one]()) for one in matching if one not in made)
    return made
