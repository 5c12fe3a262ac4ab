"""All files of the library are written as a whole or not at all, through `files.writing`."""

import ast
from pathlib import Path

import pytest

import spacy_gladis

ROOT = Path(spacy_gladis.__file__).parent
WRITERS = {"write_text", "write_bytes", "write_json", "write_jsonl", "save_file", "save", "savez"}
OURS = {"save", "write_json"}
"""Names of functions of our own, too: only those of other packages are meant."""


def library() -> list[Path]:
    return [path for path in sorted(ROOT.rglob("*.py")) if "research" not in path.parts]


def writes(call: ast.Call) -> bool:
    """Whether a call writes a file by a method or function that is not ours."""
    name = ast.unparse(call.func)
    last = name.rpartition(".")[2]
    if last == "open":
        modes = [one.value for one in call.args if isinstance(one, ast.Constant)]
        return any(mode in {"w", "wb", "x", "xb"} for mode in modes)  # "w+b": a scratch file
    if name == "write_text":  # ours; a path's method has the path before it
        return False
    if last in OURS:
        return name.split(".")[0] in {"srsly", "np", "numpy", "torch"} or ".tokenizer." in name
    return last in WRITERS


def is_writing(node: ast.AST) -> bool:
    return isinstance(node, ast.With) and any(
        isinstance(one.context_expr, ast.Call) and ast.unparse(one.context_expr.func) == "writing"
        for one in node.items
    )


def unguarded(tree: ast.AST) -> list[str]:
    """The calls that write outside of a `with writing(...)`."""
    found = []

    def visit(node: ast.AST, guarded: bool) -> None:
        guarded = guarded or is_writing(node)
        if isinstance(node, ast.Call) and not guarded and writes(node):
            found.append(ast.unparse(node))
        for child in ast.iter_child_nodes(node):
            visit(child, guarded)

    visit(tree, False)
    return found


@pytest.mark.parametrize("path", library(), ids=lambda path: str(path.relative_to(ROOT)))
def test_files_are_written_through_writing(path):
    assert unguarded(ast.parse(path.read_text("utf8"))) == []


def test_what_the_check_sees():
    bad = ast.parse(
        "a.write_text('')\nsrsly.write_json(p, {})\np.open('w')\nself.tokenizer.save(p)"
    )
    assert len(unguarded(bad)) == 4
    good = "with writing(path) as temporary, temporary.open('wb') as file:\n    file.truncate(1)"
    assert unguarded(ast.parse(good)) == []
    assert unguarded(ast.parse("p.open()\np.open('rb')\nwrite_json(p, {})\nmodel.save(p)")) == []
