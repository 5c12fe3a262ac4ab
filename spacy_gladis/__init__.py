"""spaCy components that find acronyms in a text and resolve them to their long forms."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .pipeline.annotations import install_extensions as install_extensions
    from .pipeline.verify import verify as verify

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    # Imported lazily, because creating any `Language` object imports this package.
    if name == "verify":
        from .pipeline.verify import verify

        return verify
    if name == "install_extensions":
        from .pipeline.annotations import install_extensions

        return install_extensions
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
