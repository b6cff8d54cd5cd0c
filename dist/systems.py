#!/usr/bin/env python3
"""Release archives, packages, or a check that the sources compile, for every system whose target is installed.

usage: systems.py check|archive|deb|wheel TARGET...

Reads CARGO, RUSTC, MAKE and CARGOFLAGS from the environment, and ONLY: the targets to take, which then must be installed.
"""

import functools
import hashlib
import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CARGO, RUSTC, MAKE = (shlex.split(os.environ.get(name) or name.lower()) for name in ("CARGO", "RUSTC", "MAKE"))
FLAGS = shlex.split(os.environ.get("CARGOFLAGS", ""))
DIST = ROOT / "target" / "dist"


def output(*command):
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()


def is_installed(target):
    """True if rustc has the standard library of the target."""
    folder = Path(output(*RUSTC, "--print", "target-libdir", "--target", target))
    return any(folder.glob("libstd-*"))


def make(goal, **variables):
    """Whether make succeeds, and the version that the build gives itself. The options of each target are in the Makefile."""
    environment = {**os.environ, **variables}
    process = subprocess.Popen(
        [*MAKE, "--no-print-directory", goal], cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
    )
    version = None
    for line in process.stdout:
        if line.startswith('{"reason":'):
            version = dict(json.loads(line).get("env", [])).get("SLEIGHT_VERSION", version)
        else:
            print(line, end="", flush=True)
    return process.wait() == 0, version


def check(target):
    return make(f"check-system-{target}")[0]


def build(goal):
    """As `make`: cargo tells in JSON what the build script has set."""
    return make(goal, CARGOFLAGS=shlex.join([*FLAGS, "--message-format=json-render-diagnostics"]))


def binary(target):
    name = "sleight.exe" if "windows" in target else "sleight"
    return ROOT / "target" / "systems" / target / "release" / name


def package(kind, target):
    built, version = build(f"system-{target}")
    command = [sys.executable, ROOT / "dist" / "packages.py", kind, binary(target), target, version]
    return built and subprocess.run(command).returncode == 0


def archive(target):
    is_page, is_windows = target.startswith("wasm32"), "windows" in target
    built, version = build("web" if is_page else f"system-{target}")
    if not built:
        return False
    system = "web" if is_page else target
    name = f"sleight-{version}-{system}"
    folder = DIST / name
    shutil.rmtree(folder, ignore_errors=True)
    # Of another commit.
    for old in DIST.glob(f"sleight-*-{system}.*"):
        old.unlink()
    folder.mkdir(parents=True)
    page = ROOT / "target" / "web"
    if page.is_dir():
        shutil.copytree(page, folder / "web")
    for file in ("README.md", "LICENSE", "CHANGELOG.md", "CONTRIBUTING.md"):
        shutil.copy(ROOT / file, folder)
    shutil.copytree(ROOT / "docs", folder / "docs")
    # README.md leads to it.
    (folder / "networks").mkdir()
    shutil.copy(ROOT / "networks" / "README.md", folder / "networks")
    if not is_page:
        shutil.copy2(binary(target), folder)
        # Under the names that chess programs look for beside an engine.
        shutil.copy(ROOT / "dist" / "sleight.png", folder / "logo.png")
        shutil.copy(ROOT / "dist" / "sleight.bmp", folder)
    shutil.make_archive(folder, "zip" if is_page or is_windows else "gztar", DIST, name)
    shutil.rmtree(folder)
    return True


def write_checksums():
    files = sorted(file for file in DIST.iterdir() if file.suffix in (".gz", ".zip", ".deb", ".whl", ".tgz"))
    lines = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files]
    (DIST / "SHA256SUMS").write_text("".join(lines))
    print("".join(lines), end="")


def main():
    kind = sys.argv[1]
    work = {"check": check, "archive": archive}.get(kind, functools.partial(package, kind))
    only = os.environ.get("ONLY", "").split()
    # The page first: it is part of the other archives.
    targets = sorted(only or sys.argv[2:], key=lambda target: not target.startswith("wasm32"))
    failed = False
    for target in targets:
        if is_installed(target) or "build-std" in " ".join(FLAGS) and "windows" in target:
            print(f"== {target}", flush=True)
            failed |= not work(target)
        else:
            print(f"== {target}: not installed; `rustup target add {target}`", flush=True)
            failed |= bool(only)
    if kind != "check" and not failed:
        write_checksums()
    sys.exit(failed)


main()
