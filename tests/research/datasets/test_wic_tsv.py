"""The release's files: what is read, and what is said of broken ones."""

import pytest

from spacy_gladis.errors import FormatError, InputError
from spacy_gladis.research.datasets.wic_tsv import labels_of, read_split, read_splits
from tests.support.paths import SHARED
from tests.support.wic_tsv import ITEMS, write_split, write_tiny

DATA = SHARED
DATA = DATA / "benchmarks/wic-tsv/data"


def test_every_field_of_an_item(tmp_path):
    splits = read_splits(write_tiny(tmp_path))
    assert {name: len(split) for name, split in splits.items()} == {"train": 6, "dev": 4, "test": 4}
    first = splits["train"][0]
    assert first.sense.mention.acronym == first.sense.target == "java"
    assert first.sense.hypernyms == ("island", "land mass")
    assert first.sense.sense == "island, land mass: an island of indonesia"
    assert (first.label, first.domain) == (True, None)
    assert [question.label for question in splits["test"]] == [None] * 4
    assert [question.domain for question in splits["test"]] == [
        "general",
        "medical",
        "cocktails",
        "computing",
    ]


def test_an_empty_line_is_an_empty_value_even_at_the_end(tmp_path):
    questions = read_split(write_split(tmp_path / "a", "train", ITEMS[:3]))
    assert [bool(question.sense.hypernyms) for question in questions] == [True, True, False]
    questions = read_split(write_split(tmp_path / "b", "train", ITEMS[:4]))
    assert questions[2].sense.sense == "land beside water"


@pytest.mark.parametrize(
    ("file", "content", "message"),
    [
        ("train_labels.txt", "T\nF\n", "2 lines, train_examples.txt has 6"),
        (
            "train_labels.txt",
            "T\nF\nT\nF\nT\nyes\n",
            "labels.txt:6: a label must be T or F, got 'yes'",
        ),
        ("train_examples.txt", "java\t9\tonly four words here\n" * 6, "examples.txt:1: expected"),
        ("train_examples.txt", "no tabs\n" * 6, "examples.txt:1: expected"),
        ("train_examples.txt", "", "is empty"),
    ],
)
def test_broken_files_name_their_line(tmp_path, file, content, message):
    folder = write_tiny(tmp_path) / "Training"
    (folder / file).write_text(content, "utf8")
    with pytest.raises(FormatError, match=message):
        read_split(folder)


def test_other_encodings_and_missing_files(tmp_path):
    folder = write_tiny(tmp_path) / "Training"
    (folder / "train_definitions.txt").write_bytes(b"caf\xe9\n" * 6)
    with pytest.raises(FormatError, match=r"train_definitions\.txt:1: not UTF-8"):
        read_split(folder)
    (folder / "train_definitions.txt").unlink()
    with pytest.raises(FormatError, match=r"no train_definitions\.txt"):
        read_split(folder)
    (folder / "train_labels.txt").unlink()
    (folder / "train_definitions.txt").write_text("a\n" * 6, "utf8")
    with pytest.raises(InputError, match="no labels"):
        labels_of(read_split(folder), "training")
    with pytest.raises(InputError, match="no folder Training"):
        read_splits(tmp_path / "Test")
