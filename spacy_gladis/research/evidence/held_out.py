"""Training texts, and the dictionary as it would be without what a text's own source taught it.

Pairs that annotators found in the training texts, and the glossaries of the documents' authors,
are in the dictionary. A fit on the same texts would learn that the dictionary knows everything.
Each text therefore sees the dictionary without the pairs that only its own source taught.
"""

import json
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ...arrays import Floats
from ...dictionary import Candidate, Dictionary, SourceInfo
from ...documents.lines import read_lines
from ...errors import InputError
from ...linking import Linker
from ...linking.acrobert import AcroBERT
from ...linking.long_form_vectors import LongFormVectors
from ...text.spelling import same_key
from ..datasets.texts import GoldMention, LabelledText
from ..datasets.training_labels import DEFINED, UNKNOWN, read_passages

PASSAGES, DOCUMENTS = "passages", "documents"
"""Names of the two sets of training texts."""

LABELLED, GLOSSARIES = "/labelled_texts", "glossary: project_glossaries"
"""End of the names of the dictionary's sources from labels, and name of that from glossaries."""

_NO_LETTERS = re.compile(r"[\W_]+")


class TrainingText(NamedTuple):
    """A text to fit on.

    Attributes:
        text: The text with its mentions.
        source: Repository or shard that the text is from.
        set_name: `PASSAGES` or `DOCUMENTS`.
    """

    text: LabelledText
    source: str
    set_name: str


def read_training_texts(labels: Path, shared: Path) -> list[TrainingText]:
    """Read the labelled passages, and the documents with their authors' glossaries.

    Args:
        labels: Folder with `labels.tsv` and `corpus_passages.tsv`.
        shared: Folder with the texts: `training/` and `corpus/`.

    Returns:
        The texts.

    Raises:
        InputError: If a file is missing.
        FormatError: If a file is damaged, or a label does not match its text.
    """
    documents = shared / "training" / "documents.jsonl.zst"
    if not documents.is_file():
        raise InputError(
            f"{documents}: no such file. The training texts are not in the repository."
        )
    texts = []
    for passage in read_passages(labels, shared):
        mentions = sorted(
            GoldMention(*span, label.spelling, label.long_forms, "", label.meaning == DEFINED)
            for label in passage.labels
            if label.meaning != UNKNOWN
            for span in label.spans
        )
        text = LabelledText(passage.name, passage.kind, "", passage.text, tuple(mentions))
        texts.append(TrainingText(text, passage.source, PASSAGES))
    for _, raw in read_lines(documents):
        row = json.loads(raw)
        mentions = sorted(
            GoldMention(
                mention["start"],
                mention["end"],
                mention["acronym"],
                tuple(_listed(mention["long_form"])),
                "",
                mention["defined"],
            )
            for mention in row["mentions"]
        )
        name = f"{row['repo']}/{row['path']}"
        text = LabelledText(name, row["field"], row["repo"], row["text"], tuple(mentions))
        texts.append(TrainingText(text, row["repo"], DOCUMENTS))
    return texts


def _listed(long_forms: str | list[str]) -> list[str]:
    return [long_forms] if isinstance(long_forms, str) else long_forms


def _key(acronym: str, long_form: str) -> tuple[str, str]:
    return _NO_LETTERS.sub("", acronym).lower().rstrip("s"), same_key(long_form)


class TaughtPairs:
    """The sources of the training texts and glossaries that taught each pair."""

    def __init__(self, texts: Iterable[TrainingText], glossaries: Path) -> None:
        """Collect the pairs of texts and glossaries.

        Args:
            texts: The training texts.
            glossaries: Table of the authors' glossaries: acronym, long form, field and repository.
        """
        self._sources: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
        for text, source, _ in texts:
            for mention in text.mentions:
                for long_form in mention.long_forms:
                    self._sources[_key(mention.acronym, long_form)].add(source)
        for number, raw in read_lines(glossaries):
            cells = raw.decode("utf8").rstrip("\r\n").split("\t")
            if number > 1 and len(cells) > 3:
                self._sources[_key(cells[0], cells[1])].add(cells[3])

    def is_known_elsewhere(self, acronym: str, long_form: str, source: str) -> bool:
        """Return whether another source than this one taught a pair.

        Args:
            acronym: The acronym.
            long_form: The long form.
            source: The source to leave out.
        """
        return bool(self._sources.get(_key(acronym, long_form), set()) - {source})


