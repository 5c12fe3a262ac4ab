"""The texts a user names: a text itself, files, folders or standard input."""

import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import chain
from os import scandir
from pathlib import Path

from ..errors import GladisError, InputError, MissingExtraError
from ..files import is_stream
from ..problem import Problem, Report
from .encodings import decode, undecodable, without_lone_surrogates
from .formats import format_of_file, read_file, read_text, read_whole
from .formats.format import RecordsFormat
from .formats.registry import load_formats, text_formats
from .formats.table import TABLES, guessed_column, has_texts
from .lines import DAMAGE, read_chunks
from .lists import GLOSSARIES
from .source import Source

STANDARD_INPUT = "-"
_FOLDERS_UP = 4
NO_READER = "no reader for the format"
_KINDS = {InputError: "unknown format", MissingExtraError: "missing package"}


@dataclass(frozen=True)
class NamedSources:
    """What a user names, and how it is read.

    given: one text (it holds white space, or is one word that is no path), or paths of files and
        folders, or `-` for standard input. Of folders, files of known formats are read, hidden
        ones left out; JSON lines, tables and DocBin files hold several documents. Of tables those
        are read that have a column of texts and are no glossary.
    encoding: of files, and of standard input, without a byte-order mark; None: UTF-8.
    text_field: the key or column of texts in JSON lines and tables, as `read_file` has it.
    kept: whether a file in a folder is read. piped: the file that standard input is the text of,
        such as an editor has it.
    """

    given: Sequence[str]
    encoding: str | None = None
    text_field: str | None = None
    kept: Callable[[Path], bool] = lambda path: True
    piped: str = ""

    @property
    def are_a_text(self) -> bool:
        """Whether they are one text itself."""
        return len(self.given) == 1 and is_text(self.given[0])

    def read(self, report: Report) -> Iterator[Source]:
        """Yield the texts, one after the other.

        What cannot be read, and a folder without such files, goes to `report`, and the next file is
        read. Raises InputError at once when nothing is given, and as `read_paths`.
        """
        if not self.given:
            raise InputError("Nothing to annotate: give a text, files, folders, or - for stdin.")
        if self.are_a_text:
            return iter([Source("text", without_lone_surrogates(self.given[0]))])
        return self.read_paths(report)

    def read_paths(self, report: Report) -> Iterator[Source]:
        """Yield the texts of files, folders and standard input, as `read` does.

        Raises InputError at once where none of them is there, one is empty, or `piped` is of no
        format that is text.
        """
        given, piped = self.given, self.piped
        if piped and format_of_file(Path(piped)) not in text_formats():
            raise InputError(
                f"{piped} is of no format that standard input may have: text formats are "
                f"{', '.join(text_formats())}."
            )
        if not all(map(str.strip, given)):
            raise InputError("The text is empty. Give a text, files, folders, or - for stdin.")
        missing = [one for one in given if one != STANDARD_INPUT and not _says(Path.exists, one)]
        if len(missing) == len(given):
            advice = " Put a text into quotation marks." if len(missing) > 1 else ""
            raise InputError(f"There is no file or folder {', '.join(missing)}.{advice}")
        return self._read_all(report)

    def count(self) -> int | None:
        """How many texts there are in readable files; None with a DocBin, a table or the like.

        JSON lines are counted by their ends, so that large files are read once more.
        """
        if self.are_a_text:
            return 1
        total = 0
        for file in _files(self.given, self.kept):
            format = load_formats().get(format_of_file(file) or "")
            has_many = isinstance(format, RecordsFormat)
            if isinstance(format, RecordsFormat) and not (format.is_by_line and file.is_file()):
                return None  # not known beforehand, or a pipe, which is read but once
            try:
                total += sum(chunk.count(b"\n") for chunk in read_chunks(file)) if has_many else 1
            except (*DAMAGE, GladisError):
                return None
        return total

    def guessed_columns(self) -> dict[str, Path]:
        """The columns that are read as texts of the tables, as `guessed_column` has it, each with
        the first file that it is in; none where one is named."""
        found: dict[str, Path] = {}
        told = self.text_field is not None or self.are_a_text
        for path in [] if told else _files(self.given, _is_document):
            if format_of_file(path) in TABLES and path.is_file():
                with suppress(OSError, UnicodeDecodeError, GladisError):
                    found.setdefault(guessed_column(path, self.encoding), path)
        return found

    def passed_over(self) -> dict[str, Counter[str]]:
        """Count the files in folders that are not read, by the reason and by their endings.

        Hidden files, and glossaries in tables, are not counted.
        """
        found: defaultdict[str, Counter[str]] = defaultdict(Counter)
        folders = [one for one in self.given if one != STANDARD_INPUT and _says(Path.is_dir, one)]
        for path in chain.from_iterable(map(_walk, folders)):
            format = format_of_file(path)
            if not _says(Path.is_file, path):
                continue
            if format is None:
                found[NO_READER][path.suffix.lower()] += 1
            elif format in TABLES and not _is_glossary(path) and not self._is_document(path):
                reason = f"no column {self.text_field or 'of texts'}"
                found[reason][path.suffix.lower()] += 1
        return dict(found)

    def _is_document(self, path: Path) -> bool:
        return _is_document(path, self.encoding, self.text_field)

    def _read_all(self, report: Report) -> Iterator[Source]:
        for name in self.given:
            seen = False

            def unreadable(error: OSError, name: str = name) -> None:
                nonlocal seen
                seen = True
                detail = error.strerror or str(error)
                report(Problem("unreadable folder", str(error.filename or name), None, detail))

            def kept(path: Path) -> bool:
                return self.kept(path) and self._is_document(path)

            for path in _files([name], kept, unreadable):
                seen = True
                standard = str(path) == STANDARD_INPUT
                with _reported("standard input" if standard else str(path), report):
                    if standard:
                        yield _standard_input(self.encoding, self.piped)
                    else:
                        yield from read_file(path, report, self.encoding, self.text_field)
            if not seen and next(_files([name], self._is_document), None) is None:
                report(Problem("empty folder", name, None, "no file of a known format is in it"))


