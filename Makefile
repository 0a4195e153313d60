# From a bare clone: `make run` serves a demo club, `make test` runs everything that CI runs.

BIN := .venv/bin
PYTHON ?= python3
PIP_AUDIT := 2.10.1
PORT ?= 8000
PACKAGES_TO_RUN := python3-venv libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0
PACKAGES_TO_TEST := $(PACKAGES_TO_RUN) chromium chromium-headless-shell poppler-utils
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes
PIP_COMPILE := CUSTOM_COMPILE_COMMAND="make lock" $(BIN)/pip-compile --quiet --generate-hashes --allow-unsafe \
	--strip-extras --no-emit-find-links --no-emit-index-url --no-emit-trusted-host
SCRATCH := DEVELOPMENT=1 DATABASE_URL=sqlite://:memory:
# The check of what a club's server would run with, on a key that is thrown away.
PRODUCTION := DEVELOPMENT=0 DEBUG=0 SECRET_KEY=$$($(BIN)/python -c "import secrets; print(secrets.token_urlsafe(60))")

# Each stage of the tests starts processes by the dozen: what one has compiled the others take as it is.
unexport PYTHONDONTWRITEBYTECODE

# A module's tests run in one process, so that its story is told once.
PYTEST := $(BIN)/pytest -n 2 --dist loadscope --no-loadscope-reorder

.PHONY: run hall test audit drills quick check check-style check-tests check-rules-types check-types check-site bench bench-growth bench-tables bench-storm pictures format lock clean packages-to-run packages-to-test

run: packages-to-run .venv/installed .env
	PORT=$(PORT) .ci/serve

# One evening on a laptop in a local network, without internet: HOST= names it, CERT= and KEY= are for https.
hall: packages-to-run .venv/installed
	@HOST="$(HOST)" PORT="$(PORT)" CERT="$(CERT)" KEY="$(KEY)" $(BIN)/python -m config.hall

# PostgreSQL first: the last lines are then those of the run over all tests.
test: packages-to-test .venv/installed-dev check
	.ci/postgres $(PYTEST) -q -m "both_databases and not bench"
	$(PYTEST) -r fER -m "not bench"

# What `make test` takes a sample of, whole: every form and page of the long enumerations, Hypothesis' long searches.
drills: packages-to-test .venv/installed-dev
	DRILLS=1 .ci/postgres $(PYTEST) -q --timeout 1800 -m "both_databases and not bench"
	DRILLS=1 $(PYTEST) --timeout 1800 -m "not bench"

# While one works: one case of every test that is not slow.
quick: .venv/installed-dev
	QUICK=1 $(PYTEST) -q -m "not bench" tests/unit

# Types take the longest, in one process each: side by side with the rest.
check: .venv/installed-dev
	@$(MAKE) --no-print-directory -j2 check-rules-types check-types check-tests check-style check-site

check-style:
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/djhtml --check templates
	@! grep -nE 'https?://|file://|find-links|index-url' requirements*.txt || (echo "A lock file names an address."; exit 1)

check-rules-types:
	$(BIN)/mypy --cache-dir .mypy_cache/rules --strict rules

check-types:
	$(BIN)/mypy config accounts notifications warbands campaigns

# Collected once by one process, which leaves them compiled for those that run them.
check-tests:
	$(BIN)/pytest --collect-only -qq -m "not bench" >/dev/null

check-site:
	$(SCRATCH) $(BIN)/python manage.py makemigrations --check --dry-run
	$(SCRATCH) $(BIN)/python manage.py content check
	$(PRODUCTION) $(BIN)/python manage.py check --deploy --fail-level WARNING
	folder=$$(mktemp -d) && $(PRODUCTION) STATIC_ROOT=$$folder $(BIN)/python manage.py collectstatic --noinput -v 0 \
		&& rm -r $$folder

bench: .venv/installed-dev
	$(BIN)/python -m tests.bench

# How pages do when the site grows, on PostgreSQL: to 200 campaigns, and one campaign to a hundred times its size.
bench-growth: .venv/installed-dev
	.ci/postgres $(BIN)/python -m tests.bench.growth

# A battle on two phones and forty battles at once, on PostgreSQL: how soon a press is shown, and what it takes.
bench-tables: .venv/installed-dev
	.ci/postgres $(BIN)/python -m tests.bench.tables

# A whole club at once on two workers, and whether the books add up afterwards.
bench-storm: .venv/installed-dev
	.ci/postgres $(BIN)/python -m tests.bench.storm

# The pictures of README and manual, taken afresh from the demonstration club.
pictures: .venv/installed-dev
	$(BIN)/python -m tests.pictures

format: .venv/installed-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/djhtml templates

# Known faults of the pinned packages, from the public database. In an environment of its own: it needs some thirty packages.
audit:
	test -x .venv-audit/bin/pip-audit || ($(PYTHON) -m venv .venv-audit && .venv-audit/bin/pip install --quiet pip-audit==$(PIP_AUDIT))
	.venv-audit/bin/pip-audit --require-hashes --disable-pip -r requirements.txt
	.venv-audit/bin/pip-audit --require-hashes --disable-pip -r requirements-dev.txt

lock: .venv/installed-dev
	$(PIP_COMPILE) --output-file requirements.txt pyproject.toml
	$(PIP_COMPILE) --extra dev --constraint requirements.txt --output-file requirements-dev.txt pyproject.toml

clean:
	rm -rf .venv .venv-audit staticfiles .mypy_cache .ruff_cache .pytest_cache

packages-to-run:
	@.ci/packages $(PACKAGES_TO_RUN)

packages-to-test:
	@.ci/packages $(PACKAGES_TO_TEST)

.env:
	echo "DEVELOPMENT=1" > .env

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/installed: requirements.txt | .venv/bin/python
	$(PIP_INSTALL) -r requirements.txt
	@touch $@

.venv/installed-dev: requirements-dev.txt | .venv/bin/python
	$(PIP_INSTALL) -r requirements-dev.txt
	@touch $@
