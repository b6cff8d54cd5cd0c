# Sleight: `make help` lists the targets.

EXE     ?= sleight
CARGO   ?= cargo
RUSTC   ?= rustc
PYTHON  ?= python3
# The network to embed; empty for networks/default.nnue. OpenBench passes it with a network test.
EVALFILE ?=
# An empty variable would be another one than none for cargo, which would build anew between `make` and `cargo`.
ifneq ($(EVALFILE),)
  export EVALFILE
endif
# `make net`: the folder of self-play games, the training options, and the folder for checkpoints, losses and plot.
GAMES    ?= games
TRAIN    ?=
TRAINING ?= training
# `make sprt`: the engine under test, the base, the openings (.pgn or .epd), and further options of benches/sprt.py.
A    ?=
B    ?=
BOOK ?=
SPRT ?=

# More arguments of cargo for the other systems' builds, such as `-Z build-std` where there is no rustup.
CARGOFLAGS ?=

ifeq ($(OS),Windows_NT)
  SUFFIX := .exe
endif
VENV := .venv/$(if $(SUFFIX),Scripts,bin)
# OpenBench asks for EXE=Name and expects Name.exe on Windows.
TARGET := $(if $(filter %.exe,$(EXE)),$(EXE),$(EXE)$(SUFFIX))

# cp, not a link: a running engine keeps its file while the next one is built.
define build
	RUSTFLAGS="$(1)" $(CARGO) build --release --bin sleight --target-dir target/$(2)
	cp -f target/$(2)/release/sleight$(SUFFIX) $(TARGET)
endef

HOST = $(shell $(RUSTC) -vV | sed -n 's/^host: //p')

.PHONY: windows arm web web-engine setup-web serve quick-web test-web npm install uninstall logo dist deb wheel audit check-targets native quick portable run test bench lab sliders peer sprt net lint clean help

native: ## Build ./sleight for this machine's processor (the default); EXE=name names it
	$(call build,-C target-cpu=native,native)

quick: ## Build ./sleight incrementally, without link-time optimization: seconds after a change
	RUSTFLAGS="-C target-cpu=native" $(CARGO) build --profile quick --bin sleight --target-dir target/native
	cp -f target/native/quick/sleight$(SUFFIX) $(TARGET)

portable: ## Build ./sleight for any x86-64-v2 processor; faster instructions are found at run time
	$(call build,-C target-cpu=x86-64-v2,portable)

# `make install` takes the binary that is there, which root need not be able to build, or builds one.
$(TARGET):
	@$(MAKE) --no-print-directory native

# Where to install, and a folder to put that under, for packages.
PREFIX  ?= /usr/local
BINDIR  ?= bin
DESTDIR ?=
PLUGINS  = share/games/plugins
DESKTOP  = share/applications/sleight.desktop
ICON     = share/icons/hicolor/scalable/apps/sleight.svg
DOC      = share/doc/sleight
PAGES    = README.md LICENSE CHANGELOG.md CONTRIBUTING.md networks/README.md $(wildcard docs/*.* docs/*/*.*)
at       = "$(DESTDIR)$(PREFIX)/$(1)"
# A file that names the place of the others.
define install_filled
	sed 's|@prefix@|$(subst &,\&,$(PREFIX))|; s|@bindir@|$(BINDIR)|' $(1) > $(call at,$(2))
	chmod 644 $(call at,$(2))
endef

install: $(TARGET) ## Install ./sleight, man page, documents, XBoard plug-in and menu entry under PREFIX (/usr/local), in DESTDIR
	install -d $(foreach folder,$(BINDIR) share/man/man6 $(PLUGINS)/uci $(PLUGINS)/logos $(dir $(DESKTOP) $(ICON)),$(call at,$(folder)))
	install -m 755 $(TARGET) $(call at,$(BINDIR)/sleight$(SUFFIX))
	install -m 644 dist/sleight.png $(call at,$(PLUGINS)/logos/sleight.png)
	install -m 644 dist/sleight.desktop $(call at,$(DESKTOP))
	install -m 644 web/assets/icon.svg $(call at,$(ICON))
	$(call install_filled,dist/sleight.eng,$(PLUGINS)/uci/sleight.eng)
	$(call install_filled,dist/sleight.6,share/man/man6/sleight.6)
	@for page in $(PAGES); do \
		install -d $(call at,$(DOC))/$$(dirname $$page) && install -m 644 $$page $(call at,$(DOC))/$$page || exit 1; \
	done