def are_several(given: Sequence[str]) -> bool:
    """Whether a folder or more than one file is named: documents that may explain one another."""
    files = [name for name in given if name != STANDARD_INPUT]
    return len(files) > 1 or any(not is_text(name) and _says(Path.is_dir, name) for name in files)


def is_text(given: str) -> bool:
    """Whether what a user names is a text itself."""
    if given == STANDARD_INPUT or not given.strip():
        return False
    if _says(Path.exists, given):
        return False
    return any(map(str.isspace, given)) or not {".", "/", "\\"}.intersection(given)


def is_read_once(given: str) -> bool:
    """Whether what a user names is standard input, a pipe or a device."""
    return given == STANDARD_INPUT or _says(is_stream, given)


def files_of(given: Sequence[str], formats: Collection[str]) -> list[Path]:
    """The files of these formats that are given or in the folders given; pipes are none."""
    files = (path for path in _files(given) if format_of_file(path) in formats)
    return [path for path in files if _says(Path.is_file, path) and not is_read_once(str(path))]


def glossaries_beside(given: Sequence[str]) -> list[Path]:
    """Glossaries, by their names, in the folders of what is given and above, nearest first.

    They are looked for up to a repository's root, else three folders up. What is read as one of
    the documents given is none of them.
    """
    paths = [Path(name).absolute() for name in given if _says(Path.exists, name)]
    found: dict[Path, None] = {}
    for path in paths:
        folders = [path, *path.parents] if path.is_dir() else [*path.parents]
        for folder in folders[:_FOLDERS_UP]:
            found |= dict.fromkeys(_glossaries_in(folder))
            if _says(Path.exists, folder / ".git"):
                break
    read = {one for one in found if one in paths or (one.parent in paths and _is_document(one))}
    return [one for one in found if one not in read]


def _glossaries_in(folder: Path) -> list[Path]:
    try:
        return sorted(one for one in folder.iterdir() if _is_glossary(one) and one.is_file())
    except OSError:
        return []


def _is_glossary(path: Path) -> bool:
    return path.stem.lower() in GLOSSARIES


def _is_document(path: Path, encoding: str | None = None, text_field: str | None = None) -> bool:
    """Whether a file in a folder is read: one that cannot be is, so that it is told."""
    if format_of_file(path) not in TABLES:
        return format_of_file(path) is not None
    if _is_glossary(path):
        return False
    try:
        return has_texts(path, encoding, text_field)
    except (OSError, UnicodeDecodeError, GladisError):
        return True


@contextmanager
def _reported(name: str, report: Report) -> Iterator[None]:
    """Whatever is raised within is a problem of this one input."""
    try:
        yield
    except UnicodeDecodeError as error:
        report(Problem("wrong encoding", name, None, undecodable(error)))
    except OSError as error:
        report(Problem("unreadable file", name, None, error.strerror or str(error)))
    except GladisError as error:
        report(Problem(_KINDS.get(type(error), "damaged file"), name, None, str(error)))
    except Exception as error:  # a reader cannot foresee all that others' files hold
        report(Problem("damaged file", name, None, f"{type(error).__name__}: {error}"))


def _files(
    given: Sequence[str],
    kept: Callable[[Path], bool] = lambda path: True,
    unreadable: Callable[[OSError], None] = lambda error: None,
) -> Iterator[Path]:
    """The files given and those in the folders given; `-` stays what it is.

    unreadable: is told of folders that cannot be listed.
    """
    for name in given:
        if name == STANDARD_INPUT or not _says(Path.is_dir, name):
            yield Path(name)
            continue
        for path in _walk(name, unreadable):
            # What is gone, or cannot be asked for, is a file that cannot be read; a pipe is none.
            if (
                format_of_file(path)
                and (_says(Path.is_file, path) or not _says(Path.exists, path))
                and kept(path)
            ):
                yield path


def _walk(folder: str, unreadable: Callable[[OSError], None] = lambda error: None) -> list[Path]:
    """What is in a folder and those below it, sorted, without what is hidden."""
    found: list[Path] = []
    folders = [folder]
    while folders:  # os.walk calls itself for each level
        try:
            with scandir(folders.pop()) as entries:
                shown = [one for one in entries if not one.name.startswith(".")]
        except OSError as error:
            unreadable(error)
            continue
        for one in shown:
            if one.is_dir(follow_symlinks=False):
                folders.append(one.path)
            else:
                found.append(Path(one.path))
    return sorted(found)


def _says(question: Callable[[Path], bool], path: str | Path) -> bool:
    """What a path answers; no where it cannot, as one too long or in a folder that is closed."""
    try:
        return question(Path(path))
    except (OSError, ValueError):
        return False


def _standard_input(encoding: str | None, name: str) -> Source:
    """name: of the file that it is the text of; empty: of none, and plain text."""
    binary = getattr(sys.stdin, "buffer", None)  # a stream of text alone has none
    text = sys.stdin.read() if binary is None else decode(read_whole(binary, encoding), encoding)
    text = without_lone_surrogates(text)
    if format := format_of_file(Path(name)) if name else None:
        return read_text(text, format, name, encoding).at(name=name, path=name)
    return Source("standard input", text)
