#!/usr/bin/env python3
"""Compares perft with that of a UCI engine (Stockfish), position by position.

    bench/bench_perft.py [--ours build/bench/bench_perft] [--engine stockfish] [--runs 5]

Both count on one core, in turn, and the best of the runs counts for each. The time runs from the
question to the answer; starting the programs is left out. Both must count the same leaves. The
ratio is the engine's time over ours: above 1, ours is faster.
"""
import argparse
import math
import shutil
import subprocess
import sys
import time

POSITIONS = [
    ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6),
    ("tactics", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5),
    ("endgame", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6),
    ("promotions", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 5),
    ("checks", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 5),
    ("middlegame", "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 5),
]


class Engine:
    """A UCI engine that understands `go perft`."""

    def __init__(self, command):
        self.process = subprocess.Popen([command], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True, bufsize=1)
        self.ask("setoption name Threads value 1\nisready", "readyok")

    def ask(self, text, answer):
        """Sends text and returns the line that begins with the answer."""
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()
        for line in self.process.stdout:
            if line.startswith(answer):
                return line
        raise SystemExit("bench_perft: the engine ended without an answer to: " + text)

    def perft(self, fen, depth):
        """Returns leaves and seconds."""
        self.ask(f"position fen {fen}\nisready", "readyok")
        start = time.perf_counter()
        line = self.ask(f"go perft {depth}", "Nodes searched")
        return int(line.split(":")[1]), time.perf_counter() - start

    def quit(self):
        self.process.communicate("quit\n")


def ours_perft(program, fen, depth):
    """Returns leaves and seconds of our own program."""
    words = subprocess.run([program, fen, str(depth)], check=True, capture_output=True,
                           text=True).stdout.split()
    return int(words[0]), float(words[2])


def measure(program, engine, fen, depth, runs):
    """Returns the leaves and the best seconds of both, taking turns."""
    ours, theirs = [], []
    for _ in range(runs):
        leaves, seconds = ours_perft(program, fen, depth)
        ours.append(seconds)
        counted, seconds = engine.perft(fen, depth)
        theirs.append(seconds)
        if counted != leaves:
            raise SystemExit(f"bench_perft: {fen} depth {depth}: {leaves} leaves, "
                             f"the engine counts {counted}")
    return leaves, min(ours), min(theirs)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ours", default="build/bench/bench_perft")
    parser.add_argument("--engine", default=shutil.which("stockfish") or "/usr/games/stockfish")
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    engine = Engine(options.engine)
    logs = []
    print(f"{'position':<12}{'depth':>6}{'leaves':>13}{'ours s':>9}{'engine s':>10}{'ratio':>7}")
    for name, fen, depth in POSITIONS:
        leaves, ours, theirs = measure(options.ours, engine, fen, depth, options.runs)
        logs.append(math.log(theirs / ours))
        print(f"{name:<12}{depth:>6}{leaves:>13}{ours:>9.3f}{theirs:>10.3f}{theirs / ours:>7.2f}",
              flush=True)
    engine.quit()
    print(f"perft_ratio {math.exp(sum(logs) / len(logs)):.2f} times the engine's speed")


if __name__ == "__main__":
    try:
        main()
    except OSError as error:
        sys.exit(f"bench_perft: {error}")
