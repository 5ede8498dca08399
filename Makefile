# Rollbook's daily commands. Every target sets up what it needs in .venv, as you, without root. GNU make 3.81 or newer.

# The Python to build the environment with; empty: the first Python >= 3.11 of python3, python3.14 … python3.11.
PYTHON ?=
# Options for the command that a target runs: make run ARGS="--port 8080", make test ARGS="-k loans -x".
ARGS ?=
# make lock UPGRADE=--upgrade takes the newest versions; without it, what is locked stays unless pyproject.toml forbids it.
UPGRADE ?=

# Many tests wait for real processes: more of them run at once than there are cores. Each of so many collects all tests. A file's
# tests stay together, since they share what they set up.
AT_ONCE ?= 3

# What `make test-fast` runs: the rules, the events, what is folded from them, the recorded games, and the project's own rules.
# These need no process, no store and no browser.
FAST := tests/events tests/projections tests/scenarios tests/golden tests/test_tidy.py tests/test_rules_covered.py

# Without it, each of the many processes would compile our modules again.
unexport PYTHONDONTWRITEBYTECODE

BIN := .venv/bin
export UV_REQUIREMENT := uv==0.13.9

.DEFAULT_GOAL := help
.PHONY: help setup run demo test test-fast test-long coverage lint format fix bench lock clean always

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

setup: .venv/tools ## make .venv with all tools; every other target makes what it needs by itself

run: .venv/ready ## start the service, its store and its workers
	$(BIN)/rollbook serve $(ARGS)

demo: .venv/ready ## watch four bots play a whole game
	$(BIN)/rollbook demo $(ARGS)

# Compiling the tests again in each process would be a tenth of what they cost.
test test-long: export PYTHONDONTWRITEBYTECODE =

test: .venv/tools ## run the tests, without the long ones
	$(BIN)/python -m pytest -m "not long" -n $(AT_ONCE) --dist loadfile $(ARGS)

test-fast: .venv/tools ## run the quick tests, which find most mistakes
	$(BIN)/python -m pytest -m "not long" $(FAST) $(ARGS)

test-long: .venv/tools ## run every test, and measure which branches they take
	$(BIN)/python -m coverage run -m pytest $(ARGS)
	$(BIN)/python -m coverage report --skip-covered

coverage: .venv/tools ## run the tests, and report which lines and branches none of them takes
	$(BIN)/python -m coverage run -m pytest -m "not long" $(ARGS)
	$(BIN)/python -m coverage report --show-missing --skip-covered

lint: .venv/tools ## check style, spelling, types and the borders between the rooms
	$(BIN)/python -m ruff check .
	$(BIN)/python -m ruff format --check .
	$(BIN)/codespell
	$(BIN)/python -m mypy
	$(BIN)/lint-imports

format: .venv/tools ## format every file as `make lint` wants it
	$(BIN)/python -m ruff format .

fix: .venv/tools ## mend what the linter can mend by itself, format, and list what is left
	$(BIN)/python -m ruff check --fix-only --quiet .
	$(BIN)/python -m ruff format .
	$(BIN)/python -m ruff check .

bench: .venv/tools ## measure how fast it is on this machine
	$(BIN)/python -m tests.benchmarks $(ARGS)

# The resolver has an environment of its own, so that lock files that are missing or in conflict can be made again.
COMPILE = build/lock/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header \
	--no-annotate --no-emit-index-url --no-emit-find-links $(UPGRADE) pyproject.toml

lock: build/lock/ready ## write the lock files from pyproject.toml
	$(COMPILE) --output-file requirements.lock
	$(COMPILE) --extra dev --output-file requirements-dev.lock

clean: ## remove everything that make made (never the games in rollbook-data)
	rm -rf .venv build dist *.egg-info .coverage .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis .bench
	find events projections service workers tests -type d -name __pycache__ -prune -exec rm -rf {} +

# An environment is good for the place it was made in, as long as the Python that it was made with is there.
fit = $(shell [ "$$(cat $(1)/ready 2>/dev/null)" = "$$(pwd -P)" ] && $(1)/bin/python -c '' 2>/dev/null && echo yes)
ifneq ($(call fit,.venv),yes)
.venv/ready .venv/tools: always
endif
ifneq ($(call fit,build/lock),yes)
build/lock/ready: always
endif

.venv/ready: requirements.lock pyproject.toml .ci/venv
	@sh .ci/venv run "$(PYTHON)"

.venv/tools: requirements.lock requirements-dev.lock pyproject.toml .ci/venv
	@sh .ci/venv project "$(PYTHON)"

build/lock/ready: Makefile .ci/venv
	@sh .ci/venv uv "$(PYTHON)"
