# Everything runs in a virtual environment that is made on demand in $(VENV).
#
#   make demo     play one game and record it        make lint    check style and types
#   make test     run the quick tests, minutes       make bench   measure the speed
#   make play     open the window for people         make docs    build the documentation
#   make clean    remove what make made
#
#   make test-all     all tests but those that need PyTorch; test-slow: the slow ones
#   make test-suite   a suite of tasks as a whole, printed tables and certificates
#   make test-train   the tests that need PyTorch and Stable-Baselines3
#   make test-rllib   the tests that need RLlib, in an environment of their own
#   make test-llm     the tests of trainers of language models, an environment each
#   make test-hostile damaged files, hostile replies, kills, threads, any order of calls
#   make test-bare    the tests with the core packages alone, from outside the checkout
#   make test-oldest  recorded and saved games on the oldest releases that are allowed
#
# ARGS passes options on, for example: make demo ARGS="--seed 3"

# Tests start hundreds of processes; without bytecode, each would compile the package.
unexport PYTHONDONTWRITEBYTECODE

PYTHON ?= python3
VENV ?= .venv
JOBS ?= 2
ARGS ?=
# What test-train and test-rllib install for PyTorch; a CPU build is enough.
TORCH ?= torch

BIN := $(VENV)/bin
# Environments of their own, beside the other one: for the bare install, and for the
# oldest releases, whose Python is 3.10 or 3.11.
BARE := $(VENV)-bare
OLDEST := $(VENV)-oldest
# And for RLlib, which demands one release of Gymnasium.
RLLIB := $(VENV)-rllib
# Frameworks that train language models, each in an environment of its own.
TRAINERS := gem inspect nemo openenv skyrl verifiers
OLDEST_PYTHON ?= $(PYTHON)
PIP_INSTALL := -m pip install -qq --disable-pip-version-check
# What needs the same compiled functions runs in one process; see tests/conftest.py.
PYTEST_JOBS := -n $(JOBS) --dist loadgroup
PYTEST := $(BIN)/python -m pytest $(PYTEST_JOBS)

.PHONY: help demo play bench docs lint clean
.PHONY: test test-slow test-all test-suite test-train test-rllib test-llm test-hostile test-bare test-oldest
.DEFAULT_GOAL := help

help:
	@sed -n '/^$$/q; s/^# \{0,1\}//p' Makefile

# --- Virtual environments -----------------------------------------------------

$(BIN)/python:
	@echo "==> Making the virtual environment $(VENV)"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python $(PIP_INSTALL) --upgrade pip

# One stamp for each set of extras that has been installed.
$(VENV)/%.stamp: setup.py pyproject.toml | $(BIN)/python
	@echo "==> Installing the package with its extras [$*]"
	@$(BIN)/python $(PIP_INSTALL) --editable ".[$*]"
	@touch $@

# --- Using the package --------------------------------------------------------

demo: $(VENV)/demo.stamp
	@echo "==> Playing one game"
	@$(BIN)/python scripts/demo.py $(ARGS)

play: $(VENV)/gui,video.stamp
	@$(BIN)/python -m crafter.run_gui $(ARGS)

bench: $(VENV)/all.stamp
	@echo "==> Measuring the speed"
	@$(BIN)/python scripts/benchmark.py $(ARGS)

docs: $(VENV)/docs.stamp
	@echo "==> Building the documentation into site/"
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet $(ARGS)
	@echo "==> Open site/index.html, or for the search run: python -m http.server -d site"

# --- Checks -------------------------------------------------------------------

test: $(VENV)/all.stamp
	@echo "==> Running the quick tests"
	@$(PYTEST) -m "not slow and not train" $(ARGS)

test-all: test test-slow

test-slow: $(VENV)/all.stamp
	@echo "==> Running the slow tests"
	@$(PYTEST) -m "slow and not train" $(ARGS)

test-suite: $(VENV)/all.stamp
	@echo "==> Running a suite of tasks from its scenes to its report"
	@$(BIN)/python -m pytest tests/tasks/test_end_to_end.py $(ARGS)
	@echo "==> Printing the tables of the documentation again"
	@$(BIN)/python scripts/update_pages.py --check
	@echo "==> Playing a twentieth of the shipped certificates again"
	@$(PYTEST) tests/tasks/test_solutions.py -k twentieth $(ARGS)

