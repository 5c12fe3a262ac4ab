"""Read what a user names in a command: a text itself, files, folders or standard input."""

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
"""Argument of a command that stands for standard input."""
_FOLDERS_UP = 4
NO_READER = "no reader for the format"
"""Reason for not reading a file in a folder, as a key of `NamedSources.passed_over`."""
_KINDS = {InputError: "unknown format", MissingExtraError: "missing package"}


@dataclass(frozen=True)
class NamedSources:
    """The texts, files and folders that a user names in a command.

    In folders, all files of known formats are read, except hidden files, glossaries, and tables
    without a column of texts. Files of JSON lines, tables and DocBin files contain several
    documents.

    Attributes:
        given: A single text, or paths of files and folders, or ``-`` for standard input. A single
            string that isn't an existing path is a text if it contains white space, or neither a
            dot nor a slash.
        encoding: Encoding of files and standard input without a byte-order mark. None means UTF-8.
        text_field: Key or column that contains the texts of JSON lines and tables. None means the
            default that `read_file` describes.
        is_selected: Function that takes the path of a file in a folder and returns whether to read
            it. By default, all files are read.
        stdin_name: Name of the file whose content is on standard input, as editors pass it. Its
            ending determines the format. If it is empty, standard input is plain text.
    """

    given: Sequence[str]
    encoding: str | None = None
    text_field: str | None = None
    is_selected: Callable[[Path], bool] = lambda path: True
    stdin_name: str = ""

    @property
    def are_a_text(self) -> bool:
        """Whether the user gave the text itself instead of the paths of files."""
        return len(self.given) == 1 and is_text(self.given[0])

    def read(self, report: Report) -> Iterator[Source]:
        """Read the texts that the user named, one by one.

        Files that can't be read and empty folders are reported and skipped.

        Args:
            report: Function that is called with a `Problem` for each skipped file or folder.

        Returns:
            An iterator of the documents, in the order of the arguments. The files of a folder are
            sorted by path.

        Raises:
            InputError: If nothing is given, or for the reasons that `read_paths` lists. The error
                is raised by this call, not when the first document is requested.
        """
        if not self.given:
            raise InputError(
                "There is nothing to annotate. Give a text, files, folders, or - for stdin."
            )
        if self.are_a_text:
            return iter([Source("text", without_lone_surrogates(self.given[0]))])
        return self.read_paths(report)

    def read_paths(self, report: Report) -> Iterator[Source]:
        """Read the documents in the given files and folders and on standard input.

        Unlike `read`, this method never treats an argument as a text.

        Args:
            report: Function that is called with a `Problem` for each skipped file or folder.

        Returns:
            An iterator of the documents, in the order of the arguments.

        Raises:
            InputError: If none of the paths exists, a path is empty, or `stdin_name` has no text
                format. The error is raised by this call, not when the first document is requested.
        """
        inputs, stdin_name = self.given, self.stdin_name
        if stdin_name and format_of_file(Path(stdin_name)) not in text_formats():
            raise InputError(
                f"The format of {stdin_name} cannot be read from standard input. "
                f"Use a text format: {', '.join(text_formats())}."
            )
        if not all(map(str.strip, inputs)):
            raise InputError("The text is empty. Give a text, files, folders, or - for stdin.")
        missing = [
            name for name in inputs if name != STANDARD_INPUT and not _holds_for(Path.exists, name)
        ]
        if len(missing) == len(inputs):
            advice = " Pass a single text, in quotation marks." if len(missing) > 1 else ""
            raise InputError(f"There is no file or folder {', '.join(missing)}.{advice}")
        return self._read_all(report)

    def count(self) -> int | None:
        """Count the documents that the user named, for a progress bar.

        Files of JSON lines are counted by their line ends, so large files are read once more for
        this.

        Returns:
            The number of documents. None if it can't be known in advance, as for tables, DocBin
            files and pipes.
        """
        if self.are_a_text:
            return 1
        total = 0
        for file in _files(self.given, self.is_selected):
            format = load_formats().get(format_of_file(file) or "")
            has_many = isinstance(format, RecordsFormat)
            if isinstance(format, RecordsFormat) and not (format.is_by_line and file.is_file()):
                return None  # unknown in advance, or a pipe, which can only be read once
            try:
                total += sum(chunk.count(b"\n") for chunk in read_chunks(file)) if has_many else 1
            except (*DAMAGE, GladisError):
                return None
        return total

    def guessed_columns(self) -> dict[str, Path]:
        """Return the columns that were chosen automatically as the texts of tables.

        Use it to tell the user which columns are read.

        Returns:
            A dictionary from the name of each column to the first file in which it was chosen. It
            is empty if the user named a column.
        """
        columns: dict[str, Path] = {}
        is_known = self.text_field is not None or self.are_a_text
        for path in [] if is_known else _files(self.given, _is_document):
            if format_of_file(path) in TABLES and path.is_file():
                with suppress(OSError, UnicodeDecodeError, GladisError):
                    columns.setdefault(guessed_column(path, self.encoding), path)
        return columns

    def passed_over(self) -> dict[str, Counter[str]]:
        """Count the files in the given folders that aren't read, by the reason and the ending.

        Hidden files, and tables that are glossaries, aren't counted.

        Returns:
            A dictionary from each reason to the number of files for each ending. An example is
            ``{"no reader for the format": {".png": 3}}``.
        """
        skipped: defaultdict[str, Counter[str]] = defaultdict(Counter)
        folders = [
            name for name in self.given if name != STANDARD_INPUT and _holds_for(Path.is_dir, name)
        ]
        for path in chain.from_iterable(map(_walk, folders)):
            format = format_of_file(path)
            if not _holds_for(Path.is_file, path):
                continue
            if format is None:
                skipped[NO_READER][path.suffix.lower()] += 1
            elif format in TABLES and not _is_glossary(path) and not self._is_document(path):
                reason = f"no column {self.text_field or 'of texts'}"
                skipped[reason][path.suffix.lower()] += 1
        return dict(skipped)

    def _is_document(self, path: Path) -> bool:
        return _is_document(path, self.encoding, self.text_field)

    def _read_all(self, report: Report) -> Iterator[Source]:
        for name in self.given:
            has_files = False

            def unreadable(error: OSError, name: str = name) -> None:
                nonlocal has_files
                has_files = True
                detail = error.strerror or str(error)
                report(Problem("unreadable folder", str(error.filename or name), None, detail))

            def is_read(path: Path) -> bool:
                return self.is_selected(path) and self._is_document(path)

            for path in _files([name], is_read, unreadable):
                has_files = True
                standard = str(path) == STANDARD_INPUT
                with _reported("standard input" if standard else str(path), report):
                    if standard:
                        yield _standard_input(self.encoding, self.stdin_name)
                    else:
                        yield from read_file(path, report, self.encoding, self.text_field)
            if not has_files and next(_files([name], self._is_document), None) is None:
                report(Problem("empty folder", name, None, "no file of a known format is in it"))


