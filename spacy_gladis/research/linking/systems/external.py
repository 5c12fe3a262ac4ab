"""Another program's answers, such as those of cTAKES, QuickUMLS or MetaMap."""

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from ....concepts import Inventory
from ....concepts.mention import ConceptMention
from ....documents.lines import read_lines
from ....problem import Problem, Report, log_problem
from .protocol import Ranking


class ExternalAnswers:
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

    def fit(
        self,
        inventory: Inventory,
        train: Sequence[ConceptMention],
        dev: Sequence[ConceptMention],
    ) -> None:
        """Nothing to learn; ids that the inventory does not have are left out."""
        self._inventory = inventory

    def rank(self, mentions: Sequence[ConceptMention], k: int) -> list[Ranking]:
        """The program's answers by their scores, those of one score in the file's order."""
        return [self._rank(one.phrase.lower(), k) for one in mentions]

    def _rank(self, phrase: str, k: int) -> Ranking:
        ranking: dict[int, float] = {}
        for id, score in sorted(self._answers.get(phrase, ()), key=lambda pair: -pair[1]):
            concept = self._inventory.find(id)
            if concept is not None:
                ranking.setdefault(concept, score)
        return list(ranking.items())[:k]
