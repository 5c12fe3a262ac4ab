"""AcroBERT fine-tuned on the samples: encoder, memory of senses and weights of the evidence."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from ..corpus.sample import Sample, write_samples
from ..dictionary import Candidate, Dictionary
from ..errors import InputError
from .acrobert import AcroBERTScorer
from .protocol import Scores, Table

if TYPE_CHECKING:
    from ..modeling.acrobert import AcroBERT
    from ..modeling.calibration import Calibration

ALL = 10**6
"""Contexts remembered of a long form: these were labelled, none is left out."""


@dataclass(frozen=True)
class Finetuning:
    """learning_rates: to choose from on the development samples; epochs: of each."""

    learning_rates: tuple[float, ...] = (5e-5,)
    epochs: int = 1


class FinetunedAcroBERT:
    """What `train finetune` makes of AcroBERT, with a memory of the training samples' contexts.

    How much each piece of evidence weighs is fitted on the development samples. table: candidates
    of each acronym, of which the wrong ones are what training tells the right one from. model:
    AcroBERT's folder, None for the packaged one.
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
        self._scorer: AcroBERTScorer | None = None

    def fit(self, samples: Iterable[Sample], development: Iterable[Sample] = ()) -> None:
        """Fine-tune. Raises InputError without samples of either kind."""
        from ..modeling.acrobert import PACKAGED, AcroBERT
        from ..modeling.disambiguator import Disambiguator
        from ..training.calibrate import with_calibration
        from ..training.finetune import FinetuneSettings, finetune
        from ..training.senses import build_senses

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
        tuned.senses = build_senses(tuned, rows, each=ALL, seed=self.seed)
        tuned = with_calibration(tuned, self._weigh(tuned, dictionary, held_out))
        self._scorer = AcroBERTScorer(Disambiguator(tuned, dictionary))

    def predict(
        self, samples: Sequence[Sample], candidates: Sequence[Sequence[Candidate]]
    ) -> Scores:
        """Calibrated probabilities of the candidates."""
        if self._scorer is None:
            raise InputError("AcroBERT must be fine-tuned before it is asked.")
        return self._scorer.predict(samples, candidates)

    def _weigh(
        self, tuned: "AcroBERT", dictionary: Dictionary, samples: Sequence[Sample]
    ) -> "Calibration":
        """The weights of the evidence under which the samples' long forms are likeliest."""
        from ..modeling.calibration import Calibration, fit_calibration
        from ..modeling.disambiguator import Disambiguator, Mention
        from ..training.calibrate import with_calibration

        # From the default weights, in which every piece of evidence is asked for.
        asked = Disambiguator(with_calibration(tuned, Calibration()), dictionary)
        mentions = [
            Mention(sample.acronym, sample.text, sample.start, sample.end, number)
            for number, sample in enumerate(samples)
        ]
        options = [self.table.get(sample.acronym, ()) for sample in samples]
        answers = [
            [row for row, one in enumerate(found) if one.long_form == sample.long_form]
            for sample, found in zip(samples, options, strict=True)
        ]
        return fit_calibration(asked.features(mentions, options), answers)
