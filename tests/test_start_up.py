"""What importing the package loads."""

import subprocess
import sys
import textwrap

import pytest

from tests.support.paths import ROOT

TOK2VEC = {
    "@architectures": "spacy.HashEmbedCNN.v2",
    "pretrained_vectors": None,
    "width": 8,
    "depth": 1,
    "embed_size": 50,
    "window_size": 1,
    "maxout_pieces": 2,
    "subword_features": True,
}


def run(code: str) -> str:
    """Run Python in a process of its own; returns what it prints."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


# thinc itself imports torch wherever it is installed, and spacy-transformers' own entry points
# import torch and transformers; both happen without us. Here all of them are out of reach, as in
# a plain installation.
WITHOUT_TORCH = """
    import importlib.metadata, os, sys

    class Blocked:
        def find_spec(self, name, path=None, target=None):
            if name.split(".")[0] in ("torch", "transformers", "spacy_transformers", "scispacy"):
                raise ModuleNotFoundError(f"{name} is out of reach", name=name)

    sys.meta_path.insert(0, Blocked())
    import catalogue

    class OthersLeftOut:
        def select(self, group, **name):
            points = importlib.metadata.entry_points(group=group, **name)
            needing_torch = ("spacy_transformers", "scispacy")
            keep = [p for p in points if not p.value.startswith(needing_torch)]
            return importlib.metadata.EntryPoints(keep)

    catalogue.AVAILABLE_ENTRY_POINTS = OthersLeftOut()
