# On a fresh machine with python3 and make: every target makes its own environment in .venv first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
unexport PYTHONDONTWRITEBYTECODE # where it is set, every process reads all sources again: three seconds each

.PHONY: viewer demo test lint format bench campaign clean

$(VENV)/installed: pyproject.toml hatch_build.py viewer/package-lock.json
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --upgrade "pip>=25.1"
	$(PIP) install --no-compile --editable .
	touch $@

$(VENV)/installed-dev: $(VENV)/installed
	$(PIP) install --no-compile --group dev
	touch $@

$(VENV)/installed-bench: $(VENV)/installed
	$(PIP) install --no-compile --group bench
	touch $@

viewer: $(VENV)/installed      ## bundle the viewer anew after a change in viewer/ (installing does it, too)
	$(PIP) install --no-compile --no-deps --editable .

demo: $(VENV)/installed        ## five models of one spherical joint, compared, drawn, and moving in a page
	$(BIN)/gudgeon demo --out out

test: $(VENV)/installed-dev    ## all tests
	$(BIN)/gudgeon compile
	$(BIN)/python -m pytest -n 2 tests

lint: $(VENV)/installed-dev    ## ruff, pyright, and which module may import which
	$(BIN)/ruff check src tests examples benchmarks campaign hatch_build.py
	$(BIN)/ruff format --check src tests examples benchmarks campaign hatch_build.py
	$(BIN)/pyright --pythonpath $(BIN)/python
	$(BIN)/lint-imports --no-cache

format: $(VENV)/installed-dev
	$(BIN)/ruff check --fix src tests examples benchmarks campaign
	$(BIN)/ruff format src tests examples benchmarks campaign

bench: $(VENV)/installed-bench ## speed against peers; some minutes, best on a quiet machine
	cd benchmarks && OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 ../$(BIN)/python ideal_four_bar.py
	cd benchmarks && OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 ../$(BIN)/python spherical_joint_models.py
	cd benchmarks && OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 ../$(BIN)/python growth.py
	cd benchmarks && OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 ../$(BIN)/python formulations.py
	cd benchmarks && OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 ../$(BIN)/python startup.py
	cd benchmarks && OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 ../$(BIN)/python gap.py
	cd benchmarks && OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 ../$(BIN)/python fem_assembly.py
	cd benchmarks && OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 ../$(BIN)/python flexible_slider.py
	cd benchmarks && OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 ../$(BIN)/python nonsmooth.py
	cd benchmarks && OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 ../$(BIN)/python analyses.py
	cd benchmarks && OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 ../$(BIN)/python chains.py
	cd benchmarks && OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 ../$(BIN)/python journals.py
	cd benchmarks && OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 ../$(BIN)/python journal_films.py
	cd benchmarks && OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 ../$(BIN)/python signals.py
	cd benchmarks && OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 ../$(BIN)/python sweep.py
	cd benchmarks && ../$(BIN)/python compilation.py
	cd benchmarks && ../$(BIN)/python viewer.py

campaign: $(VENV)/installed-dev ## random contact, abuses, random mechanisms: some minutes; the table goes to out/campaign.md
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python campaign --out out
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python campaign/killed_studies.py

clean:
	rm -f src/gudgeon/view/page/viewer.* src/gudgeon/view/page/viewer_not_built.txt
	rm -rf $(VENV) out .pytest_cache .ruff_cache .hypothesis
	find src -name __pycache__ -type d -exec rm -rf {} +
