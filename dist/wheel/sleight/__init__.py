"""The UCI chess engine Sleight: `path()` is its binary."""

import os
import sys
import sysconfig


def path():
    """The path of the binary that was installed with this package."""
    name = "sleight.exe" if os.name == "nt" else "sleight"
    # Where pip puts it: for all, for one user, with --target.
    folders = [sysconfig.get_path("scripts"), sysconfig.get_path("scripts", os.name + "_user")]
    folders.append(os.path.join(os.path.dirname(os.path.dirname(__file__)), "bin"))
    for folder in folders:
        binary = os.path.join(folder, name)
        if os.path.isfile(binary):
            return binary
    raise FileNotFoundError(f"no {name} in {', '.join(folders)}")


def main():
    """Becomes the engine."""
    arguments = [path(), *sys.argv[1:]]
    if os.name == "nt":
        # There a process cannot become another one.
        import subprocess

        sys.exit(subprocess.call(arguments))
    os.execv(arguments[0], arguments)
