"""Terminal sessions with the engine behind a pseudo-terminal, whose screen pyte emulates.

usage: terminal.py ENGINE
"""

import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios
import time

import pyte

# Seconds that anything may take on a busy machine.
TIMEOUT = 60
ESCAPE = b"\x1b"
PROMPT = re.compile(r"^\d+\.(\.\.)? (White|Black)> $", re.MULTILINE)


class Terminal:
    """The engine behind a terminal of this size."""

    def __init__(self, engine, *arguments, columns=80, rows=40, **environment):
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.written = b""
        self.ended = False
        kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "RUST_LOG")}
        self.process, self.master = pty.fork()
        if self.process == 0:
            os.execve(engine, [engine, *arguments], {**kept, "TERM": "xterm-256color", **environment})
        self.resize(columns, rows)

    def resize(self, columns, rows):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.screen.resize(rows, columns)

    def lines(self):
        """What stands on the screen."""
        return [line.rstrip() for line in self.screen.display]

    def text(self):
        return "\n".join(self.lines()).rstrip()

    def listen(self, seconds):
        """Takes in what comes at once, or first within this time."""
        while select.select([self.master], [], [], seconds)[0]:
            try:
                some = os.read(self.master, 65536)
            except OSError:
                some = b""
            if not some:
                self.ended = True
                return
            self.written += some
            self.stream.feed(some)
            seconds = 0

    def until(self, done, what):
        end = time.monotonic() + TIMEOUT
        while not done():
            assert time.monotonic() < end and not self.ended, f"no {what} in\n{self.text()}\n{self.written[-2000:]}"
            self.listen(0.1)

    def prompted(self):
        """Whether the cursor stands behind a prompt."""
        line = self.screen.display[self.screen.cursor.y][: self.screen.cursor.x]
        return PROMPT.search(line) is not None

    def wait(self):
        self.until(self.prompted, "prompt")

    def type(self, line):
        os.write(self.master, f"{line}\n".encode())

    def ask(self, line):
        """What comes between this line, once it is typed, and the next prompt, as it is written."""
        before = len(self.written)
        self.type(line)
        self.until(lambda: b"\n" in self.written[before:], "echo")
        self.wait()
        return plain(self.written[before:])

    def shows(self, text):
        return any(text in line for line in self.lines())

    def exit_code(self):
        """The exit code of an engine that is about to leave."""
        end = time.monotonic() + TIMEOUT
        while not self.ended:
            assert time.monotonic() < end, f"the engine does not leave:\n{self.text()}"
            self.listen(0.1)
        return os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])


def plain(written):
    """Without colors and movements."""
    return re.sub(rb"\x1b(\[[0-9;]*[A-Za-z]|[78])", b"", written).decode()


def greeting_and_help(engine):
    terminal = Terminal(engine)
    terminal.wait()
    assert terminal.lines()[0].startswith("Sleight "), terminal.text()
    assert terminal.shows("`help`") and terminal.lines()[3] == "1. White>", terminal.text()
    told = terminal.ask("help")
    for word in ["e4", "undo", "go depth 20", "position fen", "perft", "quit"]:
        assert word in told, told
    assert "skipped" in terminal.ask("play perft x")
    assert "unknown command" in terminal.ask("joho position startpos moves e2e4")
    terminal.type("quit")
    assert terminal.exit_code() == 0
    assert not terminal.shows("bestmove") and terminal.text().endswith("quit"), terminal.text()