uninstall: ## Remove what `make install` installs
	rm -f $(foreach file,$(BINDIR)/sleight$(SUFFIX) share/man/man6/sleight.6 $(DESKTOP) $(ICON),$(call at,$(file)))
	rm -f $(foreach file,uci/sleight.eng logos/sleight.png,$(call at,$(PLUGINS)/$(file)))
	rm -rf $(call at,$(DOC))

# Chess programs take PNG or BMP, most of 100 by 50 pixels.
logo: ## Draw dist/sleight.png and dist/sleight.bmp from dist/sleight.svg (needs rsvg-convert and ImageMagick)
	rsvg-convert --width 100 --height 50 dist/sleight.svg --output dist/sleight.png
	convert dist/sleight.png -alpha off -type TrueColor BMP3:dist/sleight.bmp

# The systems of `make dist` and `make check-targets`: `rustup target add` and a linker, and they are built anywhere. Where
# the build host is the system itself, it needs nothing. Where there is none of the linkers below, cargo-zigbuild brings one
# (pip install cargo-zigbuild ziglang); for macOS it needs to be told about one of Apple's frameworks.
LINUX   := x86_64-unknown-linux-gnu
ARM     := aarch64-unknown-linux-gnu
MAC     := aarch64-apple-darwin
MACX86  := x86_64-apple-darwin
WINDOWS := $(if $(findstring windows,$(HOST)),$(HOST),x86_64-pc-windows-gnu)
# The page has two builds: with threads, and without where browsers give none.
WASM    := wasm32-wasip1
THREADS := wasm32-wasip1-threads
SYSTEMS  = $(LINUX) $(ARM) $(MAC) $(MACX86) $(WINDOWS) $(THREADS)
FLAGS-x86_64 := -C target-cpu=x86-64-v2
FLAGS-wasm32 := -C target-feature=+simd128 -C strip=symbols
# The compilers that Debian has for other systems. On the system itself it stays `cc`: another linker would make cargo build
# all crates anew between `make` and `cargo`.
ifneq ($(shell [ "$$(uname -m)" = x86_64 ] || command -v x86_64-linux-gnu-gcc),)
  export CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_LINKER ?= x86_64-linux-gnu-gcc
endif
ifneq ($(shell [ "$$(uname -m)" = aarch64 ] || command -v aarch64-linux-gnu-gcc),)
  export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER ?= aarch64-linux-gnu-gcc
endif
LINKER-$(LINUX)   := x86_64-linux-gnu-gcc
LINKER-$(ARM)     := aarch64-linux-gnu-gcc
LINKER-$(WINDOWS) := x86_64-w64-mingw32-gcc
LINKER-$(MAC)     := xcrun
LINKER-$(MACX86)  := xcrun
found   = $(shell command -v $(1))
own     = $(or $(filter $(HOST),$(1)),$(if $(LINKER-$(1)),$(call found,$(LINKER-$(1))),$(1)))
# A command of cargo, and that of cargo-zigbuild in its place; one of the dependencies has assembly, so that clippy needs it too.
by_zig   = $(if $(call found,cargo-zigbuild),$(2),$(error no compiler and linker for $(1): install $(LINKER-$(1)), or cargo-zigbuild and ziglang by pip))
by_cargo = $(if $(own),$(2),$(call by_zig,$(1),$(3)))
framework = $(if $(findstring apple,$(1)),$(if $(own),,-L framework=dist/macos))
arch = $(firstword $(subst -, ,$(1)))
define cargo_for
	RUSTFLAGS="$(strip $(FLAGS-$(call arch,$(1))) $(3))" $(2) --bin sleight --target $(1) $(CARGOFLAGS)
endef
build_for = $(call cargo_for,$(1),$(call by_cargo,$(1),$(CARGO) build,cargo-zigbuild zigbuild) --profile $(or $(2),release) --target-dir target/systems,$(framework))

system-%:
	$(call build_for,$*)

