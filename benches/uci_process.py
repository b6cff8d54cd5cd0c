"""A UCI engine in a process of its own, for the scripts that time engines or play endings."""

import subprocess
import sys
import time


class Engine:
    def __init__(self, path):
        self.path = path
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def send(self, text):
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()

    def line(self, text, answer):
        """The first line that begins with the answer. An error of the engine ends the script: it would measure something else."""
        self.send(text)
        while not (line := self.process.stdout.readline()).startswith(answer):
            if not line:
                sys.exit(f"{self.path} ended without `{answer}`")
            if line.startswith("info string error: "):
                sys.exit(f"{self.path}: {line.strip()}")
        return line

    def ask(self, text, answer):
        """Milliseconds until a line begins with the answer."""
        start = time.perf_counter()
        self.line(text, answer)
        return (time.perf_counter() - start) * 1000

    def quit(self):
        self.send("quit")
        self.process.wait()
