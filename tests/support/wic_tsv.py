"""A WiC-TSV of invented items, in the release's files."""

from pathlib import Path

ITEMS = [  # target, context, place, definition, hypernyms, label
    ("java", "we sailed to java in may", 3, "an island of indonesia", "island\tland_mass", "T"),
    ("java", "he writes java at work", 2, "an island of indonesia", "island\tland_mass", "F"),
    ("bank", "the bank of the river", 1, "land beside water", "", "T"),
    ("bank", "the bank lends money", 1, "land beside water", "slope", "F"),
    ("cell", "a cell of the prison", 1, "a small room", "room", "T"),
    ("cell", "a cell of the blood", 1, "a small room", "room", "F"),
    ("bolt", "the bolt of the door", 1, "a bar that locks", "bar", "T"),
    ("bolt", "a bolt from the sky", 1, "a bar that locks", "bar", "F"),
    ("mole", "a mole under the lawn", 1, "a small animal", "animal", "T"),
    ("mole", "a mole in the office", 1, "a small animal", "animal", "F"),
]


def write_split(folder: Path, name: str, items: list, labels: bool = True) -> Path:
    folder.mkdir(parents=True)
    columns = {
        "examples": [f"{target}\t{place}\t{text}" for target, text, place, *_ in items],
        "definitions": [item[3] for item in items],
        "hypernyms": [item[4] for item in items],
    }
    if labels:
        columns["labels"] = [item[5] for item in items]
    for kind, lines in columns.items():
        # As in the release, the last line has no end.
        (folder / f"{name}_{kind}.txt").write_text("\n".join(lines), "utf8")
    return folder


def write_tiny(folder: Path) -> Path:
    write_split(folder / "Training", "train", ITEMS[:6])
    write_split(folder / "Development", "dev", ITEMS[6:])
    test = write_split(folder / "Test", "test", ITEMS[4:8], labels=False)
    (test / "test_domains.txt").write_text("0\n1\n2\n3\n", "utf8")
    return folder
