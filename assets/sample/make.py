"""Turn `senses.yml` into the files of the sample: corpora, benchmarks, concepts, treebank.

Each stands where the real one stands below a folder of data, in its publisher's format, so that
`project.yml` runs on either. Run it after a change: python assets/sample/make.py
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from typing import Any

import srsly
import zstandard

HERE = Path(__file__).parent
DOMAINS = {"general": "Town news", "scientific": "Papers", "biomedical": "Clinical notes"}
SHORTHAND = "All of this was seen at the brnch on Monday."
NEXT_SENSE = 5  # distance of the sense that some labelled texts also have, of another acronym
IN_CORPUS = 3  # of a sense's uses; benchmarks have the others, so that nothing leaks
TRAIN, DEV = 3, 4  # the uses that benchmarks train and are developed on

Sense = dict[str, Any]


def main(folder: Path = HERE) -> None:
    """Write every file below `folder`."""
    senses = srsly.read_yaml(HERE / "senses.yml")
    for number, sense in enumerate(senses, 1):
        sense["id"] = f"C{9_000_000 + number}"
    for name, text in chain(corpus(senses), disambiguation(senses), extraction(senses)):
        write(folder / name, text)
    for name, text in chain(linked_text(senses), concepts(senses), sense_verification(senses)):
        write(folder / name, text)
    for name, text in chain(treebank(senses), classes(senses), training(senses)):
        write(folder / name, text)


def corpus(senses: list[Sense]) -> Iterable[tuple[str, str]]:
    """Shards in the layout of The Pile: three documents a sense, each about two senses."""
    for domain, name in DOMAINS.items():
        domain_senses = [sense for sense in senses if sense["domain"] == domain]
        records = []
        for this, other in zip(domain_senses, domain_senses[1:] + domain_senses[:1], strict=True):
            for use in range(IN_CORPUS):
                first, second = this["uses"][use], other["uses"][use]
                sentence = f"Here {this['acronym']} stands for {this['long_form']}."
                opening = this["defined"][0] if use % 2 == 0 else f"{first} {sentence}"
                written_out = first.replace(this["acronym"], this["long_form"])
                text = "\n\n".join(
                    [
                        opening,
                        f"{second} {other['defined'][0]}",
                        f"{this['uses'][(use + 1) % IN_CORPUS]} {written_out}",
                    ]
                )
                records.append({"text": text, "meta": {"pile_set_name": name}})
        # One benchmark sentence in each shard, for the audit to find.
        leaked = f"{domain_senses[0]['defined'][0]} {domain_senses[0]['uses'][TRAIN]}"
        records.append({"text": leaked, "meta": {"pile_set_name": name}})
        yield f"corpus/{domain}.jsonl.zst", lines(records)


def disambiguation(senses: list[Sense]) -> Iterable[tuple[str, str]]:
    """GLADIS, SciAD (SDU-21) and SDU-22: which long form an acronym has in a sentence."""
    sets = {"uad": "general", "sciad": "scientific", "bio_umls": "biomedical"}
    candidates: dict[str, list[str]] = defaultdict(list)
    for sense in senses:
        candidates[sense["acronym"]].append(sense["long_form"])
    for name, domain in sets.items():
        domain_senses = [sense for sense in senses if sense["domain"] == domain]
        rows = [gladis(*pair, name) for pair in in_benchmarks(domain_senses)]
        counted = {
            acronym: [[long_form, 1] for long_form in candidates[acronym]]
            for acronym in sorted({sense["acronym"] for sense in domain_senses})
        }
        yield f"benchmarks/gladis/evaluation/test_set/{name}_test.json", lines(rows)
        yield f"benchmarks/gladis/evaluation/dict/{name}_dict.json", as_json(counted)
    for name, domain in (("general", "general"), ("biomedical", "biomedical")):
        domain_senses = [sense for sense in senses if sense["domain"] == domain]
        for part, use in (("train", TRAIN), ("dev", DEV)):
            rows = [gladis(sense, sense["uses"][use], sense["class"]) for sense in domain_senses]
            yield f"benchmarks/gladis/input/dataset/{name}/{part}.json", lines(rows)
    domain_senses = [sense for sense in senses if sense["domain"] == "scientific"]
    for part, use in (("train", TRAIN), ("dev", DEV)):
        rows = [sciad(number, sense, sense["uses"][use]) for number, sense in enumerate(senses)]
        yield f"benchmarks/sciad/dataset/{part}.json", as_json(rows)
    yield "benchmarks/sciad/dataset/diction.json", as_json(candidates)
    rows = [
        {
            "sentence": use,
            "acronym": sense["acronym"],
            "label": sense["long_form"],
            "ID": str(number),
        }
        for number, (sense, use) in enumerate(in_benchmarks(domain_senses))
    ]
    for name, content in (("train", rows), ("diction", candidates)):
        yield f"benchmarks/sdu22-ad/data/english/scientific/{name}.json", as_json(content)


def gladis(sense: Sense, use: str, kind: str) -> dict[str, Any]:
    """A row of GLADIS; its UAD set is lower-cased and marks the acronym's place."""
    words = tokens(use)
    if kind == "uad":
        words = ["__ABB__" if word == sense["acronym"] else word.lower() for word in words]
    long_form, acronym = sense["long_form"], sense["acronym"]
    return {
        "index": 0,
        "short_term": acronym,
        "long_term": long_form,
        "type": kind,
        "tokens": words,
    }


