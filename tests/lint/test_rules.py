"""Each rule: what it finds and where, and what it leaves alone."""

import pytest

from spacy_gladis.documents.formats import read_text
from spacy_gladis.lint.detector import load_detector
from spacy_gladis.lint.run import lint
from spacy_gladis.lint.settings import Settings
from spacy_gladis.pipeline.findings import write_answers
from spacy_gladis.resolution import Resolution

DEFINED = "The European Union (EU) is large. The EU grows.\n"
FREEDOM = "A degree of freedom (DOF) is large. The DOF grows.\n"
FAR = "\n\n" + "All of it is here. " * 12 + "\n\n"
ALIKE = "All the {} rules of the European Union (EU) are read by all of them there.\n\n"
LATER = "\n\nAn EU or a DOF grows.\n\nAn EU or a DOF grew."
ADOPTED = DEFINED + "An EU law is a law of the EU.\n"

CASES = [
    ("AC001", "The NBA plays. An NBA game.", ["NBA"]),
    ("AC001", DEFINED, []),
    ("AC001", "We met Ann MS Smith, and call now(UTC).", []),
    ("AC001", "A WHO rule: it MUST hold for the World Health Organization.", []),
    ("AC001", "It uses NumPy and VMwareVCDriver, the 'NBA' key and a NEW way to GET /NBA.", []),
    ("AC001", "| the NBA | CBS |\n|---|---|\n| NBC | the FBI |\n", ["NBA", "FBI"]),
    ("AC001", "Lee NBA, Smith A (2020). Of games. doi: 10/b.", []),
    ("AC001", "TASK 1: read.\n\n- STEP 2. Go on.\n- **GOAL**: all.\n\nNBA: games.", ["NBA:"]),
    ("AC001", "The STEP: all of it.\n\nTASK is met.", ["STEP:", "TASK"]),
    ("AC001", "An NBA game.\n\n*[NBA]: National Basketball Association", []),
    (
        "AC001",
        "<!-- acronyms: off -->An NBA game.<!-- acronyms: on -->\n\nThe NBA plays.",
        ["NBA"],
    ),
    ("AC002", "The EU is here.\n\n" + DEFINED, ["EU"]),
    ("AC002", "# EU rules\n\nAn EU rule is old.\n\n" + DEFINED, ["EU"]),
    ("AC002", "# EU rules\n\n" + DEFINED, []),
    ("AC002", "- *EU*. The European Union (EU).\n- The unions of Europe aka EU.", []),
    ("AC002", "The European Union aka EU grows. A European Union (EU).", []),
    ("AC002", "# What is an EU?\n\n" + DEFINED, []),
    ("AC002", "What is an EU?\n\n" + DEFINED, []),
    ("AC002", "What is an EU?\n--------------\n\n" + DEFINED, []),
    ("AC002", "An EU is the enemy union EU.", []),
    ("AC002", "All unions of Europe (old EU). " + DEFINED, []),
    ("AC002", "All (the EU, or none).\n\n" + DEFINED, ["EU,"]),
    ("AC002", "Take the EU: it is large. " + DEFINED, []),
    ("AC002", "Take the EU" + ", all of it" * 20 + ". " + DEFINED, []),
    ("AC002", "Take the EU" + ", all of it" * 20 + ".\n\n" + DEFINED, ["EU,"]),
    ("AC002", "The union of Europe, the European union.\n\nAn EU is old.\n\n" + DEFINED, []),
    ("AC002", "An EU is old.\n\nThe European union grows.\n\n" + DEFINED, ["EU"]),
    ("AC002", "See the [old EU law](a.md), it is here.\n\n" + DEFINED, []),
    ("AC002", "# FAQ\n\nAn EU is old.\n\n# Use\n\n" + DEFINED, []),
    ("AC002", "# Fact\n\nAn EU is old.\n\n# Use\n\n" + DEFINED, ["EU"]),
    ("AC002", "An Old EU Law. " + DEFINED, []),
    ("AC002", "EU:\n\n" + DEFINED, []),
    ("AC002", "The EU is here.\n\n*[EU]: European Union\n", []),
    ("AC002", 'The "EU" key.\n\n' + DEFINED, []),
    ("AC002", 'The "EU law" key is old.\n\n' + DEFINED, ["EU"]),
    ("AC002", "An EU (enemyunion) here.\n\n" + DEFINED, []),
    ("AC002", "An EU (all) is here.\n\n" + DEFINED, ["EU"]),
    ("AC002", "An old EU law.\n\n- The European Union (EU) Law: <https://a.eu>", []),
    ("AC002", "An old EU law.\n\n- The European Union (EU) Law.", []),
    ("AC002", "An old EU law.\n\n- The European Union (EU) of law.", ["EU"]),
    ("AC002", "An old EU law.\n\nThe European Union (EU) is at https://a.eu", ["EU"]),
    ("AC002", "An old EU law.\n\nThe [European Union (EU)](https://a.eu) is large.", ["EU"]),
    ("AC002", "An old EU law.\n\nThe European Union (EU) <https://a.eu>\nis large.", ["EU"]),
    ("AC002", "An EU is a unit, a European\nUnion.\n\n" + DEFINED, []),
    ("AC002", "An EU here.\n\nThe European Union (EU) Load and Link Format.", []),
    ("AC002", "An EU is here.\n\nThe European Union (EU) and Link Format.", ["EU"]),
    ("AC002", "The ID is here.\n\nAn Internet draft (ID).", []),
    ("AC002", "An OP-EU and an EU-for-ALL.\n\n" + DEFINED, []),
    ("AC002", "An old EU-wide law.\n\n" + DEFINED, ["EU-wide"]),
    ("AC002", "An EU law (enemy union) is here.\n\n" + DEFINED, []),
    ("AC002", "An EU-European Union here, an EU.\n\n" + DEFINED, []),
    ("AC002", "An EU here.\n\nThe European Union (EU) Data Format.", []),
    ("AC002", "An EU here.\n\nIt is European Unity (EU and UN only).", []),
    ("AC002", "## Changes\n\nAn EU is new.\n\n## Use\n\n" + DEFINED, []),
    ("AC002", "## 1.2.0\n\nAn EU is new.\n\n## Use\n\n" + DEFINED, []),
    ("AC002", "## Use\n\nAn EU is new.\n\n## Changes\n\n" + DEFINED, ["EU"]),
    ("AC002", "EU stands for all of it.\n\nAn EU is new.\n\n" + DEFINED, []),
    ("AC002", "EU is all of it.\n\nAn EU is new.\n\n" + DEFINED, ["EU"]),
    ("AC002", "All of it: EU - European unit.\n\nAn EU is new.\n\n" + DEFINED, []),
    ("AC002", "| EU | is here |\n|---|---|\n| all | is here |\n\n" + DEFINED, []),
    ("AC002", "An EU is here.\n\n# The European Union (EU)\n\nAll.", []),
    ("AC002", "An EU is new.\n\n## References\n\nThe European Union (EU). Ann Lee.", []),
    ("AC002", "An EU is new." + FAR + "- **EU** (European Union): it is large.", []),
    ("AC002", "An EU is new." + FAR + "- **All** of the European Union (EU): it is large.", []),
    ("AC002", "An EU is new." + FAR + "- **All** of the European Union (EU) is large.", ["EU"]),
    (
        "AC002",
        "- **See (all, the EU)** is old, it is said." + FAR + DEFINED,
        [],
    ),
    (
        "AC002",
        "- **See** all, the EU, it is said." + FAR + DEFINED,
        ["EU,"],
    ),
    ("AC002", "An EU is new.\n\nCopyright 2017 European Union (EU).", []),
    ("AC002", "An EU is new.\n\nIn 2017 came the European Union (EU).", ["EU"]),
    ("AC002", "A DOF is here, DOF = the number of all degrees\nof freedom." + FAR + FREEDOM, []),
    ("AC002", "A DOF is here, DOF = the number of all degrees\nof heat." + FAR + FREEDOM, ["DOF"]),
    ("AC002", "Reference: UN | EU\nAll of it is here.\n\n" + DEFINED, []),
    ("AC002", "Reference: all of the EU\nAll of it is here.\n\n" + DEFINED, ["EU"]),
    ("AC002", "An EU is new.\n\n# Glossary\n\nThe old European Union (EU) is here.", []),
    ("AC002", "# Glossary\n\nThe EU is here.\n\n# Text\n\n" + DEFINED, []),
    ("AC002", "An old Brave EU and the Brave EU.\n\n" + DEFINED, []),
    ("AC002", "An old Brave EU and a brave one.\n\n" + DEFINED, ["EU"]),
    ("AC002", "Brave EU law is old.\n\n" + DEFINED, ["EU"]),
    ("AC002", "## Version 1.2.0\n\nAn EU is new.\n\n## Use\n\n" + DEFINED, []),
    ("AC002", "An EU is old.\n\nIt is all of enemy units (EU, UserOne, etc.) here.", []),
    ("AC002", "An EU is old.\n\nIt is all of enemy units (EU) here.", ["EU"]),
    ("AC002", "An Ry is old.\n\nIt is of relatively heavy ($> 1$ Ry) units.", []),
    ("AC002", 'An EU is old.\n\nSay so: "an old European Union (EU) is here".', []),
    ("AC002", 'An EU is old.\n\nSay "so": an old European Union (EU) is here.', ["EU"]),
    ("AC002", "An EU is old.\n\nLee, A., 2015. The old European Union (EU): all.", []),
    ("AC002", "An EU is old.\n\nLee came, 2015. It is the old European Union (EU).", ["EU"]),
    ("AC002", "An EU is old.\n\n## License\n\n" + DEFINED, []),
    ("AC002", "An EU is old.\n\n## Licensing people\n\n" + DEFINED, []),
    ("AC002", "An EU is old.\n\n## Licensed people\n\n" + DEFINED, ["EU"]),
    ("AC002", "| all |\n|---|\n| European Union (EU) |\n\nAn EU is old.\n\n" + DEFINED, []),
    ("AC002", "The European Union (EU) Licence is old.\n\nAn EU is old.\n\n" + DEFINED, []),
    ("AC002", "The European Unit (UE) Licence is old.\n\nAn EU is old.\n\n" + DEFINED, ["EU"]),
    ("AC002", "Lee et al. have a European Union (EU).\n\nAn EU is.\n\n" + DEFINED, []),
    ("AC003", DEFINED + "\n\nThe European Union (EU) is here again.", ["EU)"]),
    ("AC003", "# Abstract\n\n" + DEFINED + "\n\n# Text\n\nIt is the old European Union (EU).", []),
    (
        "AC003",
        "# Abstracts\n\n" + DEFINED + "\n\n# Text\n\nIt is the old European Union (EU).",
        ["EU)."],
    ),
    (
        "AC003",
        f"**Note**: all is here.\n\n{DEFINED}\n\n**Caution**: all is here.\n\n{DEFINED}",
        ["EU)"],
    ),
    (
        "AC003",
        f"**In**: all is here.\n\n  {DEFINED}\n\n**Out**:\n\n  All is here.\n\n  {DEFINED}",
        [],
    ),
    ("AC003", DEFINED + "\n\n# Glossary\n\nIt is the old European Union (EU).", []),
    ("AC003", DEFINED + "\n\n### --eu\n\nIt is old.\n\nIt is the old European Union (EU).", []),
    (
        "AC003",
        DEFINED + "\n\n### -- eu\n\nIt is old.\n\nIt is the old European Union (EU).",
        ["EU)."],
    ),
    ("AC003", DEFINED + "\n\n### `eu()`\n\nIt is old.\n\nIt is the old European Union (EU).", []),
    (
        "AC003",
        "- **In** - has an old European Union (EU).\n- **Out** - has a European Union (EU).",
        [],
    ),
    ("AC003", DEFINED + "- **Out** has a new European Union (EU).", ["EU)."]),
    (
        "AC003",
        "- Take: it has an old European Union (EU).\n- Leave: it has a new European Union (EU).",
        [],
    ),
    ("AC003", DEFINED + "- Leave: it has a new European Union (EU).", ["EU)."]),
    (
        "AC003",
        "--in\n: It has an old European Union (EU).\n\n--out\n: It has a new European Union (EU).",
        [],
    ),
    ("AC003", DEFINED + "\n\nBug 123456 - It has a new European Union (EU) here.", []),
    ("AC003", "# The European Union (EU)\n\n" + DEFINED, []),
    ("AC003", DEFINED + '\n\nAn <abbr title="European Union">EU</abbr> law.', []),
    ("AC003", DEFINED + "\n\n| A | B |\n|---|---|\n| EU | European Union |\n", []),
    ("AC003", DEFINED + "\n\n[All of the European Union (EU) reports](http://a.eu).", []),
    ("AC003", DEFINED + "\n\n[European Union (EU)](http://a.eu) is here again.", []),
    ("AC003", "[European Union (EU)](#eu).\n\n" + DEFINED, []),
    ("AC003", DEFINED, []),
    ("AC003", DEFINED + "\n\nAll of the European Union (EMU, EU or EFTA).", []),
    ("AC003", DEFINED + "\n\n#1234: An European Union (EU) again.", []),
    ("AC003", DEFINED + "\n\nThe EU (EU_KEY of the European Union).", []),
    ("AC003", DEFINED + '\n\nSee "Law of the European Union (EU)" by Ann Lee.', []),
    ("AC003", DEFINED + "\n\nIn Advances in the European Union (EU), 2020.", []),
    ("AC003", DEFINED + "\n\n- European Union (EU): it is here.", []),
    ("AC003", DEFINED + "\n\n- It is the European Union (EU) here.", ["EU)"]),
    ("AC003", DEFINED + "\n\n**European Union (EU)** is here again.", []),
    ("AC003", DEFINED + "\n\n<h2>All of the European Union (EU)</h2>\n\nIt is here.", []),
    ("AC003", DEFINED + "\n\nLee. Of the European Union (EU). Law, 2014, 94, 312-336.", []),
    ("AC003", DEFINED + "\n\nIn 2014, 94 saw the European Union (EU).", ["EU)."]),
    ("AC003", DEFINED + "\n## Changes\n\nIt is the European Union (EU).", []),
    ("AC003", DEFINED + "\nIt is the European Union (EU).", ["EU)."]),
    ("AC003", DEFINED + "\nCopyright 2017 of the European Union (EU).", []),
    ("AC003", DEFINED + "\n## `an_eu`\n\nIt is the European Union (EU).", []),
    ("AC003", FAR + ALIKE.format("old") + ALIKE.format("new") + FAR, []),
    ("AC004", DEFINED + "\n\nAn ejection unit (EU) is a seat.", ["EU)"]),
    ("AC004", DEFINED + "\n\nAn \u00e9jection unit (EU) is a seat.", []),
    ("AC004", DEFINED + "\n\nThe European Unions (EU) again.", []),
    ("AC004", 'An ejection unit (the "EU") is a seat.\n\n' + DEFINED, ["EU)"]),
    ("AC004", 'An ejection unit ("EU") is a seat.\n\n' + DEFINED, ["EU)"]),
    ("AC004", 'He has "an ejection unit (EU)" here.\n\n' + DEFINED, []),
    ("AC004", 'He has "EU" (ejection unit) here.\n\n' + DEFINED, []),
    ("AC004", "Vector autoregressive process (VAR).\n\nVector autoregressive models (VAR).", []),
    ("AC004", "Vector air process (VAP).\n\nVector air pillows (VAP).", ["VAP)."]),
    ("AC004", "An enemy dog of (Some Maker, Ely, ED).\n\nAn egg dish (ED).", []),
    ("AC004", "Input voltage (mV).\n\nMaximum voltage (mV), minimum voltage (mV).", []),
    ("AC004", "An Escherichia coli (EC).\n\nSome E. coli (EC).", []),
    ("AC004", "The end is counted (EC).\n\nAn egg car (EC).", []),
    ("AC004", "An STL model (STLM).\n\nA seasonal trend line model (STLM).", []),
    ("AC004", "Alternating current (AC).\n\nIt is a continuously (AC) fed unit.", []),
    ("AC004", "Reactive oxygen species (ROS).\n\nA removal of the oven sugar (ROS).", []),
    ("AC004", "Reactive oxygen species (ROS).\n\nA removal of oven sugar (ROS).", ["ROS)."]),
    ("AC004", "Air power plant (APP).\n\nAn air base A4 power plug (APP).", []),
    ("AC004", "Air power plant (APP).\n\nAn air power plug (APP).", ["APP)."]),
    ("AC005", "The Secure Sockets Layer (SSL) is large.", []),
    ("AC005", "The secret sockets layer (SSL) is large.", ["SSL)"]),
    ("AC005", "The continuous integration (CI) is large.", []),
    ("AC005", "The continuous ignition (CI) is large.", ["CI)"]),
    ("AC005", "The continuous ignition (CIG) is cigpy here.", []),
    ("AC005", "#### **--take**=all\n\nIt is an extra unit (EU) here.", []),
    ("AC005", "## Acknowledgements\n\nIt is an extra unit (EU) here.", []),
    ("AC005", "## Acknowledging\n\nIt is an extra unit (EU) here.", ["EU)"]),
    ("AC005", "The Specification of Extra Units (SEU) is large.", []),
    ("AC005", "The extra unit (EU) is large.", ["EU)"]),
    ("AC005", "The extra unit (EU) is large, see [it][EU].\n\n[EU]: http://x.org", ["EU)"]),
    ("AC005", "The extra new unit (EU) is large.", []),
    ("AC003", "It has an extra new unit (EU).\n\nHere is the extra new unit (EU) of it.", []),
    ("AC003", "It has an extra unit (EU).\n\nHere is the extra unit (EU) of it.", ["EU)"]),
    ("AC003", "The extra unit (EU) is here, and an extra unit (EU).\n\n" * 2, []),
    ("AC005", "The Extra Unit (EU) is large.", []),
    ("AC005", "The Extra Unit Regulation (EUR) is large.", []),
    ("AC005", "The Institute of Extra Units (IEU) is large.", []),
    ("AC005", "The Extra Unit of Tulsa (EXU) is large.", []),
    ("AC005", "The class is chaos(CH) here. All of it is extraunit(EU).", []),
    ("AC005", 'The old "extra unit" ("EU") is large.', []),
    ("AC005", "The library EXUnit is of an extra xenon unit (EXU).", []),
    ("AC005", "The library EXATION is of an extra xenon unit (EXU).", ["EXU)."]),
    ("AC005", "# Glossary\n\nIt is an extra unit (EU) here.", []),
    ("AC005", "--take\n: It is an extra unit (EU) here.", []),
    ("AC005", "--take\n\n  It is old.\n\n  EXU (extra unit) is here.", []),
    ("AC005", "Run it:\n\n    -v  is verbose\n\nThe extra xenon unit (EXU) is large.", ["EXU)"]),
    ("AC005", "-v  is verbose\n\nIt is old.\n\n  The extra xenon unit (EXU) is large.", ["EXU)"]),
    ("AC005", "# Changes\n\nIt is an extra unit (EU) here.", []),
    ("AC005", "The European Union (EU) is large.", []),
    ("AC005", "The EU (European Union) is large.", []),
    ("AC005", "- **European Union (EU)**: large.\n", []),
    ("AC005", "All is an extra unit (EU) license.\n", ["EU)"]),
    ("AC005", "It has a Eurasian License (EL).\n", []),
    ("AC005", "All of EU/UN. The European Union (EU).\n", []),
    ("AC005", "# A European Union (EU)\n\nText.", []),
    ("AC005", "The layer 3 (L3) is large.", []),
    ("AC005", "Law of the European Union (EU). A. Lee. May 2017.", []),
    ("AC005", "In May 2017 came the extra unit (EU), large.", ["EU),"]),
    ("AC005", "RFC 2849: The European Union (EU) Law", []),
    ("AC005", "RFC 2849 made the extra unit (EU).", ["EU)."]),
    ("AC005", "All of Forefront Union, which has the capabilities of FU 2007.", []),
    ("AC005", "All of the forefront union, or FU, is here.", ["FU,"]),
    ("AC005", "On San Carlos, CA, and CB.", []),
    ("AC005", "An egress PE (PE1) and a primer pair (P1 + P3).", []),
    ("AC005", "| all |\n|---|\n| European Union (EU) |\n", []),
    ("AC005", "The media ID (mid) is long. A Big Old House (BigOldHouse).", []),
    ("AC005", 'Every <abbr title="auto-complete">completion</abbr> counts.', []),
    ("AC005", DEFINED, []),
    ("AC005", "The European Union (EU) is large: `EU.size`.", []),
    ("AC005", "Text.\n\nField D: SOCL  Small Output Control Latch\n", []),
    ("AC005", "The function FromEU of the European Union (EU).", []),
    ("AC005", "The `eu_laws` of the European Union (EU).", []),
    ("AC005", "The EU is old. The European Union (EU).", []),
    ("AC005", "- EU: European Union\n- USA: United States of America", []),
    ("AC005", 'A <abbr title="European Union">EU</abbr> law.', []),
    ("AC005", "The European Union (EU): see `eu_key`.", []),
    ("AC005", "Virtual machines (VMs) run by kernel-based VM (KVM), the KVM.", []),
    ("AC005", "A type of service (TOS) is set by IP_RECVTOS.", []),
    ("AC005", "A type of service (TOS) is set by IP_RECEIVE.", ["TOS)"]),
    ("AC005", "The law of an extra unit (LA EU) is here, and EU.", []),
    ("AC005", "The eu rule is of an extra unit (EU).", []),
    ("AC006", ADOPTED + "\n\nPeople of the European Union vote.", ["European"]),
    ("AC006", DEFINED + "\n\nPeople of the European Union vote.", []),
    ("AC006", "An OS X (osX) is here. The osX, osX, osX of OS X is here.", []),
    ("AC006", ADOPTED + "\n\nLee. The European Union. Law, 2014, 94, 312-336.", []),
    ("AC006", ADOPTED + "\n\n# A European Union\n\nText.", []),
    ("AC006", ADOPTED + '\n\nSee "A European Union of law" <http://a.eu>.', []),
    ("AC006", "The European Union votes. " + ADOPTED, []),
    (
        "AC006",
        "Extra units (EUs) fly. The EUs land, all EUs, an EU is here too. An extra unit ends.",
        ["extra"],
    ),
    ("AC006", ADOPTED + "\n\nThe large EU (a European Union)", []),
    ("AC006", ADOPTED + "\n\n> The European Union votes, someone said.", []),
    (
        "AC006",
        ADOPTED + "\n\nThe enlarged European Union (EEU). The EU (also the European Union).",
        [],
    ),
    ("AC009", 'A <abbr title="World Bank">XQZ</abbr> page.', ["XQZ</abbr>"]),
    ("AC009", "A HTML page, an HTML page, a FAQ, a NASA site.", ["HTML"]),
    ("AC009", "An USB, an UTC, an UUID, a USB, a UTC.", ["USB,", "UTC,", "UUID,"]),
    ("AC009", "A SMS, a SLA, a MP3, an SMS, an SLA.", ["SMS,", "SLA,", "MP3,"]),
    ("AC009", "An NASA site, an UNESCO site, a UNESCO site.", ["NASA", "UNESCO"]),
    ("AC009", "An URL, a URL, a SQL, an SQL, a SNP, an SNP, a SIMD.", []),
    ("AC009", "*An* UI, an&nbsp;UI, an `x` UI, an **UI**.", ["UI,", "UI,", "UI**."]),
    ("AC010", "The ATM machine, his PIN numbers, an ATM card.", ["ATM", "PIN"]),
    ("AC009", "Take A OR B. N/A HTML.", []),
    ("AC010", "The ATM machine is old, the ATM machine room, EU and PIN numbers.", ["ATM"]),
    ("AC010", "A VPM models the flow.\n\nVector process models (VPM). VPM models.", ["VPM"]),
    ("AC010", "Continuous integration (CI). Our CI integration.", []),
    ("AC010", "An AWS service, two AWS services.", []),
    ("AC010", "YAML Ain't Markup Language (YAML). The YAML language.", []),
    ("AC010", "An old-ATM machine, the `ATM machine`.", []),
    ("AC010", "An old music library (OML). The OML library.", []),
    ("AC010", "An open media format (OpenMF). The OpenMF format.", []),
    ("AC010", "Our Odd Services (OOS). The OOS services.", ["OOS"]),
    ("AC010", "An ahead-of-time compiler (AOT). The AOT compiler.", []),
    ("AC010", "Here float is the standard FITS form. The FITS standard is old.", []),
    ("AC010", "A master key (MKEK). The MKEK key.", []),
    ("AC009", "Three deep fields (XQZ, XQS and XQF) were seen.", []),
    ("AC010", "A tape unit (TU). The TU units the tapes, two TU units.", ["TU"]),
    ("AC010", "Object-relational mapping (ORM). An ORM mapped class.", []),
    ("AC010", "A maximum a posteriori estimate (MAP). The MAP estimate.", []),
    ("AC010", "Graph classes (Graph). The Graph classes.", []),
    ("AC011", "Some text.\n\n*[EU]: European Union\n", ["EU]:"]),
    ("AC011", "The EU.\n\n*[EU]: European Union\n", []),
    ("AC011", "Text.\n\n*[EU]: European Union\n*[VM]: virtual machine\n", []),
    ("AC011", "A key.\n\n*[EU]: European Union\n*[key]: a word", ["EU]:"]),
    ("AC011", "A key, a set.\n\n*[EU]: European Union\n*[key]: a word\n*[set]: a table", []),
    ("AC011", "An EDisp of it.\n\n*[EDisp]: energy dispersion\n", []),
    ("AC013", "The internet of things (IoT) is big. An IOT device.", ["IOT"]),
    ("AC013", "The internet of things (IoT), an IoT, an IoT. An IOT, IOT and IOT.", []),
    ("AC013", "The internet of things (IoT) is big.\n\n# An IOT device\n\nText.", []),
    ("AC013", "The internet of things (IoT) is big. Old IOT Systems run.", []),
    ("AC013", "The internet of things (IoT) is big. An Old Euro IOT runs.", []),
    ("AC013", 'The internet of things (IoT). He said "an IOT device".', []),
    ("AC013", 'The internet of things (IoT). He said "no". An IOT device.', ["IOT"]),
    ("AC013", 'The internet of things (IoT) is "big.\n\nAn IOT device" is.', ["IOT"]),
    ("AC013", "The internet of things (IoT). \u201cAn \u201cIOT device\u201d.", []),
    ("AC013", "The internet of things (IoT). \u201cAn\u201d IOT \u201cdevice\u201d.", ["IOT"]),
    ("AC013", "The internet of things (IoT). Old terms (IOT, or oil) run.", []),
    ("AC013", "The internet of things (IoT). Old terms (IOT runs).", ["IOT"]),
    ("AC013", DEFINED + "\n\nTwo EU's are many. The EU's law.", ["EU's"]),
    ("AC013", "A share ID (ShareID) and a ShareID. The shareID field, the SHAREID.", ["SHAREID."]),
    ("AC013", "Messenger RNA (mRNA). MRNA. The MrNA.", ["MrNA."]),
    ("AC013", "Protein bodies (PBs) in PBS. In (\u00b5CT), \u03bcCT. A.B. Lee, amber (AB).", []),
    ("AC013", "An intrusion detection system (IDS). The IDS has IDs.", []),
    ("AC013", "The internet of things (IoT). An IOT device, an IOT.", []),
    ("AC013", "The IoTA gene (IoTA). The IOTA gene, its alleles, mRNA.", []),
    ("AC013", "The internet of things (IoT). Set the IOT option to it.", []),
    ("AC013", "The internet of things (IoT). An ERR_IOT code, an IOT.", []),
    ("AC013", "A World Health Body (WHB). The W.H.B. gives no warranty.", []),
    ("AC013", "A World Health Body (WHB). The W.H.B. gives no water.", ["W.H.B."]),
    ("AC013", "A quality audit (QA) is here. The Q.A. team left. By Q.A. Lee.", ["Q.A."]),
    ("AC013", "An ultra sound (US) is here. The U.S. team left.", []),
    ("AC001", "All IOTA of it.\n\n*[IoTA]: internet of things anywhere", []),
    ("AC011", "All IOTA of it.\n\n*[IoTA]: internet of things anywhere", []),
    ("AC013", "All IOTA of it.\n\n*[IoTA]: internet of things anywhere", ["IOTA"]),
]


