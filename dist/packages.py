#!/usr/bin/env python3
"""Packs a binary as a Debian package or a Python wheel.

usage: packages.py deb|wheel BINARY TARGET VERSION [FOLDER]

TARGET is Rust's name of the system that the binary is for, VERSION what the build calls itself: 1.0.0, or 1.0.0-dev-COMMIT.
Packages of other commits that are in FOLDER (target/dist) are removed.
"""

import gzip
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from email.utils import formatdate
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Debian's names.
DEBIAN = {"x86_64": "amd64", "aarch64": "arm64"}


def git(format):
    """Something of the packed commit; "" without git."""
    command = ["git", "log", "-1", f"--format={format}"]
    found = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return found.stdout.strip()


def oldest_glibc(binary):
    """The minor number of the oldest glibc 2 that has the symbols which the binary asks for."""
    return max(int(minor) for minor in re.findall(rb"GLIBC_2\.(\d+)", binary.read_bytes()))


def remove(packages):
    for package in packages:
        package.unlink()


def write(path, text, mode=0o644):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text.encode(), mtime=0) if path.suffix == ".gz" else text.encode())
    path.chmod(mode)


def deb(binary, target, version, out):
    """What `make install` installs, as a Debian package. The maintainer is DEBFULLNAME and DEBEMAIL, or the commit's author."""
    machine = target.split("-")[0]
    if "linux-gnu" not in target or machine not in DEBIAN:
        raise SystemExit(f"no Debian package for {target}")
    arch = DEBIAN[machine]
    number = f"{version.replace('-dev', '~dev').replace('-', '.')}-1"
    maintainer = f"{os.environ.get('DEBFULLNAME') or git('%an')} <{os.environ.get('DEBEMAIL') or git('%ae')}>"
    time = int(os.environ.get("SOURCE_DATE_EPOCH") or git("%ct"))
    with tempfile.TemporaryDirectory() as folder:
        stage = Path(folder) / "root"
        stripped = Path(folder) / "sleight"
        subprocess.run([f"{machine}-linux-gnu-strip", "-o", stripped, binary], check=True)
        options = [f"EXE={stripped}", f"DESTDIR={stage}", "PREFIX=/usr", "BINDIR=games", "SUFFIX="]
        make = shlex.split(os.environ.get("MAKE") or "make")
        subprocess.run([*make, "--silent", "--no-print-directory", "install", *options], cwd=ROOT, check=True)
        documents = stage / "usr/share/doc/sleight"
        page = stage / "usr/share/man/man6/sleight.6"
        write(page.with_suffix(".6.gz"), page.read_text())
        page.unlink()
        # Debian has the license already, and the list of changes compressed.
        (documents / "LICENSE").unlink()
        (documents / "LICENSE").symlink_to("../../common-licenses/GPL-3")
        shutil.copy(ROOT / "dist" / "copyright", documents)
        write(documents / "changelog.gz", (documents / "CHANGELOG.md").read_text())
        date = formatdate(time)
        entry = f"sleight ({number}) unstable; urgency=medium\n\n  * See changelog.gz.\n\n -- {maintainer}  {date}\n"
        write(documents / "changelog.Debian.gz", entry)
        files = sorted(path for path in stage.rglob("*") if path.is_file() and not path.is_symlink())
        sums = [f"{hashlib.md5(file.read_bytes()).hexdigest()}  {file.relative_to(stage)}\n" for file in files]
        size = sum(file.stat().st_size for file in files) // 1024
        fields = {
            "Package": "sleight",
            "Version": number,
            "Architecture": arch,
            "Maintainer": maintainer,
            "Installed-Size": size,
            "Depends": f"libc6 (>= 2.{oldest_glibc(binary)}), libgcc-s1 (>= 4.2)",
            "Suggests": "xboard, polyglot",
            "Section": "games",
            "Priority": "optional",
            "Description": "UCI chess engine\n"
            " Sleight plays and analyzes standard chess, Chess960 and double Chess960, in\n"
            " chess programs such as XBoard, PyChess and Cute Chess, and at a terminal.\n"
            " Its network (NNUE) is part of it; Syzygy tablebases can be added.",
        }
        write(stage / "DEBIAN/control", "".join(f"{name}: {value}\n" for name, value in fields.items()))
        write(stage / "DEBIAN/md5sums", "".join(sums))
        remove(out.glob(f"sleight_*_{arch}.deb"))
        package = out / f"sleight_{number}_{arch}.deb"
        environment = {**os.environ, "SOURCE_DATE_EPOCH": str(time)}
        subprocess.run(["dpkg-deb", "--root-owner-group", "-Zxz", "--build", stage, package], env=environment, check=True)


def platform(binary, target):
    """The systems that run the binary, in the words of Python's packages."""
    machine = target.split("-")[0]
    if "linux-gnu" in target:
        return f"manylinux_2_{oldest_glibc(binary)}_{machine}"
    if "windows" in target:
        return {"x86_64": "win_amd64", "aarch64": "win_arm64"}[machine]
    if "apple-darwin" in target:
        rustc = shlex.split(os.environ.get("RUSTC") or "rustc")
        command = [*rustc, "--print", "deployment-target", "--target", target]
        oldest = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip().split("=")[-1]
        return f"macosx_{oldest.replace('.', '_')}_{machine.replace('aarch64', 'arm64')}"
    raise SystemExit(f"no wheel for {target}")


def wheel(binary, target, version, out):
    """The binary as a wheel: dist/wheel/."""
    number, _, local = version.partition("-dev")
    if number != version:
        number += ".dev0" + local.replace("-", "+", 1).replace("-", ".")
    tag = f"py3-none-{platform(binary, target)}"
    with tempfile.TemporaryDirectory() as folder:
        stage = Path(folder) / "wheel"
        shutil.copytree(ROOT / "dist" / "wheel", stage)
        shutil.copy(ROOT / "LICENSE", stage)
        # The name that it is installed by.
        name = "sleight.exe" if "windows" in target else "sleight"
        (stage / "bin").mkdir()
        shutil.copy(binary, stage / "bin" / name)
        (stage / "bin" / name).chmod(0o755)
        environment = {**os.environ, "SLEIGHT_VERSION": number, "SLEIGHT_TAG": tag}
        remove(out.glob(f"sleight-*-{tag}.whl"))
        pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "--no-deps", "--no-build-isolation", "--wheel-dir", out, stage], env=environment, check=True)


def main():
    kinds = {"deb": deb, "wheel": wheel}
    if len(sys.argv) not in (5, 6) or sys.argv[1] not in kinds:
        sys.exit(__doc__)
    kind, binary, target, version, *folder = sys.argv[1:]
    out = Path(*folder or [ROOT / "target" / "dist"]).resolve()
    out.mkdir(parents=True, exist_ok=True)
    kinds[kind](Path(binary).resolve(), target, version, out)


main()
