"""Another program's answers, such as those of cTAKES, QuickUMLS or MetaMap."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from ....concepts import Inventory
from ....documents.lines import read_lines
from ....problem import Problem, Report, log_problem
from .protocol import Mentions, PhraseRanker, Ranking


class ExternalAnswers(PhraseRanker):
    """Reads lines of phrase, concept id and, if there is one, score, with tabs between them."""

    def __init__(self, path: Path, report: Report = log_problem) -> None:
        self._answers: defaultdict[str, list[tuple[str, float]]] = defaultdict(list)
        for number, raw in read_lines(path, report):
            cells = raw.decode("utf-8", "replace").rstrip("\r").split("\t")
            try:
                phrase, id, score = (*cells, "1")[:3]
                self._answers[phrase.lower()].append((id, float(score)))
            except ValueError:
                report(Problem("no answer", str(path), number, str(cells)[:80]))

    def fit(self, inventory: Inventory, train: Mentions, dev: Mentions) -> None:
        """Nothing to learn; ids that the inventory does not have are left out."""
        self._inventory = inventory

    def rank_phrases(self, phrases: Sequence[str], k: int) -> Iterator[Ranking]:
        """The program's answers by their scores, those of one score in the file's order."""
        for phrase in phrases:
            ranking: dict[int, float] = {}
            answers = self._answers.get(phrase.lower(), ())
            for id, score in sorted(answers, key=lambda pair: -pair[1]):
                if (concept := self._inventory.find(id)) is not None:
                    ranking.setdefault(concept, score)
            yield list(ranking.items())[:k]