@pytest.mark.parametrize(("code", "text", "places"), CASES)
def test_a_rule(code, text, places, findings, half_known):
    if code == "AC002":  # which only tells of acronyms that the text goes on to use
        text += LATER
    assert [place for _, place, _ in findings(text, select=(code,))] == places


def test_an_unlikely_long_form_is_not_proposed():
    for probability, proposed in ((0.06, False), (0.3, True)):
        nlp = load_detector()
        doc = nlp("The NBA plays.")
        answer = Resolution("NBA", None, 0.5, "nil", (("no big answer", probability),))
        write_answers(doc, "acronyms", [answer])
        (found,) = lint([(read_text(doc.text, "text"), doc)], Settings())
        assert ("perhaps" in found.message) == proposed


def test_the_set_of_documents(findings):
    other = "An ejection unit (EU) is a seat. The EU."
    (found,) = findings(DEFINED, other, select=("AC007",))
    assert found[1] == "EU)" and "European Union" in found[2]
    union = "The European Union (EN) is large. The EN."
    (found,) = findings(DEFINED, union, select=("AC008",))
    assert found[1] == "EN)"
    numbered = DEFINED.replace("EU", "EU2")
    assert not findings(DEFINED, DEFINED, numbered, select=("AC007", "AC008"))


def test_labels_and_parts_of_phrases_are_no_two_acronyms(findings):
    for one, other, count in (("CNT", "CNU", 0), ("CNS", "CNU", 1), ("CNS/T", "CNU", 0)):
        texts = (f"The clean nucleotide sets ({each}) are here." for each in (one, other))
        assert len(findings(*texts, select=("AC008",))) == count


