#!/usr/bin/env python3
"""The wheel, installed in a virtual environment of its own: `sleight` is found by its name, and `python -m sleight` starts it.

usage: wheel.py ENGINE
"""

import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

import chess.engine

ROOT = Path(__file__).resolve().parents[2]
IS_WINDOWS = os.name == "nt"


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def main():
    engine = sys.argv[1]
    name, *_, build = output(engine, "--version").splitlines()
    version, target = name.split()[1], build.split()[1].rstrip(",")
    with tempfile.TemporaryDirectory() as folder:
        output(sys.executable, ROOT / "dist" / "packages.py", "wheel", engine, target, version, folder)
        (wheel,) = Path(folder).glob("*.whl")
        print(wheel.name, wheel.stat().st_size, "bytes")
        # A release has no such part.
        assert ("dev" in wheel.name) == ("-dev" in version), version
        home = Path(folder) / "venv"
        venv.create(home, with_pip=False)
        programs = home / ("Scripts" if IS_WINDOWS else "bin")
        python = programs / ("python.exe" if IS_WINDOWS else "python")
        pip = [sys.executable, "-m", "pip", "--python", python, "--quiet", "--disable-pip-version-check"]
        output(*pip, "install", "--no-index", "--no-deps", wheel)
        assert output(python, "-m", "sleight", "--version") == output(engine, "--version")
        found = Path(output(python, "-c", "import sleight; print(sleight.path())").strip())
        assert found.parent.samefile(programs), found
        assert output(python, "-c", "from importlib.metadata import version; print(version('sleight'))").strip() in wheel.name
        os.environ["PATH"] = os.pathsep.join([str(programs), os.environ["PATH"]])
        with chess.engine.SimpleEngine.popen_uci("sleight") as process:
            assert process.id["name"] == f"Sleight {version}", process.id
        output(*pip, "uninstall", "--yes", "sleight")
        left = [path for path in home.rglob("*") if "sleight" in path.name.lower()]
        assert not left, left


main()