check-system-%:
	$(call cargo_for,$*,$(call by_cargo,$*,$(CARGO) clippy,cargo-zigbuild clippy) --target-dir target/check) -- -D warnings

windows: ## Build sleight.exe for any x86-64-v2 processor, on Windows or for it (rustup target add x86_64-pc-windows-gnu)
	$(call build_for,$(WINDOWS))
	cp -f target/systems/$(WINDOWS)/release/sleight.exe $(basename $(TARGET)).exe

arm: ## Build sleight-arm64 for 64-bit ARM Linux (rustup target add aarch64-unknown-linux-gnu)
	$(call build_for,$(ARM))
	cp -f target/systems/$(ARM)/release/sleight sleight-arm64

# A profile of cargo: `quick` for tests.
WEB_PROFILE ?= release
WEB_BROTLI  ?= 11
PORT        ?= 8000
web-engine: web/node_modules/.package-lock.json
	$(call build_for,$(WASM) --target $(THREADS),$(WEB_PROFILE))
	mkdir -p target/wasm
	cp -f target/systems/$(WASM)/$(WEB_PROFILE)/sleight.wasm target/wasm/sleight.wasm
	cp -f target/systems/$(THREADS)/$(WEB_PROFILE)/sleight.wasm target/wasm/sleight-threads.wasm
	web/node_modules/.bin/esbuild web/engine/worker.js --bundle --minify --format=esm --target=es2022 --outdir=target/wasm
	cd target/wasm && node -p 'JSON.stringify(Object.fromEntries(process.argv.slice(1).map((f) => [f, fs.statSync(f).size])))' \
		sleight.wasm sleight-threads.wasm > sizes.json

web/node_modules/.package-lock.json: web/package-lock.json
	npm ci --prefix web --no-audit --no-fund

web: web-engine ## Build the page that plays in a browser into target/web (make setup-web; needs npm)
	rm -rf target/web
	cp -R target/wasm target/web
	npm run --prefix web build
	node web/compress.mjs target/web $(WEB_BROTLI)

setup-web: ## Install the Rust targets of the page
	rustup target add $(WASM) $(THREADS)

serve: web ## Build the page and serve it on http://localhost:8000; PORT=8001 for another port
	node web/serve.mjs target/web $(PORT)

npm: web-engine ## Pack the engine as an npm package into target/npm
	node web/npm/pack.mjs target/wasm target/npm

# What `make test-web` runs.
WEB_TESTS ?= web/tests web/engine

# The tests need the engine soon rather than fast. Its own code is compiled as soon at level 2 as at level 1, and is smaller.
quick-web: export CARGO_PROFILE_QUICK_OPT_LEVEL := 2
quick-web: export CARGO_PROFILE_QUICK_LTO := off
quick-web: CARGOFLAGS += --config 'profile.quick.package."*".opt-level=1'
quick-web: setup-web
	$(MAKE) --no-print-directory WEB_PROFILE=quick WEB_BROTLI=5 CARGOFLAGS='$(subst ','\'',$(CARGOFLAGS))' npm web

test-web: quick-web ## Test the page and its engine in Node.js and Chromium (sets up what it needs)
	npm run --prefix web check
	chromium="$$(web/find-chromium.sh)" && CHROMIUM="$$chromium" \
		node --test --test-concurrency=2 $$(find $(WEB_TESTS) -name '*.test.mjs')

# $(MAKE_COMMAND), since `make -n` would run a recipe that has $(MAKE) in it.
by_system = CARGO="$(CARGO)" RUSTC="$(RUSTC)" MAKE="$(MAKE_COMMAND)" ONLY="$(ONLY)" CARGOFLAGS="$(CARGOFLAGS)"

dist: ## Build an archive of each system in ONLY (default: all that are installed), and checksums, into target/dist
	$(by_system) $(PYTHON) dist/systems.py archive $(SYSTEMS)

deb: ## Build a Debian package for x86-64, and for ARM where its target is installed, into target/dist
	$(by_system) $(PYTHON) dist/systems.py deb $(LINUX) $(ARM)

wheel: .venv/ready ## Build a Python wheel with the binary of each system in ONLY, likewise
	$(by_system) $(VENV)/python dist/systems.py wheel $(filter-out $(THREADS),$(SYSTEMS))

