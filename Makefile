# Everything from nothing: each target sets up what it needs by itself.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: demo test lint coverage docs bench clean

# The main job on a document with defined, undefined and ambiguous acronyms.
demo: $(READY)
	@$(BIN)/spacy-gladis annotate assets/demo/notes.txt --format table

# Linters, types and every test; benchmarks' data beside the repository is used when it is there.
test: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest

lint: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/mypy

# Which lines and branches the tests run.
coverage: $(READY)
	$(BIN)/python -m coverage run --branch --source=spacy_gladis -m pytest
	$(BIN)/python -m coverage report --skip-covered

# The documentation's site, into site/; no network is used.
docs: $(READY)
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet

# Speed and memory, onto docs/benchmarks.md; reads the data beside the repository. LONG=1: all of it.
bench: $(READY)
	$(BIN)/python benchmarks/bench.py $(if $(LONG),--long)

# constraints.txt pins torch to a release that a CPU machine gets without gigabytes of CUDA.
$(READY): setup.cfg pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip setuptools wheel
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[trf,concepts,corpus,documents,cluster,train,evaluation,serve,docs,bench,test,dev]'
	@touch $@

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