def moves_on_the_board(engine):
    terminal = Terminal(engine)
    terminal.wait()
    assert "Black to move" in terminal.ask("e4")
    assert terminal.shows("Last move: 1. e4") and terminal.shows("1... Black>"), terminal.text()
    # The last move's squares have another background than their neighbors of the same color.
    board = next(row for row, line in enumerate(terminal.lines()) if line.startswith(" 4  "))
    ground = {file: terminal.screen.buffer[board][4 + 3 * "abcdefgh".index(file)].bg for file in "aceg"}
    assert ground["e"] != ground["a"] == ground["c"] == ground["g"], ground
    told = terminal.ask("e7e5 Qh5 Nc6 Bc4 Nf6 Qxf7#")
    assert "Checkmate, White wins" in told and " 7  p  p  p  p     Q  p  p " in told, told
    assert "game is over" in terminal.ask("d5")
    assert "Checkmate, White wins" in terminal.ask("go") and "Checkmate" in terminal.ask("play")
    assert "Last move: 3... Nf6" in terminal.ask("undo")
    assert "Last move: 2... Nc6" in terminal.ask("undo 2")
    assert "r1bqkbnr/pppp1ppp/2n5/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR w KQkq - 2 3" in terminal.ask("d")
    assert "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1" in terminal.ask("new")
    assert "Draw by threefold repetition" in terminal.ask(2 * "Nf3 Nf6 Ng1 Ng8 "), terminal.text()
    assert "Black to move" in terminal.ask("position fen 4k3/8/8/8/8/8/8/4K2R w KQ - 0 1 moves e1g1")
    assert terminal.shows("Last move: 1. O-O") and terminal.shows("FEN repaired"), terminal.text()
    assert "Nodes searched: 3\r\n" in terminal.ask("perft 1"), terminal.text()
    # Standard chess is played unless the option says otherwise; what it says later changes no game on the board.
    chess960 = "position fen 4k3/8/8/8/8/8/PPP5/R5K1 w Q - 0 1"
    assert "UCI_Chess960 is off" in terminal.ask(chess960), terminal.text()
    assert "`O-O-O` is not legal here" in terminal.ask("O-O-O"), terminal.text()
    terminal.ask("setoption name UCI_Chess960 value true")
    assert "UCI_Chess960" not in terminal.ask(chess960), terminal.text()
    terminal.ask("setoption name UCI_Chess960 value false")
    assert "Last move: 1. O-O-O" in terminal.ask("O-O-O"), terminal.text()
    os.write(terminal.master, b"\x04")
    assert terminal.exit_code() == 0
    assert terminal.lines()[terminal.screen.cursor.y - 1] == "1... Black>" and terminal.screen.cursor.x == 0


def mistakes_come_with_an_example(engine):
    terminal = Terminal(engine)
    terminal.wait()
    for mistake, answer in [
        ("Nf6", "`Nf6` is not legal here; try `Nf3`"),
        ("e4 e4", "`e4` is not legal here; try `e"),
        ("e4 knight", "`knight` is not a move"),
        ("d4 d5 Nf3 a6 Nd2", "`Nd2` is ambiguous: Nbd2 or Nfd2"),
        ("hlep", "unknown command `hlep`; try `help`"),
        ("undo", "there are fewer moves to take back"),
        ("UNDO x", "write `undo` or `undo 2`"),
        ("undo 1 2", "write `undo` or `undo 2`"),
        ("undo 0", "write `undo` or `undo 2`"),
        ("setoption name Hsah value 1", "no option `Hsah`; try `setoption name Hash value 256`"),
        ("position fen 8/8 w", "try `position fen "),
        ("position startpos moves e2e5", "try `position startpos moves e2e4 e7e5`"),
        ("perft many", "which is not a number; try `perft 5`"),
    ]:
        told = terminal.ask(mistake)
        assert answer in told, told
        assert "info string" not in told, told
    assert "White to move" in terminal.ask("d"), "no mistake changes the board"


def a_live_table(engine):
    terminal = Terminal(engine)
    terminal.wait()
    top = terminal.screen.cursor.y + 1
    terminal.type("go")

    def depth():
        row = re.match(r" (\d+)/\d+ .* 1\. ", terminal.lines()[top + 1])
        return int(row[1]) if row else 0

    terminal.until(lambda: depth() >= 8, "depth 8")
    redraws = re.findall(rb"\x1b7(.*?)\x1b8", terminal.written, re.DOTALL)
    assert len(redraws) > 3, "several iterations were written over each other"
    # With a line end, a redraw is several writes, and an Enter that is echoed between them moves the cursor.
    assert not any(b"\n" in redraw for redraw in redraws), redraws
    assert sum("%" in line for line in terminal.lines()) == 1, terminal.text()
    assert terminal.lines()[top].split() == "depth score win draw loss nodes time line".split(), terminal.text()
    terminal.ask("stop")
    table, best = terminal.lines()[top + 1], terminal.lines()[top + 2]
    assert re.match(r"Best move: 1\. [A-Za-z0-9]+$", best) and best[11:] in table, terminal.text()
    # Enter alone stops it, too, and several lines stand below each other.
    terminal.ask("setoption name MultiPV value 3")
    terminal.type("go infinite")
    terminal.until(lambda: sum("%" in line for line in terminal.lines()) == 3 + 1, "three lines")
    assert "Best move: 1. " in terminal.ask("")
    assert sum("%" in line for line in terminal.lines()) == 3 + 1, terminal.text()
    # A move that is typed into a search ends it.
    terminal.type("go")
    terminal.until(lambda: sum("%" in line for line in terminal.lines()) == 3 + 1 + 3, "table")
    told = terminal.ask("e4")
    assert "Best move" in told and "Last move: 1. e4" in told, told
    assert re.search(r"Sleight plays 1\.\.\. \w+", terminal.ask("play depth 4")), terminal.text()
    assert terminal.shows("2. White>") and terminal.shows("Last move: 1... "), terminal.text()
    assert "Last move: 1. e4" in terminal.ask("undo")


