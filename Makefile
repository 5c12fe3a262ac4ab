# Everything from nothing: each target sets up what it needs by itself.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PLAIN := $(VENV)/.plain
READY := $(VENV)/.ready

.PHONY: demo check style types fast test tests lint coverage docs report bench clean

# The main job on a document with defined, undefined and ambiguous acronyms; a plain installation does.
demo: $(PLAIN)
	@$(BIN)/spacy-gladis annotate assets/demo/notes.txt --format table

# Linters, types and the fast tests: in a minute, for every change. Two run at a time.
check: $(READY)
	@$(MAKE) --no-print-directory --jobs 2 types style fast

style: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-cache
	$(BIN)/hadolint Dockerfile

types: $(READY)
	$(BIN)/mypy

# The tests of what works without the packaged weights, but for the marker `slow`; `make test` runs all.
FAST := text metrics documents dictionary concepts encoder linking lint output
fast: $(READY)
	$(BIN)/python -m pytest --numprocesses 2 --dist worksteal -m "not slow" $(FAST:%=tests/%)

# Linters, types and every test; benchmarks' data beside the repository is used when it is there.
test: $(READY) style
	@$(MAKE) --no-print-directory --jobs 2 types tests

tests: $(READY)
	$(BIN)/python -m pytest --numprocesses 2 --dist worksteal

lint: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/mypy

# Which lines and branches the tests run; under the bound in pyproject.toml it fails.
coverage: $(READY)
	$(BIN)/python -m coverage erase
	$(BIN)/python -m coverage run -m pytest --numprocesses 2 --dist worksteal
	$(BIN)/python -m coverage combine --quiet
	$(BIN)/python -m coverage report

# The documentation's site, into site/; no network is used.
docs: $(READY)
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet

# The papers' tables with our figures beside them, to docs/explanation/papers.md; with all results into build/report.md.
report: $(READY)
	$(BIN)/spacy-gladis evaluate report benchmarks/results --papers --output docs/explanation/papers.md
	$(BIN)/spacy-gladis evaluate report benchmarks/results --output build/report.md

# Speed and memory, to docs/explanation/benchmarks.md; reads the data beside the repository. LONG=1: all of it.
bench: $(READY)
	$(BIN)/python benchmarks/bench.py $(if $(LONG),--long)

$(PLAIN): setup.cfg pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip setuptools wheel
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable .
	@touch $@

# constraints.txt pins torch (extra train) to a release that a CPU machine gets without gigabytes of CUDA.
$(READY): $(PLAIN)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[research,trf,documents,serve,docs,bench,test,dev]'
	@touch $@

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
