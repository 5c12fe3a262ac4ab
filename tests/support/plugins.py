"""A package that adds to this one by entry points, as it lies where packages are installed."""

from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent


def write_package(
    folder: Path, name: str, source: str, entry_points: Mapping[str, Mapping[str, str]]
) -> None:
    """Write a package of one module and what its installation says of it.

    Args:
        folder: Where to; put it on the path.
        name: The module's and the distribution's name.
        source: The module's text.
        entry_points: By group, the names of entry points with the names of the module's objects.
    """
    (folder / f"{name}.py").write_text(dedent(source))
    metadata = folder / f"{name}-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    lines = [
        line
        for group, points in entry_points.items()
        for line in (f"[{group}]", *(f"{point} = {name}:{attr}" for point, attr in points.items()))
    ]
    (metadata / "entry_points.txt").write_text("\n".join(lines) + "\n")
