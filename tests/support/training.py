"""A BERT that trains in a blink, and samples it can learn."""

import json
from pathlib import Path

import torch

from spacy_gladis.encoder.encoder import EncoderConfig
from spacy_gladis.encoder.word_pieces import WordPieces
from spacy_gladis.research.datasets.sample import Sample, write_samples
from spacy_gladis.research.training.dataset import TrainingSet
from spacy_gladis.research.training.next_sentence import NextSentenceBERT, NextSentenceNetwork
from tests.support.checkpoints import SPECIAL, make_pieces

WORDS = (
    "the a of for is in to our model learns from data potassium diet grams daily scan state river "
    "artificial intelligence adequate intake computed tomography central time carbon monoxide "
    "commanding officer ai ct co gas staff clock patient"
)
SIZE = len(SPECIAL) + len(WORDS.split())
CONFIG = EncoderConfig(SIZE, 32, 2, 2, 64, 64, hidden_dropout_prob=0.0)
MEANINGS = {
    "AI": {
        "artificial intelligence": "model learns from data",
        "adequate intake": "potassium diet",
    },
    "CT": {"computed tomography": "scan of a patient", "central time": "the clock in our state"},
    "CO": {"carbon monoxide": "gas of the patient", "commanding officer": "our staff daily"},
}
"""CO is one of the acronyms that no run trains on."""


def tiny_pieces() -> WordPieces:
    return make_pieces(WORDS)


def tiny_samples(repeat: int = 8) -> list[Sample]:
    samples: list[Sample] = []
    for number in range(repeat):
        for acronym, meanings in MEANINGS.items():
            for long_form, words in meanings.items():
                start = len(words) + 1 + 4 * (number % 2)
                text = f"{words} {'the ' * (number % 2)}{acronym} is" + " in" * (number % 5)
                sample = Sample(acronym, long_form, text, start, start + len(acronym))
                samples.append(sample._replace(document=str(len(samples))))
    return samples


def tiny_training_set(markers: bool = False, repeat: int = 8) -> TrainingSet:
    pieces = tiny_pieces() if markers else tiny_pieces().without_markers()
    return TrainingSet.build(tiny_samples(repeat), pieces, 32)


def tiny_bert(folder: Path) -> Path:
    """A folder with a BERT checkpoint, its heads included."""
    torch.manual_seed(0)
    NextSentenceBERT(NextSentenceNetwork(CONFIG), tiny_pieces(), 32).save(folder)
    (folder / "config.json").write_text(json.dumps(CONFIG.to_dict()), "utf8")
    return folder


def write_tiny(folder: Path) -> tuple[Path, Path, Path]:
    """Training samples, development samples and a dictionary in the published formats."""
    write_samples(folder / "train.json", tiny_samples())
    write_samples(folder / "dev.json", tiny_samples(2))
    dictionary = {a: [[name, 1] for name in meanings] for a, meanings in MEANINGS.items()}
    (folder / "dictionary.json").write_text(json.dumps(dictionary), "utf8")
    return folder / "train.json", folder / "dev.json", folder / "dictionary.json"
