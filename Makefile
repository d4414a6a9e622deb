# make demo   sets everything up and runs the main job on the bundled example
# make test   sets everything up and runs every test
# make serve  sets everything up and serves the example as a campaign from ./campaign
# make docs   sets everything up and builds the pages of docs/ into ./site
# make sbom   writes the bill of materials (CycloneDX) into sbom.json
# make wheels PYTHONS="python3.11 python3.13"  builds the source package and a wheel for each, in dist/

PYTHON ?= python3
PYTHONS ?= $(PYTHON)
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet --constraint constraints.txt
# The package is built with the tools of the environment, what it needs is built on its own.
OURS := $(PIP) --no-deps --no-build-isolation --editable .
needs = $(BIN)/python scripts/requirements $(1) >$(VENV)/requirements.txt && $(PIP) --use-pep517 --requirement $(VENV)/requirements.txt
NATIVE := $(shell find native -name '*.[ch]pp')
BUILD_FILES := pyproject.toml constraints.txt CMakeLists.txt $(NATIVE)

# An editable install knows the modules it saw; a new or moved file means a new install.
LISTING := $(VENV)/.modules-$(shell find src/rankwise -name '*.py' | LC_ALL=C sort | cksum | cut -d' ' -f1)

.PHONY: demo serve install setup test docs lint bench check-slow sbom wheels check-wheels clean

demo: $(VENV)/.core
	@$(BIN)/rankwise demo --output demo

serve: $(VENV)/.serve
	@$(BIN)/rankwise serve campaign

install: $(VENV)/.core

# Everything that "make test" needs, so that the tests can then run without a network.
setup: $(VENV)/.dev
	@scripts/system-packages test $(PYTHON)

test: setup
	@$(BIN)/python -m pytest -n auto --durations=25 --durations-min=5

docs: $(VENV)/.docs
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --quiet --strict
	@echo "The pages are in site/index.html; to search in them, run: python3 -m http.server --directory site" >&2

bench: $(VENV)/.dev $(VENV)/.peers
	@$(BIN)/python benchmarks/run.py

check-slow: $(VENV)/.dev
	@scripts/check-slow

sbom:
	@$(PYTHON) scripts/sbom sbom.json

wheels: $(VENV)/.wheels
	@scripts/wheels build $(PYTHONS)

check-wheels: $(VENV)/.wheels
	@scripts/wheels check $(PYTHONS)

lint: $(VENV)/.dev $(VENV)/.javascript
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/clang-format --dry-run --Werror $(NATIVE)
	@scripts/tidy
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-cache
	@scripts/page-scripts check

$(VENV)/bin/python:
	@scripts/system-packages build $(PYTHON)
	@$(PYTHON) -m venv $(VENV)

$(LISTING): | $(VENV)/bin/python
	@rm -f $(VENV)/.modules-*
	@touch $@

# The build tools live in the environment, so that a rebuild compiles only what changed.
$(VENV)/.build: constraints.txt | $(VENV)/bin/python
	@echo "Installing the build tools into $(VENV) ..." >&2
	@$(PIP) scikit-build-core nanobind cmake ninja
	@touch $@

$(VENV)/.core: $(BUILD_FILES) $(VENV)/.build $(LISTING)
	@echo "Building Rankwise into $(VENV) ..." >&2
	@$(call needs)
	@$(OURS)
	@touch $@

$(VENV)/.dev: $(BUILD_FILES) $(VENV)/.build $(LISTING)
	@echo "Building Rankwise and installing its test tools into $(VENV) ..." >&2
	@$(call needs,dev)
	@$(OURS)
	@touch $@ $(VENV)/.core $(VENV)/.docs

$(VENV)/.serve: $(VENV)/.core
	@echo "Installing what the server needs into $(VENV) ..." >&2
	@$(call needs,serve)
	@touch $@

# The pages are made from text alone, so that nothing has to be compiled for them.
$(VENV)/.docs: pyproject.toml constraints.txt | $(VENV)/bin/python
	@echo "Installing what builds the pages into $(VENV) ..." >&2
	@$(call needs,docs)
	@touch $@

$(VENV)/.peers: $(VENV)/.dev
	@echo "Installing what Rankwise is measured against into $(VENV) ..." >&2
	@$(call needs,peers)
	@touch $@

# Node comes as a package of Python, so that nobody has to be root for it; its tools go into .venv/javascript.
$(VENV)/.javascript: constraints.txt scripts/javascript/package.json | $(VENV)/bin/python
	@echo "Installing what checks the scripts of pages into $(VENV) ..." >&2
	@$(call needs,javascript)
	@scripts/page-scripts install
	@touch $@

$(VENV)/.wheels: $(VENV)/.build
	@echo "Installing what wheels are made with into $(VENV) ..." >&2
	@$(call needs,wheels)
	@touch $@

clean:
	rm -rf $(VENV) build dist site