def test_an_entry_of_a_list_is_of_no_other_meaning(findings):
    for begin, count in (("- ", 0), ("It is the ", 1)):
        text = begin + "Ejection Unit (EU) here."
        assert len(findings(DEFINED, text, select=("AC007",))) == count


def test_wordings_of_one_meaning_are_no_findings(findings):
    other = "The Union of Europe (EU) is large. The EU.", "A EUROPEAN Unoin (EU). The EU."
    assert not findings(DEFINED, *other, select=("AC007",))
    machine = "A virtual machine (V.M.) and a V.M."
    assert not findings("A virtual machine (VM), a VM.", machine, select=("AC008",))


@pytest.mark.parametrize("line", ["vm = Machine('VM')", "virtual.machine(VM());", "if (VM) {"])
def test_programs_in_plain_text_say_nothing(line, findings):
    assert not findings(f"All of it.\n\n{line}\n", format="text")


def test_columns_and_captions(findings):
    columns = "Result:\n\nI     extra unit (EU) here\n"
    assert not findings(columns, select=("AC005",), format="text")
    assert findings(columns.replace("I  ", "I."), select=("AC005",), format="text")
    caption = ".All of an extra unit (EU) here\nimage::a.png[]\n"
    assert not findings(caption, select=("AC005",), format="asciidoc")
    assert findings(caption[1:], select=("AC005",), format="asciidoc")


