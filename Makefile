# Jargonaut. All it needs is Python 3.11 or newer; everything else is installed into .venv, as requirements.lock says.
#
#   make run      set up, and talk to the bot here
#   make test     set up, and run the tests
#   make check    all that CI checks: format, lint, types, layers, data, tests
#   make format   put the code into its form
#   make bench    run the benchmarks; a missed goal fails
#   make soak     talk to the bot for 10 minutes, and see whether it grows
#   make lock     bring the locks in line with pyproject.toml; remove the files first to renew every release
#   make setup    set up only
#   make clean    remove .venv and everything that was made
#   make help     show this
#
# Another Python: make setup PYTHON=python3.12

PYTHON :=
PYTHONS := $(or $(PYTHON),python3.13 python3.12 python3.11 python3)
BIN := .venv/bin
STAMP := .venv/set-up
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-input

.PHONY: help run test check format bench soak lock setup clean

help:
	@sed -n 's/^#   //p' Makefile

run: $(STAMP)
	@$(BIN)/jargonaut chat

test: $(STAMP)
	@$(BIN)/python -m pytest

check: $(STAMP)
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/jargonaut check
	$(BIN)/python -m pytest

format: $(STAMP)
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

bench: $(STAMP)
	@status=0; for script in $(filter-out benchmarks/soak.py benchmarks/scale.py,$(wildcard benchmarks/[!_]*.py)); do \
	    $(BIN)/python "$$script" || status=1; \
	done; exit $$status

soak: $(STAMP)
	@$(BIN)/python benchmarks/soak.py

# Resolved on the newest Python, the only one that needs a package more; CI sees that it installs on the others.
COMPILE := CUSTOM_COMPILE_COMMAND='make lock' $(BIN)/pip-compile --quiet
IMAGE := --constraint requirements.lock
lock: $(STAMP)
	@$(BIN)/python -c 'import sys; sys.exit(sys.version_info[:2] != (3, 13))' || \
	    { echo 'The locks are made with Python 3.13: make clean, then make lock PYTHON=python3.13' >&2; exit 1; }
	$(COMPILE) --extra dev --output-file requirements.lock pyproject.toml
	$(COMPILE) $(IMAGE) --output-file requirements.run.lock pyproject.toml
	$(COMPILE) $(IMAGE) --only-build-deps --build-deps-for wheel --output-file requirements.build.lock pyproject.toml

setup: $(STAMP)
	@:

# All of it goes to stderr and reads nothing: standard input and output belong to `make run`.
$(STAMP): pyproject.toml requirements.lock
	@{ set -e; \
	if ! $(BIN)/python -c 'import pip' 2>/dev/null; then \
	    found=; \
	    for python in $(PYTHONS); do \
	        if "$$python" -c 'import sys, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	            found=$$python; break; \
	        fi; \
	    done; \
	    if [ -z "$$found" ]; then \
	        echo 'Jargonaut needs Python 3.11 or newer, with venv. Tried: $(PYTHONS).'; \
	        echo 'Install one, or name yours: make $(or $(MAKECMDGOALS),setup) PYTHON=/path/to/python3'; \
	        exit 1; \
	    fi; \
	    echo "Setting up .venv with $$found; this takes about a minute, once."; \
	    "$$found" -m venv --clear .venv; \
	fi; \
	$(INSTALL) --require-hashes -r requirements.lock; \
	$(INSTALL) --no-deps --no-build-isolation -e .; \
	touch $@; \
	} >&2 </dev/null

clean:
	rm -rf .venv build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find bot adapters tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +
