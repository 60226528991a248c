# Everything a newcomer types; the virtual environment in .venv is made on first use.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
SOURCES := pyproject.toml CMakeLists.txt $(shell find src core -type f -not -name '*.so' -not -name '*.pyc')

.PHONY: demo test lint sanitize bench examples clean
.DELETE_ON_ERROR:

demo: $(VENV)/.demo  ## one Gather through three dialects, a picture's planes, a word lookup
	$(BIN)/python examples/demo.py

test: $(VENV)/.test  ## all tests: specification, properties, real runtimes beside us
	$(BIN)/python -m pytest

lint: $(VENV)/.dev  ## formatting, lint and types
	$(BIN)/ruff format --check src tests bench examples
	$(BIN)/ruff check src tests bench examples
	$(BIN)/mypy --strict src
	$(BIN)/clang-format --dry-run --Werror $$(git ls-files 'core/*.cpp' 'core/*.hpp' 'tests/core/*.cpp')

sanitize:  ## the core's own tests under AddressSanitizer and UndefinedBehaviorSanitizer, on every instruction set
	cmake -S . -B build/sanitize -DWHERRY_SANITIZE=ON -DWHERRY_PYTHON=OFF -DWHERRY_TESTS=ON
	cmake --build build/sanitize --target check_core --parallel

bench: $(VENV)/.bench  ## the peers side by side
	$(BIN)/python -m bench $(BENCH_ARGS)

examples: $(VENV)/.demo  ## write the files in examples/ anew
	$(BIN)/python examples/make_examples.py

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "wherry needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.demo: $(BIN)/python $(SOURCES)
	$(PIP) '.[all]'
	@touch $@

$(VENV)/.test: $(VENV)/.demo
	$(PIP) '.[test]'
	$(PIP) --no-deps silero-vad==6.2.3  # for the models inside; its dependencies would bring torch
	@touch $@

$(VENV)/.bench: $(VENV)/.demo
	$(PIP) '.[bench]'
	@touch $@

$(VENV)/.dev: $(VENV)/.test
	$(PIP) '.[dev]'
	@touch $@

clean:
	rm -rf $(VENV) build
