"""AcroBERT fine-tuned on the samples: encoder, context centroids, then `Combined` with BM25."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from ....dictionary import Dictionary
from ....errors import InputError
from ...datasets.sample import Sample, write_samples
from .combined import Combined
from .protocol import Baseline, Candidates, Scores, Table

ALL = 10**6
"""Contexts in a long form's centroid: these were labelled, none is left out."""


@dataclass(frozen=True)
class Finetuning:
    """learning_rates: to choose from on the development samples; epochs: of each."""

    learning_rates: tuple[float, ...] = (5e-5,)
    epochs: int = 1


class FinetunedAcroBERT(Baseline):
    """What `train finetune` makes of AcroBERT, with context centroids of the training samples.

    How much each piece of evidence weighs, BM25's among it, is fitted on the development samples.
    table: candidates of each acronym, of which the wrong ones are what training tells the right one
    from. model: AcroBERT's folder, None for the packaged one.
    """

    def __init__(
        self,
        table: Table,
        model: Path | None = None,
        seed: int = 0,
        *,
        training: Finetuning | None = None,
    ) -> None:
        self.table, self.model, self.seed = table, model, seed
        self.training = training or Finetuning()
        self._combined: Combined | None = None

    def fit(self, samples: Iterable[Sample], development: Iterable[Sample] = ()) -> None:
        """Fine-tune. Raises InputError without samples of either kind."""
        from ....modeling.acrobert import PACKAGED, AcroBERT
        from ...training.centroids import build_centroids
        from ...training.finetune import FinetuneSettings, finetune

        rows, held_out = list(samples), list(development)
        entries = {name: [one.long_form for one in found] for name, found in self.table.items()}
        if not rows or not held_out:
            raise InputError("Fine-tuning learns from labelled samples, and chooses on others.")
        settings = FinetuneSettings(
            self.training.learning_rates, self.training.epochs, seed=self.seed
        )
        with TemporaryDirectory(prefix="spacy-gladis-") as folder:
            paths = {name: Path(folder) / name for name in ("train.json", "dev.json", "table.json")}
            write_samples(paths["train.json"], rows)
            write_samples(paths["dev.json"], held_out)
            paths["table.json"].write_text(json.dumps(entries), "utf8")
            dictionary = Dictionary.open(paths["table.json"])
            run = Path(folder) / "run"
            finetune(
                self.model or PACKAGED,
                paths["train.json"],
                paths["dev.json"],
                dictionary,
                run,
                settings,
            )
            tuned = AcroBERT.load(run / "model")
        tuned.centroids = build_centroids(tuned, rows, each=ALL, seed=self.seed)
        self._combined = Combined(self.table, tuned)
        self._combined.fit(rows, held_out)

    def predict(self, samples: Sequence[Sample], candidates: Candidates) -> Scores:
        """Probabilities of each sample's candidates, which sum to 1."""
        if self._combined is None:
            raise InputError("AcroBERT must be fine-tuned before it is asked.")
        return self._combined.predict(samples, candidates)
