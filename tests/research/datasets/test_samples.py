import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_gladis.errors import FormatError, InputError
from spacy_gladis.research.datasets.sample import (
    Sample,
    from_gladis,
    read_samples,
    write_gladis,
    write_samples,
)
from spacy_gladis.research.datasets.split import split_rows
from tests.support.corpora import write_lines


def gladis(tokens, acronym="CBF", **more):
    return {
        "index": 7,
        "short_term": acronym,
        "long_term": "cerebral blood flow",
        "type": "Biomedical Concept",
        "tokens": tokens,
        **more,
    }


@pytest.mark.parametrize(
    ("tokens", "text", "start"),
    [
        (["lower", "cbf", "than", "CBF", "?"], "lower cbf than CBF ?", 15),
        (["we", "saw", "__ABB__", "rise"], "we saw CBF rise", 7),
        (["a", "CBF", "before", "__ABB__"], "a CBF before CBF", 13),
        (["two", "CBFs", "here"], "two CBFs here", 4),
        (["the", "rCBF-value"], "the rCBF-value", 5),
    ],
)
def test_the_mention_of_a_gladis_record(tokens, text, start):
    sample = from_gladis(gladis(tokens))
    assert (sample.text, sample.start, sample.end) == (text, start, start + 3)
    assert sample.text[sample.start : sample.end] == "CBF"
    assert (sample.long_form, sample.kind) == ("cerebral blood flow", "Biomedical Concept")


@pytest.mark.parametrize(
    "line",
    [gladis(["not", "here"]), b"{", b"[]", b'"text"', b'{"tokens": []}', b'{"acronym": "A"}'],
)
def test_what_is_no_sample_is_an_error(tmp_path, line):
    path = write_lines(tmp_path / "set.json", [gladis(["CBF"]), line])
    with pytest.raises(FormatError, match=r"set\.json:2 "):
        list(read_samples(path))


SAMPLE = Sample("CBF", "cerebral blood flow", "The CBF fell.", 4, 7, "Papers", "type", "1")


def test_files_come_back(tmp_path):
    other = Sample("MRI", "magnetic resonance imaging", "By (MRI), twice", 4, 7, "", "type", "a")
    assert write_samples(tmp_path / "deep" / "set.json", [SAMPLE, other]) == 2
    assert list(read_samples(tmp_path / "deep" / "set.json")) == [SAMPLE, other]
    path = write_lines(tmp_path / "set.jsonl.zst", [SAMPLE._asdict()])
    assert list(read_samples(path)) == [SAMPLE]


@pytest.mark.parametrize(
    ("text", "start", "tokens"),
    [
        ("The  CBF\nfell.", 5, ["The", "CBF", "fell."]),
        ("By rCBF, the CBF/h", 13, ["By", "rCBF,", "the", "__ABB__", "/h"]),
    ],
)
def test_gladis_records_come_back(tmp_path, text, start, tokens):
    sample = SAMPLE._replace(text=text, start=start, end=start + 3)
    assert write_gladis(tmp_path / "dev.json", [sample, sample]) == 2
    records = [json.loads(line) for line in (tmp_path / "dev.json").read_text().splitlines()]
    assert records[1] == gladis(tokens, index=1, type="type")
    [_, back] = read_samples(tmp_path / "dev.json")
    mention = back.text[back.start : back.end]
    assert (mention, back.long_form, back.text[: back.start].split()) == (
        "CBF",
        "cerebral blood flow",
        text[:start].split(),
    )


def test_parquet(tmp_path):
    arrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    with pytest.raises(InputError, match="contains no samples"):
        list(read_samples(tmp_path))
    table = arrow.Table.from_pylist([{"bucket": 3, **SAMPLE._asdict()}])
    parquet.write_table(table, tmp_path / "a.parquet")
    assert list(read_samples(tmp_path / "a.parquet")) == list(read_samples(tmp_path)) == [SAMPLE]
    parquet.write_table(table.drop_columns("text"), tmp_path / "a.parquet")
    with pytest.raises(FormatError, match="contains no samples"):
        list(read_samples(tmp_path / "a.parquet"))
    (tmp_path / "a.parquet").write_bytes(b"no Parquet")
    with pytest.raises(FormatError, match="contains no samples"):
        list(read_samples(tmp_path / "a.parquet"))


KEYS = st.lists(st.integers(1, 12), min_size=12).filter(lambda keys: len(set(keys)) >= 3)


@given(KEYS, st.integers(0, 5))
def test_no_key_is_torn_apart_and_no_row_lost(keys: list[int], seed: int) -> None:
    parts = split_rows(keys, (0.8, 0.1, 0.1), seed)
    assert sorted(row for part in parts for row in part) == list(range(len(keys)))
    owners = [{keys[row] for row in part} for part in parts]
    assert not owners[0] & owners[1] and not owners[0] & owners[2] and not owners[1] & owners[2]
    assert parts == split_rows(keys, (0.8, 0.1, 0.1), seed)
    # No part is over its share by more than one key's rows.
    largest = max(keys.count(key) for key in keys)
    for part, share in zip(parts, (0.8, 0.1, 0.1), strict=True):
        assert len(part) < share * len(keys) + largest


def test_a_random_split_has_the_shares_exactly() -> None:
    parts = split_rows(range(1, 1001), (8, 1, 1))
    assert [len(part) for part in parts] == [800, 100, 100]
    assert parts != split_rows(range(1, 1001), (8, 1, 1), seed=1)


def test_bad_input_is_named() -> None:
    for keys, shares, message in (
        (["a", ""], (1, 1), "no key"),
        (["a", None], (1, 1), "no key"),
        (["a", "b"], (1, 0), "above 0"),
        (["a", "b"], (), "above 0"),
        (["a", "a"], (1, 1), "1 keys cannot be split into 2"),
    ):
        with pytest.raises(InputError, match=message):
            split_rows(keys, shares)