# Thousands of inputs for every property; see docs/reliability.md.
test-hostile: $(VENV)/all.stamp
	@echo "==> Trying to break it"
	@$(PYTEST) -m "not train" --hypothesis-profile long $(ARGS) \
		tests/test_foreign_files.py tests/core/test_files.py tests/lm/test_hostile.py \
		tests/lm/test_mcp.py tests/llm_client tests/recording/test_kill.py \
		tests/recording/test_interrupts.py tests/tasks/test_parse.py \
		tests/tasks/test_records.py tests/games/crafter/cpu/test_engine.py \
		tests/compiled/test_xla.py tests/compiled/test_call_sequences.py

lint: $(VENV)/all.stamp
	@echo "==> Checking style (ruff) and types (mypy)"
	@$(BIN)/ruff format --check
	@$(BIN)/ruff check
	@$(BIN)/mypy

# The tests that need PyTorch and Stable-Baselines3, and other large packages that this
# one works with but does not need.
test-train: $(VENV)/all.stamp
	@echo "==> Installing $(TORCH), Stable-Baselines3, gymnax, moviepy and TRL"
	@$(BIN)/python $(PIP_INSTALL) $(TORCH)
	@$(BIN)/python $(PIP_INSTALL) --editable ".[train]" gymnax moviepy "trl>=1.16"
	@echo "==> Running the tests that need them"
	@$(PYTEST) -m train $(ARGS)

test-rllib:
	@echo "==> Installing $(TORCH) and RLlib"
	@test -x $(RLLIB)/bin/python || $(PYTHON) -m venv $(RLLIB)
	@$(RLLIB)/bin/python $(PIP_INSTALL) $(TORCH)
	@$(RLLIB)/bin/python $(PIP_INSTALL) --editable ".[rllib]" "pytest<9.2" hypothesis
	@echo "==> Training on a cluster of two machines"
	@$(RLLIB)/bin/python -m pytest tests/scripts/test_train_rllib.py $(ARGS)

# Some of these frameworks exclude each other.
test-llm: $(TRAINERS:%=test-llm-%)

test-llm-%:
	@echo "==> Installing $*"
	@test -x $(VENV)-$*/bin/python || $(PYTHON) -m venv $(VENV)-$*
	@$(VENV)-$*/bin/python $(PIP_INSTALL) --editable ".[$*]" "pytest<9.2" hypothesis uv
	@echo "==> Playing with $*"
	@$(VENV)-$*/bin/python -m pytest tests/trainers -W ignore -k "conversation or $*" $(ARGS)

# The wheel with the core packages alone, tested from outside the checkout: shows
# missing data files and optional packages that are not optional. What the tests
# read besides the package is copied; the package's source is not. The pictures of
# the README are left out: they belong to the checkout.
test-bare:
	@echo "==> Building the wheel"
	@rm -rf $(BARE) && $(PYTHON) -m venv $(BARE)
	@$(BARE)/bin/python $(PIP_INSTALL) --upgrade pip
	@$(BARE)/bin/python -m pip wheel --quiet . --no-deps --wheel-dir $(BARE)/wheel
	@echo "==> Installing it with the core packages alone"
	@$(BARE)/bin/python $(PIP_INSTALL) $(BARE)/wheel/*.whl \
		"pytest<9.2" pytest-xdist hypothesis
	@echo "==> Running the tests from outside the checkout, without the slow ones"
	@mkdir $(BARE)/outside
	@cp -r tests scripts analysis scores docs pyproject.toml README.md CONTRIBUTING.md \
		$(BARE)/outside
	@cd $(BARE)/outside && ../bin/python -m pytest $(PYTEST_JOBS) -rfE ./tests \
		--pyargs crafter --ignore tests/docs/test_pictures.py \
		--doctest-ignore-import-errors -m "not slow and not train" $(ARGS)

test-oldest:
	@echo "==> Installing the oldest releases that are allowed"
	@test -x $(OLDEST)/bin/python || $(OLDEST_PYTHON) -m venv $(OLDEST)
	@$(OLDEST)/bin/python $(PIP_INSTALL) --requirement tests/oldest.txt \
		pytest hypothesis
	@echo "==> Replaying the recorded games, saving and loading"
	@$(OLDEST)/bin/python -m pytest tests/games/crafter/test_golden.py \
		tests/games/crafter/test_noise.py tests/games/crafter/test_state.py tests/gui/test_session.py \
		-m "not slow" $(ARGS)
	@echo "==> The same for the batched engine"
	@$(OLDEST)/bin/python $(PIP_INSTALL) --requirement tests/oldest-vector.txt
	@$(OLDEST)/bin/python -m pytest tests/games/crafter/cpu/test_worlds.py tests/compiled/test_cache.py \
		tests/games/crafter/cpu/test_parity.py $(ARGS)

clean:
	rm -rf $(VENV) $(BARE) $(OLDEST) $(RLLIB) build dist *.egg-info demo-output site
	rm -rf .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