def are_several(inputs: Sequence[str]) -> bool:
    """Return whether a user names a folder or several files, instead of a single text or file.

    Several documents may define acronyms for each other.

    Args:
        inputs: Texts, paths or ``-``, as in `NamedSources.given`.
    """
    files = [name for name in inputs if name != STANDARD_INPUT]
    return len(files) > 1 or any(
        not is_text(name) and _holds_for(Path.is_dir, name) for name in files
    )


def is_text(argument: str) -> bool:
    """Return whether an argument of a command is a text itself, instead of a path.

    An argument is a text if it isn't an existing path, and either contains white space or contains
    neither a dot nor a slash.

    Args:
        argument: A text, a path, or ``-`` for standard input.
    """
    if argument == STANDARD_INPUT or not argument.strip():
        return False
    if _holds_for(Path.exists, argument):
        return False
    return any(map(str.isspace, argument)) or not {".", "/", "\\"}.intersection(argument)


def is_read_once(argument: str) -> bool:
    """Return whether an argument can be read only once: standard input, a pipe or a device.

    Args:
        argument: A text, a path, or ``-`` for standard input.
    """
    return argument == STANDARD_INPUT or _holds_for(is_stream, argument)


def files_of(inputs: Sequence[str], formats: Collection[str]) -> list[Path]:
    """Return the given files, and the files in given folders, that have one of some formats.

    Pipes and standard input are left out.

    Args:
        inputs: Texts, paths or ``-``, as in `NamedSources.given`.
        formats: Names of the formats, such as ``docx``.

    Returns:
        The paths of the files, in the order of the inputs.
    """
    files = (path for path in _files(inputs) if format_of_file(path) in formats)
    return [
        path for path in files if _holds_for(Path.is_file, path) and not is_read_once(str(path))
    ]


