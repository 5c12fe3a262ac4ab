"""Systems that mark acronyms with a spaCy pipeline: the untrained detector, or a trained one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import spacy
import typer

from .....errors import InputError
from .....pipeline.annotations import place_of
from ..data import Prediction, Training
from ..system import SYSTEMS, IdentificationSystem, apart

if TYPE_CHECKING:
    from spacy.language import Language


@SYSTEMS.register("acronym_detector", "The detector with its defaults, without training.", "ours")
@dataclass
class Detector(IdentificationSystem):
    """Marks acronyms and long forms with the untrained pipeline component `acronym_detector`.

    The component has its default settings and is the only one in the pipeline.
    """

    def fit(self, training: Training) -> None:
        """Create or load the spaCy pipeline. Nothing is trained.

        Args:
            training: Not used, because the pipeline is not trained here.
        """
        self._nlp = self._load()

    def _load(self) -> "Language":
        nlp = spacy.blank("xx")
        nlp.add_pipe("acronym_detector")
        return nlp

    def predict(self, questions: Sequence[str]) -> Iterator[Prediction]:
        """Mark the acronyms and long forms in texts with the pipeline.

        Args:
            questions: Texts in which acronyms and long forms are looked for.

        Yields:
            The character offsets of the acronyms and long forms of each text, in the order of the
            texts.
        """
        pipe = self._nlp.get_pipe("acronym_detector")
        keys = [pipe.cfg[key] for key in ("spans_key", "long_forms_key")]  # type: ignore[attr-defined]
        for doc in self._nlp.pipe(questions):
            short, long = ({place_of(span) for span in doc.spans[key]} for key in keys)
            yield apart(short, long)


@SYSTEMS.register("pipeline", "A trained spaCy pipeline with a detector.", "ours")
@dataclass
class Trained(Detector):
    """Marks acronyms and long forms with a trained spaCy pipeline.

    Attributes:
        pipeline: Folder of the pipeline, which must have the component `acronym_detector`.
    """

    pipeline: Annotated[
        Path, typer.Option(help="Folder of a trained pipeline with the component acronym_detector.")
    ]

    def _load(self) -> "Language":
        try:
            nlp = spacy.load(self.pipeline)
        except (OSError, ValueError) as error:
            message = f"{self.pipeline} is not a pipeline that spaCy can load: {error}"
            raise InputError(message) from error
        if "acronym_detector" not in nlp.pipe_names:
            pipes = ", ".join(nlp.pipe_names) or "nothing"
            raise InputError(
                f"The pipeline {self.pipeline} has no acronym_detector. Its components: {pipes}."
            )
        return nlp