def test_a_link_of_words_after_the_acronym_repeats_nothing(findings):
    text = DEFINED + "\nSee :ref:`the EU (European Union) and all of it <eu>` in here."
    assert not findings(text, select=("AC003",), format="restructuredtext")
    assert findings(text.replace(" <eu>`", ""), select=("AC003",), format="restructuredtext")


CONTENTS = '<div class="toc"><p>All of the European Union (EU) here.</p>{}'
OPTION = "<dl><dt>{}</dt><dd><p>It has the European Union (EU) here.</p></dd></dl>"
MEMBER = "<h3>{}</h3>\n<p>It has the European Union (EU) here.</p>"


@pytest.mark.parametrize(
    ("first", "again", "count"),
    [
        (CONTENTS.format("</div>"), "<p>The European Union (EU) is here.</p>", 0),
        (
            CONTENTS.format("</div>").replace("toc", "tic"),
            "<p>The European Union (EU) is here.</p>",
            1,
        ),
        (OPTION.format("<code>-a</code>"), OPTION.format("<code>-b</code>"), 0),
        (OPTION.format("a"), OPTION.format("b"), 1),
        (f"<p>{DEFINED}</p>", MEMBER.format("a_b ()"), 0),
        (f"<p>{DEFINED}</p>", MEMBER.format("a b"), 1),
    ],
)
def test_contents_and_options_of_a_page_are_read_alone(first, again, count, findings):
    assert len(findings(first + again, select=("AC003",), format="html")) == count


