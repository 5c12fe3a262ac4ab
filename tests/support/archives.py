"""ZIP archives with one part changed."""

from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile


def rewritten(path: Path, part: str, before: str, after: str) -> Path:
    """The archive, words of one part replaced, which must be there."""
    with ZipFile(path) as archive:
        content = {name: archive.read(name) for name in archive.namelist()}
    assert before.encode() in content[part]
    content[part] = content[part].replace(before.encode(), after.encode())
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for name, data in content.items():
            archive.writestr(name, data)
    return path