"""


def test_what_a_text_defines_needs_no_network():
    printed = run(
        WITHOUT_TORCH
        + """
    import spacy
    nlp = spacy.blank("en")
    nlp.add_pipe("acronym_detector")
    nlp.add_pipe("acrobert_linker")
    doc = nlp("World Health Organization (WHO). The WHO said so.")
    print([span.kb_id_ for span in doc.spans["acronyms"]])
    print(sorted({"onnxruntime", "spacy_gladis.linking.acrobert"} & sys.modules.keys()))
    """
    )
    assert printed.splitlines() == [
        "['World Health Organization', 'World Health Organization']",
        "[]",
    ]


@pytest.mark.parametrize(
    "call",
    [
        ["annotate", "--definitions-only"],
        ["glossary", "--no-resolve"],
        ["lint", "--select", "AC001"],
    ],
    ids=" ".join,
)
def test_commands_that_ask_nothing_of_the_linker_never_load_its_network(tmp_path, call):
    path = tmp_path / "text.txt"
    path.write_text("World Health Organization (WHO). The WHO met the MRI.")
    printed = run(
        f"""
        import sys
        from spacy_gladis.cli import main
        sys.argv = ["spacy-gladis", *{[*call, str(path)]!r}]
        try:
            main()
        except SystemExit:
            pass
        print(sorted({{"onnxruntime", "spacy_gladis.linking.acrobert"}} & sys.modules.keys()))
        """
    )
    assert printed.endswith("[]")
    assert "World Health Organization" in printed or call[0] == "lint"
    assert "magnetic resonance imaging" not in printed


def test_a_plain_installation_resolves_learns_saves_and_loads(tmp_path):
    printed = run(
        WITHOUT_TORCH
        + f"""
    import spacy
    from spacy.training import Example
    nlp = spacy.blank("en")
    nlp.add_pipe("acronym_detector")
    linker = nlp.add_pipe("acrobert_linker")
    print(nlp("The MRI showed no lesion.")._.acronyms[0]._.long_form)
    text = "The PT said so."
    entities = nlp(text)
    reference = nlp.make_doc(text)
    span = reference.char_span(4, 6, label="ACRONYM", kb_id="prothrombin time")
    reference.spans["acronyms"] = [span]
    optimizer = nlp.resume_training()
    optimizer.learn_rate = 0.1
    for _ in range(8):
        nlp.update([Example(entities, reference)], sgd=optimizer)
    print(nlp(text)._.acronyms[0]._.long_form)
    nlp.to_disk({str(tmp_path / "pipeline")!r})
    again = spacy.load({str(tmp_path / "pipeline")!r})
    print(again(text)._.acronyms[0]._.long_form)
    print([d._.acronyms[0]._.long_form for d in again.pipe([text] * 2, n_process=2, batch_size=1)])
    """
    )
    long_form = "prothrombin time"
    assert printed.splitlines() == [
        "magnetic resonance imaging",
        long_form,
        long_form,
        str([long_form] * 2),
    ]


def test_concepts_senses_and_the_tagger_need_no_torch(tmp_path):
    pytest.importorskip("sklearn")
    printed = run(
        WITHOUT_TORCH
        + f"""
    import spacy
    from spacy.training import Example
    from spacy_gladis.cli import main
    names, built = {str(tmp_path / "names.tsv")!r}, {str(tmp_path / "built.concepts")!r}
    with open(names, "w") as file:
        file.write("id\\tname\\nC1\\tmyocardial infarction\\nC1\\theart attack\\nC2\\tdiabetes\\n")
    sys.argv = ["spacy-gladis", "concepts", "build", names, "--output", built]
    try:
        main()
    except SystemExit:
        pass
    nlp = spacy.blank("en")
    nlp.add_pipe("sense_verifier", config={{"senses": {{"MRI": "magnetic resonance imaging"}}}})
    linker = nlp.add_pipe("concept_linker", config={{"inventory": built}})
    doc = nlp.make_doc("The MRI showed a heart attack.")
    doc.spans["terms"] = [doc[4:6]]
    print([span.kb_id_ for key in ("terms", "senses") for span in nlp(doc).spans[key]])
    tagger = spacy.blank("en")
    model = {{"@architectures": "spacy-gladis.AcronymTagger.v1", "tok2vec": {TOK2VEC}}}
    tagger.add_pipe("acronym_detector", config={{"model": model}})
    gold = tagger.make_doc("A pump (PP) here.")
    gold.spans["acronyms"] = [gold.char_span(8, 10, label="ACRONYM")]
    gold.spans["long_forms"] = [gold.char_span(2, 6, label="LONG_FORM")]
    example = Example(tagger.make_doc(gold.text), gold)
    optimizer = tagger.initialize(lambda: [example])
    print(tagger.update([example], sgd=optimizer)["acronym_detector"] > 0)
    """
    )
    assert printed.splitlines()[-2:] == ["['C1', 'MRI']", "True"]


@pytest.mark.parametrize(
    ("call", "extra"),
    [
        (["train", "acrobert", str(ROOT / "configs/acrobert.cfg"), "-o", "run"], "research"),
        (["train", "import", ".", "-o", "imported"], "research"),
        (["evaluate", "wic-tsv", "."], "research"),
    ],
    ids=str,
)
def test_a_command_without_torch_names_the_extra(call, extra):
    printed = run(
        WITHOUT_TORCH
        + f"""
    from spacy_gladis.cli import main
    sys.argv, sys.stderr = ["spacy-gladis", *{call!r}], sys.stdout
    try:
        main()
    except SystemExit as stopped:
        print(stopped.code)
    """
    )
    assert f"pip install 'spacy-gladis[{extra}]'" in printed and printed.endswith("2")
    assert "Traceback" not in printed


def test_a_gpu_or_a_checkpoint_without_torch_names_the_extra(tmp_path):
    printed = run(
        WITHOUT_TORCH
        + f"""
    from spacy_gladis.errors import MissingExtraError
    from spacy_gladis.linking import AcroBERT
    packaged, checkpoint = AcroBERT.load(), {str(tmp_path / "checkpoint")!r}
    packaged.save(checkpoint)
    os.remove(checkpoint + "/acrobert.json")  # what others publish has none
    for use in (lambda: packaged.to("cuda"), lambda: AcroBERT.load(checkpoint)):
        try:
            use()
        except MissingExtraError as error:
            print(error)
    """
    )
    assert printed.count("pip install 'spacy-gladis[gpu]'") == 2


def test_our_entry_points_load_nothing_heavy():
    """Any `Language()` loads them all, so a user of spaCy alone pays for them."""
    loaded = run(
        """
        import sys
        import spacy
        from importlib.metadata import entry_points
        before = set(sys.modules)
        groups = ("spacy_factories", "spacy_architectures", "spacy_callbacks", "spacy_scorers")
        for group in groups:
            for point in entry_points(group=group):
                if point.value.startswith("spacy_gladis"):
                    point.load()
        new = {name.split(".")[0] for name in set(sys.modules) - before}
        print(sorted(new - sys.stdlib_module_names))
        """
    )
    assert loaded == "['numpy', 'spacy_gladis']"
