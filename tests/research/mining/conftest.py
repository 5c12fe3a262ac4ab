"""What the tests of corpora share."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.support.corpora import records, write_lines


@pytest.fixture
def pool():
    """The tasks' functions run here, in a thread: processes are tested on their own."""
    with ThreadPoolExecutor(1) as threads:
        yield threads


@pytest.fixture
def shards(tmp_path: Path) -> Path:
    """A folder with three shards."""
    folder = tmp_path / "shards"
    folder.mkdir()
    write_lines(folder / "a.jsonl.zst", records(40))
    write_lines(folder / "b.jsonl.gz", records(30, 40))
    write_lines(folder / "c.jsonl", records(20, 70))
    return folder