class HeldOutDictionary:
    """A `CandidateSource` that leaves out what one source of training texts taught.

    Attributes:
        held_out: The source to leave out.
    """

    def __init__(self, dictionary: Dictionary, pairs: TaughtPairs) -> None:
        """Wrap a dictionary. No source is left out at first.

        Args:
            dictionary: The dictionary.
            pairs: The sources that taught each pair.
        """
        self.dictionary, self.pairs, self.held_out = dictionary, pairs, ""

    @property
    def sources(self) -> Mapping[str, SourceInfo]:
        """Descriptions of the dictionary's sources, by name."""
        return self.dictionary.sources

    @property
    def user_sources(self) -> Collection[str]:
        """Names of the sources of the user's entries."""
        return self.dictionary.user_sources

    @property
    def revision(self) -> int:
        """Number of changes to the entries."""
        return self.dictionary.revision

    def lookup(
        self, acronym: str, sources: Collection[str] | None = None, *, offensive: bool = False
    ) -> list[Candidate]:
        """Find the candidates that the dictionary would have without the held-out source.

        A candidate that only the held-out source taught as a training text, but that other kinds
        of sources know, stays without those counts. It also loses its gloss, since glosses were
        written for the pairs of the training texts first.

        Args:
            acronym: The acronym, in any spelling.
            sources: Names of the sources whose counts are used; None for all.
            offensive: Whether offensive long forms are candidates.

        Returns:
            The candidates.
        """
        candidates = []
        for candidate in self.dictionary.lookup(acronym, sources, offensive=offensive):
            counts = {
                name: count
                for name, count in candidate.counts.items()
                if not name.endswith(LABELLED) and name != GLOSSARIES
            }
            is_taught = len(counts) < len(candidate.counts)
            if is_taught and not self.pairs.is_known_elsewhere(
                acronym, candidate.long_form, self.held_out
            ):
                if not counts:
                    continue
                total = sum(counts.values())
                candidate = Candidate(candidate.long_form, counts, total, -1, "")
            candidates.append(candidate)
        return candidates


class HeldOutVectors(LongFormVectors):
    """Vectors of senses. Those whose gloss is held out get the vector of their long form."""

    def __init__(self, model: AcroBERT, source: Dictionary) -> None:
        """Create an empty cache.

        Args:
            model: The model that encodes long forms.
            source: The dictionary.
        """
        super().__init__(model, source)
        self._plain: dict[str, Floats] = {}

    def get(self, candidates: Sequence[Candidate]) -> Floats:
        """Return the vectors of candidates.

        Args:
            candidates: The candidates. Those without an index have no gloss.

        Returns:
            Vectors, float32 [candidates, width].
        """
        plain = [row for row, candidate in enumerate(candidates) if candidate.index < 0]
        others = [row for row, candidate in enumerate(candidates) if candidate.index >= 0]
        vectors = np.zeros((len(candidates), self.model.width), np.float32)
        vectors[others] = super().get([candidates[row] for row in others])
        names = {candidates[row].long_form for row in plain}
        if missing := sorted(names - self._plain.keys()):
            encoded = self.model.encode_long_forms(missing)
            self._plain.update(zip(missing, encoded, strict=True))
        for row in plain:
            vectors[row] = self._plain[candidates[row].long_form]
        return vectors


def hold_out(linker: Linker, pairs: TaughtPairs) -> tuple[Linker, HeldOutDictionary]:
    """Return a linker whose dictionary leaves out one source.

    Args:
        linker: A linker of a dictionary.
        pairs: The sources that taught each pair.

    Returns:
        The linker, and its dictionary, whose attribute `held_out` names the source.
    """
    dictionary = linker.source
    assert isinstance(dictionary, Dictionary)
    source = HeldOutDictionary(dictionary, pairs)
    other = linker.with_source(source)
    other.reader.vectors = HeldOutVectors(linker.model, dictionary)
    return other, source
