#!/usr/bin/env python3
"""How near does a short search come to the score of a long one? Which changes bring it nearer?

    experiments/search/accuracy.py POSITIONS.epd FILE...             [--nodes 30000] [--threads 2]
    experiments/search/accuracy.py POSITIONS.epd --factors FACTORS   [--base params/games-search.yaml]

POSITIONS.epd has a score for each position, as 'grayling label' writes it (ce). The engine searches each
from an empty table; the error is the square of the difference between the expected results that the two
scores mean, 1 / (1 + exp(-score / K)), with K = 130 for the labels and for the engine's scores the K of the
least error in the first set. The same positions serve all sets, so that most of the noise cancels: sets that games need
an hour to tell apart take some minutes.

The first form compares sets: each FILE with the first one. The second finds the effect of each line of
FACTORS, as factors.py does: each run has about half of the changes, by an orthogonal design. Both print how
much less the error is, in millionths, with an interval of 95 %. With --judge, a UCI engine also searches each
move that some sets choose and others do not, and the same is printed of the expected result that its score
means: of what is played, and not of what is thought. Runs that are in --output already are not searched again.
"""
import argparse
import concurrent.futures
import math
import os
import re
import statistics
import subprocess

from factors import changed, design

LABEL_SCALE, MOST = 130, 500


def positions_of(path):
    """FEN and score of each position that is not decided."""
    found = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            score = re.search(r"\bce (-?\d+);", line)
            if score and abs(int(score[1])) < MOST:
                found.append((" ".join(line.split()[:4]) + " 0 1", int(score[1])))
    return found


