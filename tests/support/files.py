"""What the tests that write files share."""

from pathlib import Path

from hypothesis import HealthCheck, settings

on_files = settings(
    max_examples=25,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
"""For properties that write files, which takes time: few examples."""


def names(folder: Path) -> list[str]:
    """What lies in a folder, temporary files included."""
    return sorted(path.name for path in folder.iterdir())