def sciad(number: int, sense: Sense, use: str) -> dict[str, Any]:
    """A row of SciAD: the acronym is the number of a token."""
    words = tokens(use)
    place = words.index(sense["acronym"])
    name = f"SD-{number}"
    return {"id": name, "tokens": words, "acronym": place, "expansion": sense["long_form"]}


def extraction(senses: list[Sense]) -> Iterable[tuple[str, str]]:
    """SciAI (labels of tokens), SDU-22 (offsets) and BioC (pairs): where definitions are."""
    parts = {"train": senses[::2] + senses[1::4], "dev": senses[3::4]}
    for part, members in parts.items():
        texts = [*((sense, sense["defined"][1]) for sense in members), *in_benchmarks(members)]
        rows = [labelled(number, *pair) for number, pair in enumerate(texts)]
        yield f"benchmarks/sciai/dataset/{part}.json", as_json(rows)
        rows = [marked(number, *pair) for number, pair in enumerate(texts)]
        yield f"benchmarks/sdu22-ae/data/english/scientific/{part}.json", as_json(rows)
    domain_senses = [sense for sense in senses if sense["domain"] == "biomedical"]
    documents = "".join(bioc(number, sense) for number, sense in enumerate(domain_senses))
    head = '<?xml version="1.0" encoding="UTF-8"?>\n<collection><source>sample</source>'
    yield (
        "benchmarks/bioc/Ab3P-BioC/Ab3P_bioc_gold.xml",
        f"{head}<date>2026</date><key>none</key>\n{documents}</collection>\n",
    )


def labelled(number: int, sense: Sense, text: str) -> dict[str, Any]:
    """A row of SciAI."""
    words = tokens(text)
    labels = ["O"] * len(words)
    for kind, form in (("short", sense["acronym"]), ("long", sense["long_form"])):
        wanted = [word.lower() for word in tokens(form)]
        for start in range(len(words) - len(wanted) + 1):
            if [word.lower() for word in words[start : start + len(wanted)]] == wanted:
                labels[start : start + len(wanted)] = [f"I-{kind}"] * len(wanted)
                labels[start] = f"B-{kind}"
    return {"id": f"TR-{number}", "tokens": words, "labels": labels}


def marked(number: int, sense: Sense, text: str) -> dict[str, Any]:
    """A row of SDU-22's extraction."""
    result = {
        name: [list(place.span()) for place in re.finditer(rf"\b{re.escape(form)}\b", text, flags)]
        for name, form, flags in (
            ("acronyms", sense["acronym"], 0),
            ("long-forms", sense["long_form"], re.IGNORECASE),
        )
    }
    return {"text": text, **result, "ID": str(number)}


