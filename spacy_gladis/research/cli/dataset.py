"""The commands `spacy-gladis dataset ...`, which make, split, check and describe data sets."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Literal

import typer

from .results_file import DictionaryFile, Output, Report, command_line, present

app = typer.Typer(no_args_is_help=True, help="Make training and evaluation sets.")
PARTS = {"train": 6, "dev": 2, "test": 2}


@app.command()
def build(
    files: Annotated[list[Path], typer.Argument(help="Files to read.")],
    source: Annotated[
        str, typer.Option(help="Format of the files: wikilinks, medmentions or sciad.")
    ],
    output: Output,
    reference: Annotated[
        Path | None,
        typer.Option(help="File with the names of the concepts: a Wikidata dump or MRCONSO.RRF."),
    ] = None,
    dictionary: DictionaryFile = None,
    seed: Annotated[
        int, typer.Option(help="Random seed of the split. The same seed gives the same sets.")
    ] = 0,
) -> None:
    """Make training, development and test sets that have no acronym in common.

    Writes the sets to train.json, dev.json and test.json, in the format of GLADIS, and their
    figures to statistics.json. Also writes dictionary.sqlite, a copy of the dictionary to which the
    missing pairs of acronym and long form are added. To evaluate systems on the sets, run
    'evaluate gladis bio --dictionary bio/dictionary.sqlite'.

    Example: spacy-gladis dataset build mm.txt --source medmentions --output bio
    """
    import json

    from ...dictionary import Dictionary, write_store
    from ...files import write_json
    from ...problem import ProblemLog
    from ..datasets.sample import write_gladis
    from ..datasets.split import split_rows
    from ..mining.evaluation_set import complete, set_statistics, source_samples

    opened = Dictionary.open(dictionary)

    def candidates(acronym: str) -> list[str]:
        return [candidate.long_form for candidate in opened.candidates(acronym)]

    problems = ProblemLog()
    samples, missing = complete(source_samples(source, files, reference, problems), candidates)
    for acronym, long_form in missing:
        opened.add(acronym, long_form, source=source)
    parts = split_rows([sample.acronym for sample in samples], list(PARTS.values()), seed)
    statistics = {}
    for name, rows in zip(PARTS, parts, strict=True):
        part = [samples[row] for row in rows]
        write_gladis(output / f"{name}.json", part)
        statistics[name] = set_statistics(part, candidates)
    write_store(sorted(opened.groups()), output / "dictionary.sqlite", opened.metadata)
    problem_report = problems.to_json()
    content = {
        "command": command_line(),
        "sets": statistics,
        "pairs_added": len(missing),
        "problems": problem_report,
    }
    write_json(output / "statistics.json", content)
    typer.echo(json.dumps(statistics, indent=1))
    for example in problem_report["examples"]:
        typer.echo(example, err=True)


@app.command()
def verify(
    data: Annotated[
        Path, typer.Argument(help="Folder with the subfolders corpus, benchmarks and ontologies.")
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="Result of the checks, as JSON.")],
    project: Annotated[
        Path, typer.Option(help="project.yml with the checksums of the assets.")
    ] = Path("project.yml"),
    published: Annotated[
        str, typer.Option(help="Folder of the assets as the project names it.")
    ] = "assets/full",
    if_different: Annotated[
        Literal["report", "fail"],
        typer.Option(help="What to do if a file differs from the published one."),
    ] = "report",
    extra: Annotated[
        str | None, typer.Option(help="Also check that the packages of this extra are installed.")
    ] = None,
) -> None:
    """Check that the files in a folder of data are the published ones.

    The files are compared with the checksums in project.yml. Run this before experiments that take
    hours, so that their results can be compared with published results.

    Example: spacy-gladis dataset verify assets/full -o verified.json --if-different fail
    """
    from ...errors import InputError
    from ...files import write_json
    from ..datasets.published_files import published_checksums, verify_data
    from ..installed import check_extra

    if extra:
        check_extra(extra)
    report = verify_data(data, published_checksums(project, published))
    different = [name for name, state in report["files"].items() if state == "different"]
    if different and if_different == "fail":
        for name in different:
            typer.echo(f"{data / name} differs from the published file.", err=True)
        raise InputError(
            f"{len(different)} of {len(report['files'])} files differ from the published ones. "
            "Delete them and run 'spacy project assets' again."
        )
    write_json(output, report)
    counts = ", ".join(f"{number} {state}" for state, number in report["published"].items())
    typer.echo(f"{len(report['corpus'])} corpus shards. Published files: {counts}.")


@app.command()
def split(
    file: Annotated[Path, typer.Argument(help="Data file in any format that `audit` reads.")],
    output: Annotated[Path, typer.Option(help="Folder to write the parts to.")],
    by: Annotated[
        Literal["document", "acronym", "random"],
        typer.Option(help="What is kept in one part: a document, an acronym, or nothing (random)."),
    ] = "document",
    part: Annotated[
        list[str] | None,
        typer.Option(
            help="NAME=SIZE with relative sizes. Repeatable. Default: train=8 dev=1 test=1."
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Random seed. The same seed gives the same parts.")] = 0,
) -> None:
    """Split a data file into parts that have no document (or no acronym) in common.

    Records are copied unchanged. Each part is written to a file with the part's name and the
    extension of the original. A random split puts sentences of the same document into several
    parts, so that scores on its test part also reflect what a system memorized.

    Example: spacy-gladis dataset split sciad.json --output parts --by acronym
    """
    from ...errors import InputError
    from ..leakage.split_file import split_file

    shares: dict[str, float] = {}
    for share in part or ("train=8", "dev=1", "test=1"):
        name, _, size = share.partition("=")
        try:
            shares[name] = float(size)
        except ValueError:
            raise InputError(
                f"Invalid value '{share}' of --part. Expected NAME=SIZE, such as test=0.1."
            ) from None
    if not file.is_file():
        raise InputError(f"There is no file {file}. Check the path of the data file.")
    for name, count in split_file(file, output, shares, by, seed).items():
        typer.echo(f"{name}: {count:,}")


@app.command()
def describe(
    sets: Annotated[
        list[str],
        typer.Argument(
            metavar="NAME=PATH...", help="Data sets, each as a file or a folder of parts."
        ),
    ],
    output: Report = None,
) -> None:
    """Describe data sets with the figures that the paper of SciAI and SciAD reports.

    These are its Tables 1, 5 and 7 to 9, and its Figures 1 to 3. The data sets can be annotated
    texts (SciAI, SDU-22), samples (GLADIS, SDU-21, SDU-22) or dictionaries.

    Example: spacy-gladis dataset describe SciAI=sciai/dataset UAD=uad_test.json -o sets.md
    """
    from ...errors import InputError
    from ..report.description import describe as describe_set
    from ..report.description import description_table

    descriptions = {}
    for named_path in sets:
        name, _, path = named_path.partition("=")
        if not path:
            raise InputError(
                f"The data set '{named_path}' has no name. Write NAME=PATH, such as "
                "SciAI=sciai/dataset."
            )
        descriptions[name] = describe_set(Path(path))
    present({"sets": descriptions}, lambda results: [description_table(results["sets"])], output)


@app.command()
def construct(
    papers: Annotated[
        list[Path], typer.Argument(help="Papers in any format that 'corpus extract' reads.")
    ],
    output: Output,
    limit: Annotated[
        int, typer.Option(min=1, help="Maximum number of papers read from each file.")
    ] = 6786,
    annotator: Annotated[
        list[str] | None,
        typer.Option(help="System that annotates in place of a person. Repeatable."),
    ] = None,
    fourth: Annotated[
        str, typer.Option(help="System that decides if the others disagree.")
    ] = "ade",
) -> None:
    """Build data sets from papers, in the way that SciAI, SciAD and SciUAD were built.

    People annotated the sentences of SciAI. Here, several systems replace them. Writes sciai.json
    (tokens with labels), sciad.json and sciuad.json (samples in the format of GLADIS), and
    statistics.json.

    Example: spacy-gladis dataset construct papers.jsonl.zst --output sets
    """
    from itertools import islice

    from ...files import write_json
    from ..datasets.construction import Annotation
    from ..datasets.construction import construct as construct_sets
    from ..datasets.sample import write_gladis
    from ..extraction.docbin import AnnotatedText
    from ..mining.readers import read_documents
    from ..report.description import describe_marked, describe_samples, description_table
    from ..tasks.identification.data import Prediction, label
    from ..tasks.identification.system import SYSTEMS

    def as_annotator(name: str) -> Callable[[str], Annotation]:
        ((entry, _),) = SYSTEMS.select([name]).values()
        system = entry.system(**entry.settings({}))
        return lambda text: Annotation(*map(frozenset, system.answer(text)))

    texts = {
        f"{path.name.split('.')[0]}:{number}": document.text
        for path in papers
        for number, document in enumerate(islice(read_documents(path), limit))
    }
    annotators = annotator or ["rules", "uad", "character match"]
    made = construct_sets(texts, list(map(as_annotator, annotators)), as_annotator(fourth))
    write_json(
        output / "sciai.json",
        [
            {
                "id": sentence.id,
                "tokens": sentence.tokens,
                "labels": label(sentence, Prediction(*map(set, annotation))),
            }
            for sentence, annotation in made.sciai
        ],
    )
    marked = [
        AnnotatedText(sentence.text, [*annotation.short], [*annotation.long], [])
        for sentence, annotation in made.sciai
    ]
    sets = {"SciAI": describe_marked({"all": marked})}
    for name, samples in (("SciAD", made.sciad), ("SciUAD", made.sciuad)):
        write_gladis(output / f"{name.lower()}.json", samples)
        sets[name] = describe_samples({"all": samples})
    content = {"annotators": [*annotators, fourth], **made.figures, "sets": sets}
    present(
        content,
        lambda results: [description_table(results["sets"])],
        output / "statistics.json",
    )
