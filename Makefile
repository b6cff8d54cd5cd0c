# Sleight: `make help` lists the targets.

EXE     ?= sleight
CARGO   ?= cargo
RUSTC   ?= rustc
PYTHON  ?= python3
# The network to embed; empty for networks/default.nnue. OpenBench passes it with a network test.
EVALFILE ?=
export EVALFILE
# What `make net` learns from, how, and where it leaves its checkpoints, losses and plot.
GAMES    ?= games
TRAIN    ?= --wdl 0.2
TRAINING ?= training

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

# `make pgo`. Any llvm-profdata will do that can read what the compiler's own LLVM writes: that of rustup's component
# llvm-tools, or one on the PATH, unless it is too old.
HOST      = $(shell $(RUSTC) -vV | sed -n 's/^host: //p')
RUSTLIB   = $(shell $(RUSTC) --print sysroot)/lib/rustlib/$(HOST)/bin
PROFDATA  = $(strip $(wildcard $(addsuffix /llvm-profdata*,$(RUSTLIB) $(subst :, ,$(PATH)))))
PROFILED  = target/pgo/$(HOST)/release/sleight$(SUFFIX)
define no_pgo
	@echo 'No llvm-profdata was found that can read the profiles of this rustc (`rustup component add llvm-tools` brings'
	@echo 'one): building without a profile.'
	@$(MAKE) --no-print-directory native
endef

# The target is named because build scripts and macros, which run on the host, are then built without the flags.
define build_pgo
	RUSTFLAGS="-C target-cpu=native $(1)" $(CARGO) build --release --bin sleight --target $(HOST) --target-dir target/pgo
endef

.PHONY: native portable pgo pgo-count pgo-build run test bench peer net lint clean help

native: ## Build ./sleight for this machine's processor (the default); EXE=name names it
	$(call build,-C target-cpu=native,native)

portable: ## Build ./sleight for any x86-64-v2 processor; faster instructions are found at run time
	$(call build,-C target-cpu=x86-64-v2,portable)

pgo: ## Build ./sleight like `make native`, guided by a profile of its bench and perft (ten minutes)
	$(if $(PROFDATA),@$(MAKE) --no-print-directory pgo-count,$(no_pgo))

pgo-count:
	rm -rf target/pgo
	$(call build_pgo,-C profile-generate=target/pgo/counts)
	$(PROFILED) bench 10 > target/pgo/bench.txt
	$(PROFILED) perft 5 > target/pgo/perft.txt
	@for tool in $(PROFDATA); do "$$tool" merge -o target/pgo/profile target/pgo/counts && break; done; true
	@$(MAKE) --no-print-directory pgo-build

pgo-build:
	$(if $(wildcard target/pgo/profile),$(call build_pgo,-C profile-use=$(CURDIR)/target/pgo/profile),$(no_pgo))
	$(if $(wildcard target/pgo/profile),cp -f $(PROFILED) $(TARGET))

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

peer: ## Perft beside cozy-chess 0.3.4, in turn (needs BMI2); PEER="15 --nobulk" plays the last ply, 15 rounds
	cd benches/peer && RUSTFLAGS="-C target-cpu=native" $(CARGO) run --release --target-dir ../../target/peer -- $(PEER)

net: ## Train a network on GAMES=folder of self-play and build ./sleight with it (docs/training.md)
	RUSTFLAGS="-C target-cpu=native" $(CARGO) build --release --features lab --target-dir target/lab
	target/lab/release/sleight$(SUFFIX) train $(GAMES)/*.vf --out $(TRAINING) $(TRAIN)
	cp -f $(TRAINING)/network.nnue networks/default.nnue
	$(MAKE) native

lint: ## Formatting and clippy, as CI wants them
	$(CARGO) fmt --all --check
	$(CARGO) clippy --all-targets --all-features -- -D warnings
	$(CARGO) clippy -- -D warnings

clean: ## Remove what was built
	rm -rf target .venv $(TARGET)

help: ## This list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
