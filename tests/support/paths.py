"""Where the repository is, and the benchmark data beside it."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CONFIGS = ROOT / "configs"
SHARED = Path(os.environ.get("GLADIS_SHARED", ROOT.parent / "shared")).resolve()

UNRESTRICTED = os.name == "nt" or os.geteuid() == 0
"""Whether a file's permissions keep nobody out here."""
