# Everything a newcomer types; the virtual environment in .venv is made on first use.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Modules are compiled when they are imported: most never are.
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile
WHEEL = $$(echo build/wheel/*.whl)
SANITIZED := build/sanitize
# Inputs are guided by what they cover: by Atheris, and by libFuzzer, which comes with clang. GUIDED= does without, in
# seconds: mutations by chance, and the kernels' fuzzer with random inputs, as other compilers build it for `sanitize`.
GUIDED ?= yes
CLANG := $(if $(GUIDED),$(shell command -v clang++))
CORE_FUZZ := $(if $(CLANG),build/core_fuzz,$(SANITIZED))
READERS := onnx openvino dxdispatch webnn wire tensor desc
SECONDS ?= 60
SEED ?= 1
# One compiler or test for each core: as many as there are files would only push each other out of the caches.
CORES := $(shell getconf _NPROCESSORS_ONLN)
# Those that move data; the others read sources, compute layouts in Python alone, import, run the examples, or bound the
# memory of processes, which the sanitizers multiply.
SANITIZED_TESTS := tests/core tests/engine tests/arrays $(filter-out $(addprefix tests/test_,$(addsuffix .py,\
    bench_models docs dtypes errors examples generated large layout public rooms scale)),$(wildcard tests/test_*.py))
SOURCES := pyproject.toml CMakeLists.txt $(shell find src core -type f -not -name '*.so' -not -name '*.pyc')

# Compiled Python is kept: else every process of the tests compiles, and pytest rewrites, each test file anew.
unexport PYTHONDONTWRITEBYTECODE
# Tests have all cores; the threads that NumPy starts for products of matrices would look for work on them.
test sanitize: export OPENBLAS_NUM_THREADS := 1

WEBNN_CHROMIUM = build/chromium-webnn/chromium

.PHONY: demo test lint browser generate sanitized sanitize arm fuzz fuzz-core $(READERS:%=fuzz-%) bench examples clean
.DELETE_ON_ERROR:

demo: $(VENV)/.demo  ## one Gather through three dialects, a picture's planes, a word lookup
	$(BIN)/python examples/demo.py

test: $(VENV)/.test  ## all tests: specification, properties, real runtimes beside us
	$(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder

configure = $(BIN)/cmake -G Ninja -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN)/ninja) -S . -B $(1) -DWHERRY_SANITIZE=ON \
    -DWHERRY_TESTS=ON -DCMAKE_COMPILE_WARNING_AS_ERROR=ON $(2)

lint: $(VENV)/.dev  ## formatting, lint and types
	$(BIN)/ruff format --check src tests bench examples docs generate
	$(BIN)/ruff check src tests bench examples docs generate
	$(BIN)/mypy --strict src
	$(BIN)/clang-format --dry-run --Werror $$(git ls-files 'core/*.cpp' 'core/*.hpp' 'tests/core/*.[ch]pp' 'tests/fuzz/core/*.cpp')

sanitized: $(VENV)/.build  ## what sanitize runs, compiled
	$(call configure,$(SANITIZED),-DPython_EXECUTABLE=$(abspath $(BIN)/python))
	$(BIN)/cmake --build $(SANITIZED) --parallel $(CORES)

sanitize: sanitized  ## under AddressSanitizer and UndefinedBehaviorSanitizer: the kernels on every instruction set, the module
	$(BIN)/cmake --build $(SANITIZED) --target check_core --parallel $(CORES)
	rm -rf $(SANITIZED)/site && mkdir $(SANITIZED)/site && cp -R src/wherry $(SANITIZED)/site
	$(BIN)/cmake --install $(SANITIZED) --prefix $(SANITIZED)/site
	LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libubsan.so)" \
	    HYPOTHESIS_PROFILE=brief WHERRY_TUNE=last=2M ASAN_OPTIONS=detect_leaks=0 PYTHONPATH=$(SANITIZED)/site $(BIN)/python -m pytest -q -n auto -p no:cacheprovider \
	    --capture=sys $(SANITIZED_TESTS) --ignore=tests/core/test_every_isa.py --ignore=tests/core/test_interrupt.py \
	    $(addprefix --deselect tests/test_bench.py::,test_a_row_measured test_bare_loops_in_the_order_of_a_row_give_its_result)

arm: $(VENV)/.build  ## both tables of kernels of AArch64, under emulation: needs g++-aarch64-linux-gnu and qemu-user
	$(BIN)/cmake -S . -B build/arm -DWHERRY_TESTS=ON -DWHERRY_PYTHON=OFF -DCMAKE_SYSTEM_NAME=Linux \
	    -DCMAKE_SYSTEM_PROCESSOR=aarch64 -DCMAKE_CXX_COMPILER=aarch64-linux-gnu-g++ -DCMAKE_EXE_LINKER_FLAGS=-static
	$(BIN)/cmake --build build/arm --parallel $(CORES)
	WHERRY_ISA=scalar qemu-aarch64 build/arm/tests/core/core_tests 60 1
	WHERRY_ISA=neon qemu-aarch64 build/arm/tests/core/core_tests 60 2

fuzz: fuzz-core $(READERS:%=fuzz-%)  ## hostile input, SECONDS=60 for each target; --jobs=6 runs all at once

$(READERS:%=fuzz-%): fuzz-%: $(VENV)/$(if $(GUIDED),.fuzz,.test)
	PYTHONHASHSEED=0 OMP_NUM_THREADS=1 $(BIN)/python -m tests.fuzz $* --seconds $(SECONDS) --seed $(SEED) \
	    $(if $(GUIDED),,--by-chance)

fuzz-core: $(VENV)/.build
	$(if $(CLANG),,@echo "no libFuzzer without clang++ and GUIDED=yes: the kernels get random input by $(CXX)")
	$(if $(CLANG),$(call configure,$(CORE_FUZZ),-DCMAKE_CXX_COMPILER=$(CLANG) -DWHERRY_PYTHON=OFF),\
	    $(call configure,$(CORE_FUZZ),-DPython_EXECUTABLE=$(abspath $(BIN)/python)))
	$(BIN)/cmake --build $(CORE_FUZZ) --target core_fuzz --parallel $(CORES)
	mkdir -p build/fuzz/core/corpus
	$(CORE_FUZZ)/tests/fuzz/core/core_fuzz -max_total_time=$(SECONDS) -seed=$(SEED) -timeout=5 -rss_limit_mb=2048 \
	    -max_len=4096 -len_control=0 -entropic=0 -print_final_stats=1 -artifact_prefix=build/fuzz/core/ build/fuzz/core/corpus tests/fuzz/corpus/core

bench: $(VENV)/.bench  ## the peers side by side
	$(BIN)/python -m bench $(BENCH_ARGS)

browser:  ## Chromium for the tests of pages, from Debian, and one with WebNN, from npm; without them they are skipped
	command -v chromium || (apt-get -qq update && apt-get -qq install --yes --no-install-recommends chromium) >/dev/null \
	    || echo "no Chromium: the tests of pages are skipped"
	$(MAKE) $(WEBNN_CHROMIUM) || echo "no Chromium with WebNN: the tests of its graphs are skipped"

$(WEBNN_CHROMIUM): | $(dir $(WEBNN_CHROMIUM))  # beside the libraries that draw without a GPU: else it does without WebNN too
	npm install --silent --no-save --ignore-scripts --prefix build/npm @sparticuz/chromium@147.0.0
	$(unbrotli) < build/npm/node_modules/@sparticuz/chromium/bin/swiftshader.tar.br | tar --extract --directory $(@D)
	$(unbrotli) < build/npm/node_modules/@sparticuz/chromium/bin/chromium.br > $@
	chmod +x $@

$(dir $(WEBNN_CHROMIUM)):
	mkdir -p $@

unbrotli = node -e 'process.stdin.pipe(require("zlib").createBrotliDecompress()).pipe(process.stdout)'

generate: $(VENV)/.test  ## write the code that follows from the dialects' tables anew
	$(BIN)/python -m generate

examples: $(VENV)/.demo  ## write the files in examples/ anew
	$(BIN)/python examples/make_examples.py

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "wherry needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)

# What builds the core, and with it both what is installed and what is sanitized.
$(VENV)/.build: $(BIN)/python pyproject.toml
	$(PIP) cmake ninja $$($(BIN)/python -c 'import tomllib as t; print(*t.load(open("pyproject.toml", "rb"))["build-system"]["requires"])')
	@touch $@

$(VENV)/.wheel: $(VENV)/.build $(SOURCES)
	rm -rf build/wheel
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir build/wheel .
	$(PIP) --force-reinstall --no-deps $(WHEEL)
	@touch $@

$(VENV)/.demo: $(VENV)/.wheel
	$(PIP) "$(WHEEL)[all]"
	@touch $@

$(VENV)/.test: $(VENV)/.demo
	$(PIP) "$(WHEEL)[test]"
	$(PIP) --no-deps silero-vad==6.2.3  # for the models inside; its dependencies would bring torch
	@touch $@

$(VENV)/.bench: $(VENV)/.test  # whose models are rows
	$(PIP) "$(WHEEL)[bench]"
	@touch $@

$(VENV)/.dev: $(VENV)/.test
	$(PIP) "$(WHEEL)[dev]"
	@touch $@

$(VENV)/.fuzz: $(VENV)/.test
	$(PIP) --only-binary atheris "$(WHEEL)[fuzz]" || echo "no Atheris for this machine: the fuzzers do without"
	@touch $@

clean:
	rm -rf $(VENV) build