def glossaries_beside(inputs: Sequence[str]) -> list[Path]:
    """Find files with glossaries in the folders of the inputs and in the folders above them.

    Glossaries are recognized by names such as ``abbreviations.csv`` and ``glossary.md``. For each
    input, the search ends at the root of a repository, or otherwise three folders up. Glossaries
    that are read as documents are left out.

    Args:
        inputs: Texts, paths or ``-``, as in `NamedSources.given`.

    Returns:
        Paths of the glossaries. Those of the first input come first, from its own folder upwards.
    """
    paths = [Path(name).absolute() for name in inputs if _holds_for(Path.exists, name)]
    glossaries: dict[Path, None] = {}
    for path in paths:
        folders = [path, *path.parents] if path.is_dir() else [*path.parents]
        for folder in folders[:_FOLDERS_UP]:
            glossaries |= dict.fromkeys(_glossaries_in(folder))
            if _holds_for(Path.exists, folder / ".git"):
                break
    read = {
        path
        for path in glossaries
        if path in paths or (path.parent in paths and _is_document(path))
    }
    return [path for path in glossaries if path not in read]


def _glossaries_in(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if _is_glossary(path) and path.is_file())
    except OSError:
        return []


def _is_glossary(path: Path) -> bool:
    return path.stem.lower() in GLOSSARIES


def _is_document(path: Path, encoding: str | None = None, text_field: str | None = None) -> bool:
    """Return whether a file in a folder is read as a document.

    Files that can't be read count as documents, so that they are reported.
    """
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
    """Report any error inside the ``with`` statement as a problem with an input."""
    try:
        yield
    except UnicodeDecodeError as error:
        report(Problem("wrong encoding", name, None, undecodable(error)))
    except OSError as error:
        report(Problem("unreadable file", name, None, error.strerror or str(error)))
    except GladisError as error:
        report(Problem(_KINDS.get(type(error), "damaged file"), name, None, str(error)))
    except Exception as error:  # parsers may raise anything on damaged files
        report(Problem("damaged file", name, None, f"{type(error).__name__}: {error}"))


def _files(
    inputs: Sequence[str],
    is_selected: Callable[[Path], bool] = lambda path: True,
    unreadable: Callable[[OSError], None] = lambda error: None,
) -> Iterator[Path]:
    """Yield ``-``, the files among the inputs, and the files in folders.

    `unreadable` is called with the error for each folder that can't be listed.
    """
    for name in inputs:
        if name == STANDARD_INPUT or not _holds_for(Path.is_dir, name):
            yield Path(name)
            continue
        for path in _walk(name, unreadable):
            # A file that is gone or inaccessible is kept, to be reported. A pipe is skipped.
            if (
                format_of_file(path)
                and (_holds_for(Path.is_file, path) or not _holds_for(Path.exists, path))
                and is_selected(path)
            ):
                yield path


def _walk(folder: str, unreadable: Callable[[OSError], None] = lambda error: None) -> list[Path]:
    """Return the files in a folder and its subfolders, sorted by path, without hidden files."""
    paths: list[Path] = []
    folders = [folder]
    while folders:  # os.walk recurses at each level
        try:
            with scandir(folders.pop()) as entries:
                visible = [entry for entry in entries if not entry.name.startswith(".")]
        except OSError as error:
            unreadable(error)
            continue
        for entry in visible:
            if entry.is_dir(follow_symlinks=False):
                folders.append(entry.path)
            else:
                paths.append(Path(entry.path))
    return sorted(paths)


def _holds_for(predicate: Callable[[Path], bool], path: str | Path) -> bool:
    """Return the value of a predicate for a path, or False if the path can't be accessed."""
    try:
        return predicate(Path(path))
    except (OSError, ValueError):
        return False


def _standard_input(encoding: str | None, name: str) -> Source:
    """Read standard input as a file with this name, or as plain text if the name is empty."""
    binary = getattr(sys.stdin, "buffer", None)  # a pure text stream has none
    text = sys.stdin.read() if binary is None else decode(read_whole(binary, encoding), encoding)
    text = without_lone_surrogates(text)
    if format := format_of_file(Path(name)) if name else None:
        return read_text(text, format, name, encoding).at(name=name, path=name)
    return Source("standard input", text)