def test_labels_of_latex_are_no_use(findings):
    text = "The extra unit (EU) is large\\label{sec:EU}, see \\ref{sec:EU}."
    assert findings(text, select=("AC005",), format="latex")
    text = text.replace("\\ref", "\\textit")
    assert not findings(text, select=("AC005",), format="latex")


@pytest.mark.parametrize(
    ("label", "count"), [("1", 1), ("#", 1), ("#f", 1), ("*", 1), ("Lee20", 0)]
)
def test_footnotes_are_text_and_citations_are_none(label, count, findings):
    text = f"All of it.\n\n.. [{label}] The NBA is\n   large.\n"
    assert len(findings(text, select=("AC001",), format="restructuredtext")) == count
    text = text.replace("large", "large, Ann Lee, 2019")
    assert not findings(text, select=("AC001",), format="restructuredtext")


def test_an_option_of_a_page_ends_with_its_list(findings):
    for end, count in (("</dl>", 1), ("", 0)):
        text = f"<dl><dt>-v</dt>{end}<p>The extra unit (EU) is large.</p>"
        assert len(findings(text, select=("AC005",), format="html")) == count


def test_contents_say_nothing_before_the_text(findings, half_known):
    text = CONTENTS.format("</div>") + f"<p>An EU is old here.</p><p>{DEFINED}</p>{LATER}"
    for given, count in ((text, 1), (text.replace("toc", "tic"), 0)):
        assert len(findings(given, select=("AC002",), format="html")) == count