def searches(command, settings, asked):
    """For each (FEN, limits) the lines that a UCI engine writes of such a search, from an empty table."""
    engine = subprocess.Popen([command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def ask(end, *lines):
        engine.stdin.write("".join(line + "\n" for line in lines))
        answer = []
        for line in engine.stdout:
            answer.append(line)
            if line.startswith(end):
                return answer
        raise SystemExit(f"{command} ended")

    options = (f"setoption name {name} value {value}" for name, value in settings)
    for line in ask("readyok", "uci", *options, "isready"):
        if "error" in line:
            raise SystemExit(line.strip())
    for fen, limits in asked:
        yield ask("bestmove", "ucinewgame", f"position fen {fen}", f"go {limits}")
    engine.communicate("quit\n")


def outcome(lines):
    """The last score, its depth, and the move of a search."""
    for line in reversed(lines):
        told = re.search(r"depth (\d+) .*score (cp|mate) (-?\d+)", line)
        if told:
            score = int(told[3]) if told[2] == "cp" else 30000 if int(told[3]) > 0 else -30000
            return score, int(told[1]), lines[-1].split()[1]
    raise SystemExit(f"no score: {lines[-1]}")


def search(options, params, target):
    """Writes the engine's score of each position, its depth and its move to a file."""
    settings = [("Hash", 8), ("EvalFile", options.eval), ("SearchFile", params)]
    asked = [(fen, f"nodes {options.nodes}") for fen, _ in options.positions]
    with open(target + ".part", "w", encoding="utf-8") as file:
        for lines in searches(options.engine, settings, asked):
            print(*outcome(lines), file=file)
    os.rename(target + ".part", target)


def searched(options, sets):
    """Scores, mean depth and moves of each (name, file of parameters), from earlier runs or new ones."""
    targets = [f"{options.output}/{name}-{options.nodes}.txt" for name, _ in sets]
    with concurrent.futures.ThreadPoolExecutor(options.threads) as pool:
        list(pool.map(lambda pair: os.path.exists(pair[1]) or search(options, pair[0][1], pair[1]), zip(sets, targets)))
    results = []
    for target in targets:
        with open(target, encoding="utf-8") as file:
            rows = [line.split() for line in file]
        if [len(row) for row in rows] != [3] * len(options.positions):
            raise SystemExit(f"{target} is of other positions, or without moves: remove it")
        results.append(([int(row[0]) for row in rows], statistics.fmean(int(row[1]) for row in rows),
                        [row[2] for row in rows]))
    return results


def judged(options, moves):
    """What each set's moves lose in expected results, by the judge's search of each move that not all choose."""
    wanted = [(i, move) for i, chosen in enumerate(zip(*moves)) if len(set(chosen)) > 1 for move in sorted(set(chosen))]

    def judge(part):
        asked = [(options.positions[i][0], f"nodes {options.judge_nodes} searchmoves {move}") for i, move in part]
        return [expected(outcome(lines)[0], LABEL_SCALE)
                for lines in searches(options.judge, [("Hash", 16)], asked)]

    parts = [wanted[k::options.threads] for k in range(options.threads)]
    with concurrent.futures.ThreadPoolExecutor(options.threads) as pool:
        worth = {pair: value for part, values in zip(parts, pool.map(judge, parts))
                 for pair, value in zip(part, values)}
    print(f"{len({i for i, _ in wanted})} positions with different moves, judged with {options.judge_nodes} nodes")
    return [[-worth.get(pair, 0) for pair in enumerate(chosen)] for chosen in moves]


def expected(score, scale):
    return 1 / (1 + math.exp(-max(-50, min(50, score / scale))))


def errors_of(options, scores, scale):
    return [(expected(score, scale) - expected(label, LABEL_SCALE)) ** 2
            for score, (_, label) in zip(scores, options.positions)]


def show(gains, note):
    """The mean of what each position gains, with its interval."""
    interval = 1.96 * statistics.stdev(gains) / math.sqrt(len(gains))
    return -statistics.fmean(gains), f"{1e6 * statistics.fmean(gains):+7.0f} ± {1e6 * interval:.0f}  {note}"


def compare(losses, depths, sets, factors):
    """Prints how much each set after the first loses less than it, and the effect of each factor, the best first."""
    rows = design(len(factors)) if factors else []
    files = len(sets) - len(rows)
    shown = [show([a - b for a, b in zip(losses[0], own)], f"{depth - depths[0]:+.2f} plies  {name}")
             for (name, _), own, depth in list(zip(sets, losses, depths))[1:files]]
    for column, name in enumerate(factors):
        levels = [2 / len(rows) * row[column] for row in rows]
        gains = [-sum(map(float.__mul__, levels, own)) for own in zip(*losses[files:])]
        depth = sum(map(float.__mul__, levels, depths[files:]))
        shown.append(show(gains, f"{depth:+.2f} plies  {name}"))
    for _, line in sorted(shown):
        print(line)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("labelled")
    parser.add_argument("files", nargs="*")
    parser.add_argument("--factors")
    parser.add_argument("--base", default="params/games-search.yaml")
    parser.add_argument("--eval", default="params/games-eval.yaml")
    parser.add_argument("--engine", default="build/tools/grayling-uci")
    parser.add_argument("--nodes", type=int, default=30000)
    parser.add_argument("--judge", help="a UCI engine, such as stockfish")
    parser.add_argument("--judge-nodes", type=int, default=120000)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--output", default="accuracy-out")
    options = parser.parse_args()
    options.positions = positions_of(options.labelled)
    os.makedirs(options.output, exist_ok=True)
    sets = [(os.path.splitext(os.path.basename(file))[0], file) for file in options.files]
    names = []
    if options.factors:
        with open(options.factors, encoding="utf-8") as file:
            names = [line.strip() for line in file if line.strip()]
        with open(options.base, encoding="utf-8") as file:
            base = file.read()
        for number, row in enumerate(design(len(names))):
            changes = [(name.split(";;") + [""])[level < 0] for name, level in zip(names, row)]
            sets.append((f"design-{number}", f"{options.output}/design-{number}.yaml"))
            with open(sets[-1][1], "w", encoding="utf-8") as file:
                file.write(changed(base, " ".join(changes)))
    results = searched(options, sets)
    scale = min((math.exp(k / 50) for k in range(190, 300)),
                key=lambda k: sum(errors_of(options, results[0][0], k)))
    errors = [errors_of(options, scores, scale) for scores, _, _ in results]
    depths = [depth for _, depth, _ in results]
    print(f"{len(options.positions)} positions, {options.nodes} nodes, K {scale:.0f}")
    for (name, _), own, depth in list(zip(sets, errors, depths))[:len(options.files)]:
        print(f"error {statistics.fmean(own):.6f}, depth {depth:.2f}  {name}")
    compare(errors, depths, sets, names)
    if options.judge:
        compare(judged(options, [moves for _, _, moves in results]), depths, sets, names)


if __name__ == "__main__":
    main()
