"""Which modules a file of the package imports, read from its source."""

import ast
from pathlib import Path

import spacy_gladis

PACKAGE = Path(spacy_gladis.__file__).parent


def imports(path: Path, late: bool = True) -> list[str]:
    """The absolute names of the modules that a file imports; without `late`, at import time."""
    package = (PACKAGE.name, *path.relative_to(PACKAGE).parts[:-1])
    names: list[str] = []

    def visit(node: ast.AST) -> None:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) and not late:
            return
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            for other in node.orelse:
                visit(other)
            return
        if isinstance(node, ast.Import):
            names.extend(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            start = ".".join((*base, *([node.module] if node.module else [])))
            names.extend(
                f"{start}.{alias.name}" if start == PACKAGE.name else start for alias in node.names
            )
        for child in ast.iter_child_nodes(node):
            visit(child)

    visit(ast.parse(path.read_text("utf8")))
    return names