def test_a_link_leads_to_the_definition(findings, half_known):
    text = "A :ref:`EU <eu>`, {}.\n\nThe European Union (EU)." + LATER
    for use, count in (("large", 0), ("the EU is old", 1), ("the `EU <eu_>`_", 0)):
        found = findings(text.format(use), format="restructuredtext", select=("AC002",))
        assert len(found) == count


def test_the_name_of_a_link_is_a_name(findings, half_known):
    for use, count in (("`Old EU`_ here", 0), ("`Old` EU here", 1)):
        text = f"It is an old {use}.\n\n{DEFINED}{LATER}"
        assert len(findings(text, format="restructuredtext", select=("AC002",))) == count


def test_an_option_is_described_in_the_lines_below(findings):
    text = DEFINED + "\n{}\n" + "  It is old.\n\n" * 10 + "  It is the old European Union (EU).\n"
    for line, count in (("--take-all args", 0), ("Take all.", 1)):
        assert len(findings(text.format(line), format="text", select=("AC003",))) == count


def test_a_cell_of_a_page_calls_for_no_use(findings):
    for end, count in (("table", 1), ("TABLE", 1), ("tr", 0)):
        text = f"<table><tr><td>All.</td></tr></{end}><p>It is an extra unit (EU) here.</p>"
        assert len(findings(text, format="html", select=("AC005",))) == count


