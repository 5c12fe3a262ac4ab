"""AcroBERT fine-tuned on the samples: encoder, context centroids, then `Combined` with BM25."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from ....dictionary import Dictionary
from ....errors import InputError
from ....modeling.acrobert import PACKAGED, AcroBERT
from ...datasets.sample import Sample, write_samples
from ...training.centroids import build_centroids
from ...training.finetune import FinetuneSettings, finetune
from ...training.start import find_start
from .combined import Combined
from .protocol import Baseline, Candidates, Scores, Table

ALL = 10**6
"""Contexts in a long form's centroid: these were labelled, none is left out."""


LEARNING_RATE, EPOCHS = 5e-5, 1


class FinetunedAcroBERT(Baseline):
    """What `train finetune` makes of AcroBERT, with context centroids of the training samples.

    How much each piece of evidence weighs, BM25's among it, is fitted on the development samples.
    table: candidates of each acronym, of which the wrong ones are what training tells the right one
    from. model: AcroBERT's folder, None for the packaged one. bert: another encoder to start from,
    BERT or MPNet, as `find_start` takes it.
    """

    def __init__(
        self, table: Table, model: Path | None = None, bert: str | None = None, seed: int = 0
    ) -> None:
        self.table, self.model, self.seed = table, model or PACKAGED, seed
        self.encoder = find_start(bert) if bert else None

    def fit(self, samples: Iterable[Sample], development: Iterable[Sample] = ()) -> None:
        """Fine-tune. Raises InputError without samples of either kind."""
        rows, held_out = list(samples), list(development)
        entries = {name: [one.long_form for one in found] for name, found in self.table.items()}
        if not rows or not held_out:
            raise InputError("Fine-tuning learns from labelled samples, and chooses on others.")
        settings = FinetuneSettings((LEARNING_RATE,), EPOCHS, seed=self.seed)
        with TemporaryDirectory(prefix="spacy-gladis-") as folder:
            train, dev, table = (Path(folder) / f"{one}.json" for one in ("train", "dev", "table"))
            write_samples(train, rows)
            write_samples(dev, held_out)
            table.write_text(json.dumps(entries), "utf8")
            run, model = Path(folder) / "run", self.model
            if self.encoder:
                model = Path(folder) / "start"
                AcroBERT.load(self.encoder).save(model)
            finetune(model, train, dev, Dictionary.open(table), run, settings)
            tuned = AcroBERT.load(run / "model")
        tuned.centroids = build_centroids(tuned, rows, each=ALL, seed=self.seed)
        self._combined = Combined(self.table, tuned)
        self._combined.fit(rows, held_out)

    def predict(self, samples: Sequence[Sample], candidates: Candidates) -> Scores:
        """Probabilities of each sample's candidates, which sum to 1."""
        return self._combined.predict(samples, candidates)
