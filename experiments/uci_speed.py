#!/usr/bin/env python3
"""Compares the nodes a second of two UCI engines on the six positions of the Crafty benchmark.

    experiments/uci_speed.py [--ours 'build/tools/grayling-uci'] [--search FILE.yaml]
                       [--eval FILE.yaml] [--engine ethereal-chess] [--milliseconds 2000] [--runs 3]

The positions are those of david-2008, Appendix A. The engines search each of them on one core, in
turn, with the same time and hash; the best of the runs counts for each. A node of ours is a move
made, null moves and quiescence included; one of theirs is what they call a node. The ratio is ours
over theirs: above 1, ours is faster.
"""
import argparse
import math
import os
import shlex
import subprocess
import sys
import time

POSITIONS = [
    "3r1k2/4npp1/1ppr3p/p6P/P2PPPP1/1NR5/5K2/2R5 w - - 0 1",
    "rnbqkb1r/p3pppp/1p6/2ppP3/3N4/2P5/PPP1QPPP/R1B1KB1R w KQkq - 0 1",
    "4b3/p3kp2/6p1/3pP2p/2pP1P2/4K1P1/P3N2P/8 w - - 0 1",
    "r3r1k1/ppqb1ppp/8/4p1NQ/8/2P5/PP3PPP/R3R1K1 b - - 0 1",
    "2r2rk1/1bqnbpp1/1p1ppn1p/pP6/N1P1P3/P2B1N1P/1B2QPP1/R2R2K1 b - - 0 1",
    "r1bqk2r/pp2bppp/2p5/3pP3/P2Q1P2/2N1B3/1PP3PP/R4RK1 b kq - 0 1",
]


class Engine:
    """A UCI engine on one core."""

    def __init__(self, command, core, settings):
        self.process = subprocess.Popen(shlex.split(command), stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True, bufsize=1,
                                        preexec_fn=lambda: os.sched_setaffinity(0, {core}))
        self.ask("uci", "uciok")
        for name, value in settings.items():
            self.send(f"setoption name {name} value {value}")
        self.ask("isready", "readyok")

    def send(self, text):
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()

    def ask(self, text, answer):
        """Sends text and returns the lines up to the one that begins with the answer."""
        self.send(text)
        lines = []
        for line in self.process.stdout:
            lines.append(line)
            if line.startswith(answer):
                return lines
        raise SystemExit("uci_speed: the engine ended without an answer to: " + text)

    def speed(self, fen, milliseconds):
        """Nodes a second from an empty table, by the engine's last count and our clock."""
        self.ask("ucinewgame\nisready", "readyok")
        self.ask(f"position fen {fen}\nisready", "readyok")
        start, nodes, at = time.perf_counter(), 0, 0.0
        self.send(f"go movetime {milliseconds}")
        for line in self.process.stdout:
            words = line.split()
            if "nodes" in words and words[0] == "info":
                count = int(words[words.index("nodes") + 1])
                if count > nodes:
                    nodes, at = count, time.perf_counter() - start
            if line.startswith("bestmove"):
                return nodes / at
        raise SystemExit("uci_speed: the engine ended in the search of " + fen)

    def quit(self):
        self.process.communicate("quit\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ours", default="build/tools/grayling-uci")
    parser.add_argument("--search", default="default-search", help="a file of search parameters")
    parser.add_argument("--eval", default="default-eval", help="a file of evaluation parameters")
    parser.add_argument("--engine", default="/usr/games/ethereal-chess")
    parser.add_argument("--milliseconds", type=int, default=2000)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    core = min(os.sched_getaffinity(0))
    own = {"Hash": 64, "SearchFile": options.search, "EvalFile": options.eval}
    ours, theirs = Engine(options.ours, core, own), Engine(options.engine, core, {"Hash": 64})
    logs = []
    print(f"{'position':>8}{'ours knps':>12}{'engine knps':>13}{'ratio':>7}")
    for number, fen in enumerate(POSITIONS, 1):
        pairs = [(ours.speed(fen, options.milliseconds), theirs.speed(fen, options.milliseconds))
                 for _ in range(options.runs)]
        a, b = (max(speeds) for speeds in zip(*pairs))
        logs.append(math.log(a / b))
        print(f"{number:>8}{a / 1e3:>12.0f}{b / 1e3:>13.0f}{a / b:>7.2f}", flush=True)
    ours.quit()
    theirs.quit()
    print(f"speed_ratio {math.exp(sum(logs) / len(logs)):.2f} times the engine's nodes a second")


if __name__ == "__main__":
    try:
        main()
    except OSError as error:
        sys.exit(f"uci_speed: {error}")