def test_a_folder_of_releases_lists_changes(nlp, half_known):
    text = "An EU is new.\n\n" + DEFINED + LATER
    for folder, count in (("release", 0), ("guide", 1)):
        page = read_text(text, "markdown").at(name="a.md", path=f"{folder}/a.md")
        assert len(lint([(page, nlp(page.text))], Settings(select=("AC002",)))) == count


def test_no_asterisks_in_a_message(findings):
    text = DEFINED + "\n\nAn ejection unit* (EU) is a seat."
    (found,) = findings(text, format="text", select=("AC004",))
    assert "'ejection unit'" in found[2]


@pytest.mark.parametrize(
    ("uses", "times"), [(0, "never used"), (1, "used only once"), (2, "used only 2 times")]
)
def test_how_often_an_acronym_is_used(uses, times, nlp):
    source = read_text("The extra unit (EU) is large." + " The EU is up." * uses, "text")
    settings = Settings(select=("AC005",), least_uses=3)
    (found,) = lint([(source, nlp(source.text))], settings)
    assert found.message == f"'EU' is defined and then {times}"


def test_a_role_uses_an_entry(findings):
    entry = ".. glossary::\n\n   NPOT\n      not power of two\n"
    for use, count in ((":term:`NPOT`", 0), (":term:`all <NPOT>`", 0), (":term:`all`", 1)):
        text = f"Take {use} here.\n\n{entry}"
        assert len(findings(text, format="restructuredtext", select=("AC011",))) == count


def test_titles_underlined_in_plain_text(findings, half_known):
    for line, count in (("EU rules, and all\n----", 0), ("EU rules, and all\nof it", 1)):
        text = f"Text.\n\n{line}\n\nThe European Union (EU).{LATER}"
        assert len(findings(text, format="text", select=("AC002",))) == count


def test_lists_of_definitions_call_for_no_use(findings):
    text = "EU\n   European Union\n\nVM\n   Virtual machine\n"
    assert not findings(text, format="restructuredtext", select=("AC005",))
    text = "The extra unit (EU),\n\nVM\n   Virtual machine\n"
    assert len(findings(text, format="restructuredtext", select=("AC005",))) == 1


def test_citations_define_and_repeat_nothing(findings, half_known):
    cited = ".. [Lee] Lee, Law of the\n   European Union (EU).\n\n"
    text = "The EU is old.\n\n" + cited + "{}European Union (EU)." + LATER
    for begin, count in (("", 1), ("   ", 0)):
        found = findings(text.format(begin), format="restructuredtext", select=("AC002",))
        assert len(found) == count
    for number, count in (("[2]", 0), ("2.", 1)):
        text = f"The EU is old.\n\n* {number} A site,\n  European Union (EU).\n" + LATER
        found = findings(text, format="restructuredtext", select=("AC002",))
        assert len(found) == count


def test_who_has_to_be_told_of_a_meaning(findings):
    text = "A {0} is old.\n\nThe {1} ({0}) is large.\n\nA {0}, or another {0}.\n"
    pairs = (
        ("EU", "European Union"),
        ("EU", "Eyrean Union"),
        ("DAE", "differential algebraic equation"),
    )
    given = [text.format(*one) for one in pairs]
    assert [len(findings(one, select=("AC002",))) for one in given] == [0, 0, 1]


def test_a_manual_page_is_looked_up(findings):
    for title, count in (("NAME", 0), ("NAMES", 1)):
        text = f"# {title}\n\n{DEFINED}\n# DESCRIPTION\n\nIt is the European Union (EU)."
        assert len(findings(text, select=("AC003",))) == count


def test_an_acronym_that_another_document_uses_may_be_defined(findings):
    defined = "The secret sockets layer (SSL) is large."
    for other, count in (("An SSL is old.", 0), ("An SSH is old.", 1), (defined, 2)):
        assert len(findings(defined, other, select=("AC005",))) == count


def test_the_message_proposes_a_long_form(findings):
    (found,) = findings("The WHO met.", select=("AC001",))
    assert found[2].endswith("perhaps 'World Health Organization' (0.90)")


def test_what_is_allowed_needs_no_definition(findings):
    assert not findings("The WHO met.", allow=frozenset({"WHO"}))