check-targets: ## Run clippy for every system that is installed, and say which are not
	@$(by_system) $(PYTHON) dist/systems.py check $(SYSTEMS) $(WASM)

# The page's packages are built in, too; esbuild and the tests' are not.
audit: ## Check licenses, duplicates and known vulnerabilities of dependencies (needs cargo-deny, npm and the network)
	for manifest in Cargo.toml fuzz/Cargo.toml benches/peer/Cargo.toml; do \
		$(CARGO) deny --manifest-path $$manifest --config deny.toml --locked check || exit 1; \
	done
	npm audit --prefix web --omit dev

run: native ## Build and start the engine: type `help`, or `uci`
	./$(TARGET)

# With the feature `tune`, other code are only the parameters and their options.
test: .venv/ready ## Run the tests of both packages, and those of the feature `tune` (sets up .venv)
	$(CARGO) test --workspace
	$(CARGO) test --workspace --test python -- --ignored
	$(CARGO) test --all-features --lib
	$(CARGO) test --all-features --test uci_session contract

# The Python side of the tests, where python-chess plays whole games with the binary, and of `make wheel`.
.venv/ready: tests/python/requirements.txt
	$(PYTHON) -m venv .venv
	$(VENV)/python -m pip install --quiet --disable-pip-version-check -r tests/python/requirements.txt
	touch $@

bench: native ## Print the node signature and the speed
	./$(TARGET) bench

peer: ## Compare perft with cozy-chess 0.3.4 (needs BMI2); PEER="15 --nobulk" for 15 rounds without bulk counting
	cd benches/peer && RUSTFLAGS="-C target-cpu=native" $(CARGO) run --release --target-dir ../../target/peer -- $(PEER)

sprt: ## Test the engine A=... against B=... with fastchess and BOOK=openings; SPRT="--bounds -5 0" for options
	$(if $(and $(A),$(B),$(BOOK)),,$(error usage: make sprt A=./sleight-dev B=./sleight-base BOOK=UHO_4060_v2.epd))
	$(PYTHON) benches/sprt.py $(A) $(B) --book $(BOOK) $(SPRT)

lab: ## Build ./sleight-lab for this machine: self-play, training, comparisons of the slider backends
	RUSTFLAGS="-C target-cpu=native" $(CARGO) build --release --package sleight-lab --target-dir target/native
	cp -f target/native/release/sleight-lab$(SUFFIX) sleight-lab$(SUFFIX)

sliders: lab ## Check every slider backend and time them (docs/sliders.md)
	./sleight-lab$(SUFFIX) sliders

net: lab ## Train a network on GAMES=folder of self-play and build ./sleight with it (docs/training.md)
	./sleight-lab$(SUFFIX) train $(GAMES)/*.vf --out $(TRAINING) $(TRAIN)
	cp -f $(TRAINING)/network.nnue networks/default.nnue
	$(MAKE) native

lint: ## Check formatting, clippy with and without the feature `tune`, and the documentation
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings
	$(CARGO) clippy --workspace --all-features --lib --bins --profile test -- -D warnings
	RUSTDOCFLAGS="-D warnings --document-private-items" $(CARGO) doc --workspace --no-deps --all-features

clean: ## Remove what was built
	rm -rf target .venv $(TARGET) sleight-lab$(SUFFIX) sleight-arm64

help: ## This list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: model fuzz

model: ## Check the threads' protocol in every interleaving of short sessions (src/uci/protocol_tests.rs)
	RUSTFLAGS="--cfg loom" $(CARGO) test --lib --target-dir target/loom protocol_tests

# The fuzz targets to run: all, if empty.
FUZZ    ?=
MINUTES ?= 10

fuzz: ## Run each fuzz target for MINUTES=10 minutes, with its seeds and its corpus (fuzz/README.md)
	@set -e; for target in $(or $(FUZZ),$$($(CARGO) fuzz list)); do \
		mkdir -p fuzz/corpus/$$target; \
		RUSTC_BOOTSTRAP=1 $(CARGO) fuzz run $$target fuzz/corpus/$$target fuzz/seeds/$$target -- \
			-max_total_time=$$(($(MINUTES) * 60)); \
	done