def bioc(number: int, sense: Sense) -> str:
    """A document of BioC with its definition."""
    text = " ".join((sense["defined"][1], *sense["uses"][IN_CORPUS:]))
    places = marked(number, sense, text)
    forms = {"ShortForm": places["acronyms"][0], "LongForm": places["long-forms"][0]}
    annotations = "".join(
        f'<annotation id="{kind[0]}0"><infon key="type">ABBR</infon>'
        f'<infon key="ABBR">{kind}</infon><location offset="{start}" length="{end - start}"/>'
        f"<text>{text[start:end]}</text></annotation>"
        for kind, (start, end) in forms.items()
    )
    nodes = "".join(f'<node refid="{kind[0]}0" role="{kind}"/>' for kind in forms)
    return (
        f"<document><id>{number}</id><passage><offset>0</offset><text>{text}</text>{annotations}"
        f'<relation id="R0"><infon key="type">ABBR</infon>{nodes}</relation>'
        "</passage></document>\n"
    )


def linked_text(senses: list[Sense]) -> Iterable[tuple[str, str]]:
    """WikilinksNED and MedMentions, of which evaluation sets are made, with their references."""
    mentions, entities, articles, names = [], [], [], []
    for sense in senses:
        uses = sense["uses"][IN_CORPUS:]
        spelt = [re.sub(rf"\b{sense['acronym']}\b", sense["long_form"], use) for use in uses]
        if sense["domain"] == "biomedical":
            articles.append(pubtator(sense, spelt))
            atoms = ((sense["long_form"], "PF", "Y"), (sense["acronym"], "VO", "N"))
            names += [
                f"{sense['id']}|ENG|P|L0|{form}|S0|{preferred}|A0||||SAMPLE|PT|0|{name}|0|N|256|"
                for name, form, preferred in atoms
            ]
            continue
        for text in spelt:
            left, _, right = text.partition(sense["long_form"])
            mentions.append(
                {
                    "left_context": tokens(left),
                    "mention_as_list": tokens(sense["long_form"]),
                    "right_context": tokens(right),
                    "y_title": sense["long_form"].replace(" ", "_"),
                }
            )
        english = {"language": "en", "value": sense["long_form"]}
        entities.append(
            {
                "id": "Q" + sense["id"][1:],
                "labels": {"en": english},
                "aliases": {"en": [{"language": "en", "value": sense["acronym"]}]},
                "sitelinks": {"enwiki": {"site": "enwiki", "title": sense["long_form"]}},
                "claims": {},
            }
        )
    yield "benchmarks/wikilinks/unseen.json", lines(mentions)
    rows = ",\n".join(map(json.dumps, entities))
    yield "ontologies/wikidata/entities.json", f"[\n{rows}\n]\n"
    yield "benchmarks/medmentions-sample/med_mentions.txt", "\n".join(articles)
    yield "ontologies/umls/MRCONSO.RRF", "\n".join(names) + "\n"


def pubtator(sense: Sense, texts: list[str]) -> str:
    """An article in PubTator's format, whose mentions are linked to the sense."""
    name, title, abstract = sense["id"][1:], texts[0], " ".join(texts[1:])
    rows = [
        f"{name}\t{at.start()}\t{at.end()}\t{at.group()}\tT000\tUMLS:{sense['id']}"
        for at in re.finditer(re.escape(sense["long_form"]), f"{title}\n{abstract}")
    ]
    return "\n".join((f"{name}|t|{title}", f"{name}|a|{abstract}", *rows)) + "\n"


ROOT = "SAMPLE:9000000"