def windows_of_all_sizes(engine):
    for columns in [24, 80, 132]:
        terminal = Terminal(engine, columns=columns, rows=60)
        terminal.wait()
        terminal.ask("go depth 9")
        best = next(row for row, line in enumerate(terminal.lines()) if line.startswith("Best move"))
        assert terminal.lines()[best - 2].startswith(" depth"), terminal.text()
    terminal = Terminal(engine, columns=100)
    terminal.wait()
    terminal.type("go")
    terminal.until(lambda: terminal.shows("%"), "table")
    terminal.resize(60, 40)
    assert "Best move: 1. " in terminal.ask("stop")


def no_colors(engine):
    terminal = Terminal(engine, NO_COLOR="1")
    terminal.wait()
    told = terminal.ask("e4")
    assert "[P]" in told and "[.]" in told, told
    terminal.ask("go depth 5")
    assert not re.search(rb"\x1b\[[0-9;]*m", terminal.written), terminal.written
    assert ESCAPE + b"7" in terminal.written, "lines are written over all the same"


def a_dumb_terminal(engine):
    terminal = Terminal(engine, TERM="dumb")
    terminal.wait()
    terminal.ask("e4")
    told = terminal.ask("go depth 6")
    assert told.count("%") >= 6 * 3 and " 1/" in told and " 6/" in told, told
    assert ESCAPE not in terminal.written, terminal.written


def uci_when_asked_for(engine):
    terminal = Terminal(engine)
    terminal.wait()
    terminal.ask("e4")
    terminal.type("uci")
    terminal.until(lambda: b"uciok\r\n" in terminal.written, "uciok")
    answered = terminal.written[terminal.written.index(b"uci\r\n") :]
    assert answered.startswith(b"uci\r\nid name Sleight "), answered
    terminal.type("d")
    terminal.type("go depth 3")
    terminal.until(lambda: b"bestmove" in terminal.written, "bestmove")
    since = terminal.written[terminal.written.index(b"uciok") :]
    assert b"info depth 3 seldepth " in since and b"Fen: rnbqkbnr/pppppppp/8/8/4P3/" in since, since
    assert ESCAPE not in since and b"Black>" not in since, since
    terminal.type("quit")
    assert terminal.exit_code() == 0


def arguments_at_a_terminal(engine):
    terminal = Terminal(engine, "position startpos moves e2e4", "go depth 5", "quit")
    assert terminal.exit_code() == 0
    assert terminal.shows("Last move: 1. e4") and terminal.shows("Best move: 1... "), terminal.text()
    assert not terminal.shows("bestmove") and not terminal.shows("Black>"), terminal.text()


def a_pipe_at_a_terminal(engine):
    """Nobody has pressed Enter: a redraw erases no line above the table."""

    def shown(commands):
        terminal = Terminal("/bin/sh", "-c", f"({commands}) | '{engine}'")
        assert terminal.exit_code() == 0
        return terminal.text()

    board = shown("echo d")
    told = shown("echo d; echo go infinite; sleep 1; echo stop")
    assert board and told.startswith(board) and "Best move: 1. " in told, (board, told)


def main(engine):
    for test in [
        greeting_and_help,
        moves_on_the_board,
        mistakes_come_with_an_example,
        a_live_table,
        windows_of_all_sizes,
        no_colors,
        a_dumb_terminal,
        uci_when_asked_for,
        arguments_at_a_terminal,
        a_pipe_at_a_terminal,
    ]:
        test(engine)
        print(f"{test.__name__}: ok", flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
