# Sleight: `make help` lists the targets.

EXE     ?= sleight
CARGO   ?= cargo
PYTHON  ?= python3
# OpenBench passes EVALFILE=path with a network test. There is no network yet: the evaluation is written by hand.
EVALFILE ?=
ifneq ($(EVALFILE),)
  $(warning EVALFILE=$(EVALFILE) is not used: this version has no network)
endif

ifeq ($(OS),Windows_NT)
  SUFFIX := .exe
endif
# OpenBench asks for EXE=Name and expects Name.exe on Windows.
TARGET := $(if $(filter %.exe,$(EXE)),$(EXE),$(EXE)$(SUFFIX))

# cp, not a link: a running engine keeps its file while the next one is built.
define build
	RUSTFLAGS="$(1)" $(CARGO) build --release --bin sleight --target-dir target/$(2)
	cp -f target/$(2)/release/sleight$(SUFFIX) $(TARGET)
endef

.PHONY: native portable run test bench peer lint clean help

native: ## Build ./sleight for this machine's processor (the default); EXE=name names it
	$(call build,-C target-cpu=native,native)

portable: ## Build ./sleight for any x86-64-v2 processor; faster instructions are found at run time
	$(call build,-C target-cpu=x86-64-v2,portable)

run: native ## Build and start the engine: type `help`, or `uci`
	./$(TARGET)

test: .venv/ready ## Run every test (sets up what it needs in .venv and target)
	$(CARGO) test --all-features

# The Python side of the tests: python-chess plays whole games against the binary.
.venv/ready: tests/python/requirements.txt
	$(PYTHON) -m venv .venv
	.venv/bin/pip install --quiet --disable-pip-version-check -r tests/python/requirements.txt
	touch $@

bench: native ## Print the node signature and the speed
	./$(TARGET) bench

peer: ## Perft beside cozy-chess 0.3.4, in turn (needs BMI2)
	cd benches/peer && RUSTFLAGS="-C target-cpu=native" $(CARGO) run --release --target-dir ../../target/peer

lint: ## Formatting and clippy, as CI wants them
	$(CARGO) fmt --all --check
	$(CARGO) clippy --all-targets --all-features -- -D warnings

clean: ## Remove what was built
	rm -rf target .venv $(TARGET)

help: ## This list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