def concepts(senses: list[Sense]) -> Iterable[tuple[str, str]]:
    """An inventory of concepts (OBO), and what people call them in COMETA's layout."""
    domain_senses = [sense for sense in senses if sense["domain"] == "biomedical"]
    terms = [
        f"[Term]\nid: SAMPLE:{sense['id'][1:]}\nname: {sense['long_form']}\n"
        f'def: "{sense["definition"]}" '
        f'[]\nsynonym: "{sense["acronym"]}" EXACT []\nis_a: {ROOT} ! clinical term\n'
        for sense in domain_senses
    ]
    head = f"format-version: 1.2\nontology: sample\n\n[Term]\nid: {ROOT}\nname: clinical term\n\n"
    yield "ontologies/sample/sample.obo", head + "\n".join(terms)
    header = "ID\tTerm\tGeneral SNOMED ID\tSpecific SNOMED ID\tExample"
    rows = [
        f"{sense['id']}{number}\t{term}\tSAMPLE:{sense['id'][1:]}\tSAMPLE:{sense['id'][1:]}\t"
        f"They told me about {term} yesterday."
        for sense in domain_senses
        for number, term in enumerate((sense["long_form"].lower(), *sense["lay"]))
    ]
    for split, offset in (("train", 0), ("dev", 1), ("test", 2)):
        part = [row for number, row in enumerate(rows) if max(0, number % 4 - 1) == offset]
        for kind in ("stratified_general", "stratified_specific"):
            yield f"benchmarks/cometa/splits/{kind}/{split}.csv", "\n".join([header, *part]) + "\n"


def sense_verification(senses: list[Sense]) -> Iterable[tuple[str, str]]:
    """WiC-TSV: does the acronym have this definition, these hypernyms, in this sentence?"""
    folders = {
        "Training": ("train", TRAIN, 0),
        "Development": ("dev", DEV, 0),
        "Test": ("test", DEV, 1),
    }
    for folder, (stem, use, turn) in folders.items():
        columns: dict[str, list[str]] = defaultdict(list)
        for number, sense in enumerate(senses):
            rivals = [s for s in senses if s["acronym"] == sense["acronym"] and s is not sense]
            right = (number + turn) % 2 == 0
            shown = sense if right else rivals[0]
            words = tokens(sense["uses"][use])
            place = words.index(sense["acronym"])
            columns["examples"].append(f"{sense['acronym']}\t{place}\t{' '.join(words)}")
            columns["definitions"].append(shown["definition"])
            columns["hypernyms"].append("\t".join(shown["hypernyms"]))
            columns["labels"].append("T" if right else "F")
            columns["domains"].append(str(list(DOMAINS).index(sense["domain"])))
        del columns["labels" if stem == "test" else "domains"]
        for name, column in columns.items():
            yield f"benchmarks/wic-tsv/data/en/{folder}/{stem}_{name}.txt", "\n".join(column) + "\n"


def classes(senses: list[Sense]) -> Iterable[tuple[str, str]]:
    """Sentences with a label in SST-2's layout: is it about medicine?"""
    for part, use in (("train", TRAIN), ("test", DEV)):
        rows = (
            f"{sense['uses'][use]}\t{int(sense['domain'] == 'biomedical')}\n" for sense in senses
        )
        yield f"benchmarks/sst2/{part}.tsv", "".join(rows)


SENTENCES = {
    "train": "The/DET/DT/det/2 report/NOUN/NN/nsubj/3 mentions/VERB/VBZ/root/0 the/DET/DT/det/+1 "
    "{}/NOUN/NN/obj/3 ./PUNCT/./punct/3",
    "dev": "We/PRON/PRP/nsubj/2 know/VERB/VBP/root/0 the/DET/DT/det/+1 {}/NOUN/NN/obj/2 "
    "./PUNCT/./punct/2",
}
"""Words with part of speech, tag, relation and head (+1: the noun), by the part of a treebank."""


