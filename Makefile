# Two commands are enough: `make demo` and `make test`. `make` alone lists the rest.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CORPUS ?=
PUBLISHED ?=
QA ?=
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export DO_NOT_TRACK := 1
export GX_ANALYTICS_ENABLED := false

.DEFAULT_GOAL := help
.PHONY: help demo test check format corpus bench faults mutate clean

help: ## List the targets
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 10

demo: $(VENV)/.runtime ## Set up and run the whole pipeline on the shipped sample
	@$(BIN)/podium demo

test: $(VENV)/.dev ## Set up and run all tests: the timed ones alone, the rest two files at a time
	@$(BIN)/pytest tests/performance
	@$(BIN)/pytest -n 2 --dist loadfile --no-loadscope-reorder --ignore tests/performance

check: $(VENV)/.dev ## Format, lint, types, SQL style
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/sqlfluff lint --disable-progress-bar models

format: $(VENV)/.dev ## Rewrite Python files to the house style
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

corpus: $(VENV)/.dev ## Hold documents (CORPUS=DIR), boards (PUBLISHED=DIR), judged answers (QA=DIR) against references
	@test -n "$(CORPUS)$(PUBLISHED)$(QA)" || { echo "usage: make corpus CORPUS=DIR PUBLISHED=DIR QA=DIR"; exit 2; }
	@test -z "$(CORPUS)" || $(BIN)/python -m tests.corpus.check_documents "$(CORPUS)"
	@test -z "$(PUBLISHED)" || $(BIN)/python -m tests.corpus.check_searchgen "$(PUBLISHED)"
	@test -z "$(QA)" || $(BIN)/python -m tests.corpus.check_answers "$(QA)"
	@test -z "$(QA)" || $(BIN)/python -m tests.corpus.check_scores "$(QA)"

bench: $(VENV)/.dev ## Measure speed as ratios and write docs/benchmarks.md
	@$(BIN)/python -m tests.performance.bench

faults: $(VENV)/.dev ## Kill and break jobs, 30 points a job
	@PODIUM_FAULT_POINTS=30 PODIUM_FUZZED_LINES=100000 $(BIN)/pytest -m faults

mutate: $(VENV)/.dev ## Break the SQL rules one by one; every break must turn a test red
	@$(BIN)/python -m tests.mutation.mutate

clean: ## Remove the environment and everything that the demo made
	@rm -rf $(VENV) warehouse/landing warehouse/published warehouse/build warehouse/trees

$(VENV)/.runtime: requirements/runtime.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("Podium needs Python 3.11 or newer") if sys.version_info < (3, 11) else None'
	@echo "installing pinned packages into $(VENV)"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --require-hashes -r requirements/runtime.txt
	@$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.dev: requirements/dev.txt $(VENV)/.runtime
	@echo "installing pinned test packages into $(VENV)"
	@$(BIN)/python -m pip install --quiet --require-hashes -r requirements/dev.txt
	@touch $@
