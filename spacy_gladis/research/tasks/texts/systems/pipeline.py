"""The systems `pipeline` and `together`: this package's pipeline, applied to whole texts.

`pipeline` processes each text alone. `together` also uses the definitions in the other texts of the
same repository.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

import typer
from spacy.language import Language
from spacy.tokens import Doc

from .....dictionary.folder_definitions import FolderDefinitions
from .....pipeline.annotations import DOCUMENT, mentions_of
from .....pipeline.learn import linker_of
from .....pipeline.load import load_pipeline
from ....datasets.texts import LabelledText
from ...options import Cache, DictionaryFile, Model
from ..data import Answers
from ..folders import collect_from_others
from ..system import SYSTEMS, TextsSystem

ALL_CANDIDATES = 1_000_000
"""Value of the pipeline's setting `top_k` that keeps all candidates."""

BATCH = 32
"""Number of texts that the pipeline processes in one batch."""


@SYSTEMS.register(
    "together",
    "The pipeline, with the definitions in other texts of the repository.",
    "ours",
    together=True,
)
@SYSTEMS.register("pipeline", "The pipeline with its defaults, for each text alone.", "ours")
@dataclass
class Pipeline(TextsSystem):
    """Finds and resolves the acronyms in texts with this package's pipeline.

    Attributes:
        model: Folder of a saved pipeline, or of AcroBERT's weights. None for the packaged weights.
        dictionary: Path of the dictionary. None for the packaged dictionary.
        threshold: Probability, 0..1, below which an acronym is not resolved (NIL). None for the
            threshold of the pipeline.
        cache: Folder in which the vectors of long forms are kept between runs. None for no cache.
        together: Whether to use definitions in other texts of the same repository.
    """

    model: Model = None
    dictionary: DictionaryFile = None
    threshold: Annotated[
        float | None,
        typer.Option(min=0, max=1, help="Probability, 0 to 1, below which the answer is NIL."),
    ] = None
    cache: Cache = None
    together: bool = False

    def fit(self, training: None) -> None:
        """Load the pipeline that finds and resolves acronyms. Nothing is trained.

        Args:
            training: Not used, because the pipeline is not trained.
        """
        self._nlp = load_pipeline(
            self.model,
            dictionary=self.dictionary,
            threshold=self.threshold,
            top_k=ALL_CANDIDATES,
        )
        if self.cache is not None:
            linker_of(self._nlp).configure(cache=str(self.cache))
            linker_of(self._nlp).open()

    def predict(self, questions: Sequence[LabelledText]) -> list[Answers]:
        """Find the acronyms in each text, and resolve them.

        Args:
            questions: Texts without their gold mentions.

        Returns:
            The mentions in each text with their resolutions, which contain all candidates.
        """
        if self.together:
            docs = annotate_together(self._nlp, questions)
        else:
            docs = self._nlp.pipe((text.text for text in questions), batch_size=BATCH)
        return [mentions_of(doc, parts=True) for doc in docs]


def annotate_together(nlp: Language, texts: Sequence[LabelledText]) -> Iterator[Doc]:
    """Annotate texts with the help of definitions from other texts of the same repository.

    The definitions from the text itself are left out, unlike with `learn`. A text without a
    repository is annotated alone.

    Args:
        nlp: Pipeline with a linker. The linker's folder definitions are replaced, and empty at the
            end.
        texts: Texts of one or more repositories.

    Yields:
        The annotated document of each text, in the order of the texts.
    """
    linker = linker_of(nlp)
    for text, definitions in zip(texts, collect_from_others(nlp, texts), strict=True):
        linker.folder_definitions = definitions
        doc = nlp.make_doc(text.text)
        doc.user_data[DOCUMENT] = text.name
        yield nlp(doc)
    linker.folder_definitions = FolderDefinitions()