def treebank(senses: list[Sense]) -> Iterable[tuple[str, str]]:
    """A treebank in CoNLL-U, a sentence for each sense."""
    for part, sentence in SENTENCES.items():
        blocks = []
        for sense in senses:
            *modifiers, noun = sense["long_form"].split()
            cells = [cell.rsplit("/", 4) for cell in sentence.split()]
            at = next(place for place, cell in enumerate(cells) if cell[0] == "{}")
            head = at + 1 + len(modifiers)
            cells[at][0] = noun
            cells[at:at] = [[word, "NOUN", "NN", "compound", str(head)] for word in modifiers]
            rows = []
            for number, (word, *tags, relation, above) in enumerate(cells, 1):
                above = str(head) if above == "+1" else above
                row = (str(number), word, word.lower(), *tags, "_", above, relation, "_", "_")
                rows.append("\t".join(row))
            blocks.append("\n".join([f"# text = {' '.join(c[0] for c in cells)}", *rows]) + "\n")
        yield f"treebanks/ud-english-ewt/en_ewt-ud-{part}.conllu", "\n".join(blocks) + "\n"


def training(senses: list[Sense]) -> Iterable[tuple[str, str]]:
    """Labelled texts that the linker is fitted on: passages, documents and written texts."""
    passages, labels, documents, written = [], ["passage\tspans\tspelling\tmeaning"], [], []
    for number, sense in enumerate(senses):
        labelled, uses = [sense], sense["uses"][:IN_CORPUS]
        if number % 3 == 0:  # only texts with two acronyms get random letters
            labelled.append(senses[(number + NEXT_SENSE) % len(senses)])
            uses = [*uses, labelled[1]["uses"][0]]
        text = " ".join([*uses, SHORTHAND])
        mentions = []
        source = f"sample/{sense['domain']}-{number % 8}"
        row = {"id": f"p{number}", "text": text, "kind": sense["domain"], "source": f"{source}@1"}
        passages.append({**row, "licence": "CC0 1.0"})
        for item in labelled:
            acronym, long_form = item["acronym"], item["long_form"]
            spans = [match.span() for match in re.finditer(rf"\b{re.escape(acronym)}\b", text)]
            offsets = ",".join(f"{start}-{end}" for start, end in spans)
            labels.append(f"p{number}\t{offsets}\t{acronym}\t{long_form}")
            mentions += [
                ({"start": start, "end": end, "acronym": acronym}, long_form)
                for start, end in spans
            ]
        if number % 2:  # in the other passages, the word is not an abbreviation
            start = text.index("brnch")
            labels.append(f"p{number}\t{start}-{start + 5}\tbrnch\tbranch")
        written.append(
            {
                "id": f"w{number}",
                "field": sense["domain"],
                "text": text,
                "mentions": [
                    {**mention, "long_forms": [long_form]} for mention, long_form in mentions
                ],
            }
        )
        documents.append(
            {
                "repo": source,
                "path": f"{number}.md",
                "field": sense["domain"],
                "text": text,
                "mentions": [
                    {**mention, "long_form": long_form, "defined": False}
                    for mention, long_form in mentions
                ],
            }
        )
    yield "training/texts.jsonl.zst", lines(passages)
    yield "training/labels.tsv", "\n".join(labels) + "\n"
    yield "training/corpus_passages.tsv", "passage\tkind\tshard\tline\tstart\tend\n"
    yield "training/documents.jsonl.zst", lines(documents)
    yield "training/written_texts.jsonl", lines(written)


def in_benchmarks(senses: Iterable[Sense]) -> list[tuple[Sense, str]]:
    """Each sense with each of its uses that no corpus shows."""
    return [(sense, use) for sense in senses for use in sense["uses"][IN_CORPUS:]]


def tokens(text: str) -> list[str]:
    """Words, numbers and single marks."""
    return re.findall(r"[\w'-]+|[^\w\s]", text)


def lines(records: Iterable[Any]) -> str:
    """Records as JSON lines."""
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def as_json(content: Any) -> str:
    """Readable JSON, a record a line where it is a list."""
    if isinstance(content, list):
        return (
            "[\n"
            + ",\n".join(json.dumps(record, ensure_ascii=False) for record in content)
            + "\n]\n"
        )
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def write(path: Path, text: str) -> None:
    """Write a file, compressed where its name says so."""
    path.parent.mkdir(parents=True, exist_ok=True)
    data = text.encode("utf-8")
    path.write_bytes(zstandard.compress(data, 19) if path.suffix == ".zst" else data)


if __name__ == "__main__":
    main()
