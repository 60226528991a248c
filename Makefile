# What one types while working on wherry.
.PHONY: sanitize bench

PYTHON ?= python3
BENCH_ARGS ?=

# The C++ tests under the address and undefined-behaviour sanitizers, for every instruction set here.
sanitize:
	cmake -S . -B build/sanitize -DWHERRY_SANITIZE=ON -DWHERRY_TESTS=ON -DWHERRY_PYTHON=OFF
	cmake --build build/sanitize --target check_core --parallel

# wherry and its peers side by side.
bench: .venv/bench-ready
	.venv/bin/python -m bench $(BENCH_ARGS)

.venv/bench-ready: pyproject.toml CMakeLists.txt $(wildcard core/*/*.?pp core/*.?pp src/wherry/*.py)
	test -x .venv/bin/python || $(PYTHON) -m venv .venv
	.venv/bin/python -m pip install -q '.[bench]'
	touch $@