@pytest.mark.parametrize(
    ("format", "off", "on"),
    [
        ("markdown", "<!-- acronyms: off -->", "<!-- acronyms: on -->"),
        ("markdown", "{/* acronyms: off AC001 */}", "{/* acronyms: on */}"),
        ("html", "<!-- acronyms: off AC001 -->", "<!-- acronyms: on AC001 -->"),
        ("restructuredtext", ".. acronyms: off", ".. acronyms: on"),
        ("asciidoc", "// acronyms: off AC001, AC002", "// acronyms: on"),
        ("text", "acronyms: off", "acronyms: on"),
    ],
)
def test_switches(format, off, on, findings):
    text = f"The NBA.\n\n{off}\n\nThe CBS.\n\n{on}\n\nThe NBC.\n"
    found = [place.rstrip(".") for _, place, _ in findings(text, format=format)]
    assert found == ["NBA", "NBC"]


def test_a_switch_for_other_codes_leaves_these(findings):
    assert findings("<!-- acronyms: off AC002 -->\n\nThe NBA.")


def test_a_term_with_its_explanation_below_defines_nothing_again(findings):
    text = DEFINED + "\n\nEuropean Union (EU)\n{}It is large, and grows.\n"
    for indent, count in (("   ", 0), ("", 1)):
        found = findings(text.format(indent), format="restructuredtext", select=("AC003",))
        assert len(found) == count


ENTRIES = (
    "EU European Union, VM virtual machine, PC pocket card, GH good horse, IJ iron jar, "
    "KL kind leader, MN moon night, OP old pot, QR quick run, ST star turn"
)


def kept(title: str = "", entries: str = ENTRIES) -> str:
    """A glossary in Markdown: by markup, or a list under a title."""
    pairs = [one.split(" ", 1) for one in entries.split(", ")]
    form = "- **{}**: {}\n" if title else "*[{}]: {}\n"
    return title + "".join(form.format(*pair) for pair in pairs)


@pytest.mark.parametrize(
    ("text", "glossary", "count"),
    [
        ("The WHO, WHO, WHO.\n\n", kept(), 1),
        ("The WHO, WHO.\n\n", kept(), 0),
        ("The WHO, WHO, WHO.\n\nWHO rules\n\n", kept(), 0),
        ("The WHO, WHO, WHO.\n\n", kept("# List of acronyms\n\n"), 0),
        ("The WHO, WHO, WHO.\n\n", kept("# List of rules\n\n"), 0),
        ("The WHO, WHO, WHO.\n\n", kept(entries="EU European Union, VM virtual machine"), 0),
        (
            "The WHO, WHO, WHO.\n\n",
            kept() + kept(entries=", ".join(f"{x} of it" for x in "abcdfghijklm")),
            0,
        ),
        ("An air bag (AB). An AB, AB, AB.\n\n", kept(), 1),
        ("An air bag (AB). An AB, AB.\n\n", kept(), 0),
        ("A virtual machine (VMv2). A VMv2, VMv2, VMv2.\n\n", kept(), 0),
        ("A virtual moon order (VMO). A VMO, VMO, VMO.\n\n", kept(), 1),
    ],
)
def test_a_glossary_that_is_kept_lacks_an_acronym(text, glossary, count, findings):
    assert len(findings(text + glossary, select=("AC012",))) == count


@pytest.mark.parametrize(("most", "count"), [(10, 10), (11, 0)])
def test_a_selection_lacks_nothing(most, count, findings):
    pairs = [f"{one}{two}" for one, two in zip("ABCDEFGHIJK", "XYZXYZXYZXY", strict=True)]
    words = {pair: f"{pair[0].lower()}one {pair[1].lower()}two" for pair in pairs[:most]}
    text = "".join(f"Some {words[x]} ({x}). {x}, {x}, {x}.\n\n" for x in words)
    assert len(findings(text + kept(), select=("AC012",))) == count


def test_the_glossary_of_a_folder(nlp):
    def places(*texts):
        named = [(f"{where}.md", text) for where, text in texts]
        pages = [read_text(text, "markdown").at(name=where, path=where) for where, text in named]
        pages.append(read_text(kept(), "markdown").at(name="a/b.md", path="a/b.md"))
        pairs = [(page, nlp(page.text)) for page in pages]
        return [found.path for found in lint(pairs, Settings(select=("AC012",)))]

    defined, used = "An air bag (AB). An AB, AB, AB.", "An AB is here."
    assert places(("a/c/d", defined), ("a/e", used)) == ["a/c/d.md"]
    assert not places(("a/c/d", defined), ("a/e", "Nothing is here."))
    assert not places(("c/d", defined), ("a/e", used))
    assert not places(("a/c/d", "The WHO, WHO, WHO."), ("a/e", "The WHO."))
    virtual = "The virtual machine (VM), VM, VM, VM."
    assert not places(("a/c/d", virtual), ("a/e", virtual))


@pytest.mark.parametrize(("name", "count"), [("glossary.md", 1), ("guide.md", 0)])
def test_a_file_is_named_as_a_glossary(name, count, nlp):
    text = kept("Words.\n\n") + "\n\nAn air bag (AB). An AB, AB, AB."
    page = read_text(text, "markdown").at(name=name, path=name)
    assert len(lint([(page, nlp(page.text))], Settings(select=("AC012",)))) == count


def test_a_glossary_of_terms_lacks_no_acronym(findings):
    entry = "".join(
        f"   {one.split(' ', 1)[0]}\n      {one.split(' ', 1)[1]}\n\n"
        for one in ENTRIES.split(", ")
    )
    words = "".join(f"\n   term{n}\n      All of it\n" for n in range(11))
    for more, count in (("", 1), (words, 0)):
        text = "WHO, WHO, WHO.\n\n.. glossary::\n\n" + entry + more
        assert len(findings(text, format="restructuredtext", select=("AC012",))) == count
