# Everything here works on a machine that has Python 3.11+, git and make, and nothing else.
PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3; do command -v $$p >/dev/null 2>&1 && $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done)
VENV := .venv
BIN := $(VENV)/bin
JOBS ?= 3

.PHONY: demo test test-full bench bench-recall lint types contracts generated lock clean

demo: $(VENV)/.app ## a realistic workspace, a dream, and the review app on it
	@$(BIN)/clawmem demo

test: $(VENV)/.dev lint types contracts ## lint, types, import contracts, generated files, and every test but the long ones
	@$(BIN)/python -m pytest -n $(JOBS) -m "not full"

test-full: $(VENV)/.dev ## the long suites
	@$(BIN)/python -m pytest -n $(JOBS) -m full

bench: $(VENV)/.dev ## start, engine, keys and shell, each figure against a rival of the same run
	@for part in start engine keys shell; do $(BIN)/python -m tests.benchmarks.$$part || exit 1; done

bench-recall: $(VENV)/.dev ## recall against the field: evidence, preferences, latency; a quarter of an hour
	@for part in locomo prefeval latency; do $(BIN)/python -m tests.benchmarks.$$part || exit 1; done

lint: $(VENV)/.dev
	@$(BIN)/ruff check . && $(BIN)/ruff format --check .

types: $(VENV)/.dev
	@$(BIN)/mypy

contracts: $(VENV)/.dev
	@$(BIN)/lint-imports --no-cache

generated: $(VENV)/.dev ## writes the key table, the command reference and the screenshots anew
	@$(BIN)/python -m screenshots.make
	@$(BIN)/python -m tests.docs

lock: ## writes the lock files anew from pyproject.toml (needs uv)
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-emit-index-url pyproject.toml -o requirements.lock
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-emit-index-url --extra dev pyproject.toml -o requirements-dev.lock

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .hypothesis mutants

$(VENV)/bin/python:
	@test -n "$(PYTHON)" || { echo "ClawMem needs Python 3.11 or newer; none was found on the PATH."; exit 1; }
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.app: requirements.lock pyproject.toml | $(VENV)/bin/python
	@echo "Setting up (once, about half a minute) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	@touch $@

$(VENV)/.dev: requirements-dev.lock pyproject.toml | $(VENV)/bin/python
	@echo "Setting up for tests (once, about a minute) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@ $(VENV)/.app
