#!/usr/bin/env python3
"""Count the 35 evaluation terms from their meanings, apart from the engine's own code.

Every term is counted by plain loops over a board of 8x8 characters, as the last field of its line
in src/engine/eval/eval_params.def says; only names, signs and the fixed tables are read from the
sources. To write the file that tests/engine/test_evaluation.c compares with the engine:

    tests/golden/count_terms.py > tests/golden/eval-counts.tsv

and to count any other positions, a FEN or EPD line each:

    tests/golden/count_terms.py FILE...       (- is the standard input)

Either prints a FEN, a tab, and the 35 counts in the table's order: White minus Black, penalties
negative.
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FILES = RANKS = range(8)
DIAGONALS = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
STRAIGHTS = [(1, 0), (-1, 0), (0, 1), (0, -1)]
JUMPS = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
WEAK_SQUARES = [(f, r) for r in (2, 3) for f in (2, 3, 4, 5)]
KINDS = "NBRQ"


def read_terms():
    """Name and sign of each term, in the table's order."""
    text = (ROOT / "src/engine/eval/eval_params.def").read_text()
    line = r'^PARAM\((\w+), \d+, \d+, \d+, \d+, ([+-]1), "'
    return [(name, int(sign)) for name, sign in re.findall(line, text, re.M)]


def read_tables():
    """The fixed tables, by name; those of squares and ranks seen from the own side."""
    text = (ROOT / "src/engine/eval/evaluate.c").read_text()
    arrays = re.findall(r"static const u?int8_t (\w+)\[(\d+)\] = \{([^}]*)\}", text)
    tables = {}
    for name, size, body in arrays:
        tables[name] = [int(number) for number in re.findall(r"-?\d+", body)]
        assert len(tables[name]) == int(size), name
    return tables


TERMS = read_terms()
TABLES = read_tables()


def square_value(name, square):
    """What a table of files a to d, the same on the other wing, holds for a square."""
    file, rank = square
    return TABLES[name][rank * 4 + min(file, 7 - file)]


def on_board(file, rank):
    return 0 <= file <= 7 and 0 <= rank <= 7


def beside(file):
    """The files next to a file."""
    return [f for f in (file - 1, file + 1) if f in FILES]


def king_moves(a, b):
    """How many moves a king needs from one square to another on an empty board."""
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))


class View:
    """A position as one side sees it: own pieces upper case, own first rank at the bottom."""

    def __init__(self, placement, white):
        rows = placement.split("/")
        if white:
            rows = rows[::-1]
        else:
            rows = [row.swapcase() for row in rows]
        self.board = [[] for _ in FILES]
        for row in rows:
            row = re.sub(r"\d", lambda n: "." * int(n.group()), row)
            assert len(row) == 8, placement
            for file in FILES:
                self.board[file].append(row[file])

    def other(self):
        """The same position as the other side sees it."""
        view = View.__new__(View)
        view.board = [[c.swapcase() for c in reversed(column)] for column in self.board]
        return view

    def at(self, file, rank):
        return self.board[file][rank]

    def find(self, piece):
        """The squares (file, rank) of a piece."""
        return [(f, r) for r in RANKS for f in FILES if self.at(f, r) == piece]

    def attacks(self, square):
        """The squares that the piece there attacks, whatever stands on them."""
        piece = self.at(*square).upper()
        if piece == "N":
            steps, reach = JUMPS, 1
        else:
            steps = {"B": DIAGONALS, "R": STRAIGHTS, "Q": DIAGONALS + STRAIGHTS}[piece]
            reach = 7
        found = []
        for df, dr in steps:
            for n in range(1, reach + 1):
                f, r = square[0] + n * df, square[1] + n * dr
                if not on_board(f, r):
                    break
                found.append((f, r))
                if self.at(f, r) != ".":
                    break
        return found

    def pawn_on(self, pawn, files, ranks):
        """Whether such a pawn stands anywhere on these files and ranks."""
        return any(self.at(f, r) == pawn for f in files for r in ranks)

    def is_passed(self, square):
        """The foremost own pawn of its file, without an enemy pawn ahead there or beside."""
        f, r = square
        ahead = range(r + 1, 8)
        return not self.pawn_on("P", [f], ahead) and not self.pawn_on("p", [f] + beside(f), ahead)

    def is_isolated(self, square):
        return not self.pawn_on("P", beside(square[0]), RANKS)

    def is_backward(self, square):
        """All own pawns of the next files are ahead; an enemy pawn attacks the stop square."""
        f, r = square
        defended = self.pawn_on("P", beside(f), range(0, r + 1))
        attacked = r + 2 <= 7 and self.pawn_on("p", beside(f), [r + 2])
        return attacked and not defended and not self.is_isolated(square)

    def passed_pawns(self):
        return [s for s in self.find("P") if self.is_passed(s)]

    # Counts that several terms share.

    def mobility(self, piece, unit):
        """Attacked squares in units, rounded down for each piece alone."""
        return sum(len(self.attacks(s)) // unit for s in self.find(piece))

    def rooks_without_own_pawn(self):
        """The files of the rooks that no own pawn shares."""
        return [f for f, _ in self.find("R") if not self.pawn_on("P", [f], RANKS)]

    def king(self):
        return self.find("K")[0]

    def enemy_king(self):
        return self.find("k")[0]

    def pressure(self):
        """The table's value for the pieces that attack the enemy king or a square beside it."""
        total = 0
        for piece in KINDS:
            for s in self.find(piece):
                if any(king_moves(a, self.enemy_king()) <= 1 for a in self.attacks(s)):
                    total += TABLES["attacker_weight"]["PNBRQK".index(piece)]
        return TABLES["pressure_value"][min(total, 15)]


def passed_pawn_enemy_king_dist(v):
    stops = [(f, r + 1) for f, r in v.passed_pawns()]
    return sum(king_moves(v.enemy_king(), s) - king_moves(v.king(), s) for s in stops)


def knight_outpost_mult(v):
    total = 0
    for f, r in v.find("N"):
        defended = r > 0 and v.pawn_on("P", beside(f), [r - 1])
        safe = not v.pawn_on("p", beside(f), range(r + 1, 8))
        if defended and safe:
            total += square_value("outpost_table_value", (f, r))
    return total


def rooks_beside_king(v, files):
    """The rooks without an own pawn on those of the files that are next to the enemy king's."""
    near = [f for f in beside(v.enemy_king()[0]) if f in files]
    return sum(f in near for f in v.rooks_without_own_pawn())


def rook_7th_rank(v):
    worth = v.pawn_on("p", FILES, [6]) or v.enemy_king()[1] == 7
    return sum(r == 6 for _, r in v.find("R")) if worth else 0


def rook_connected(v):
    rooks = v.find("R")
    return sum(b in v.attacks(a) for n, a in enumerate(rooks) for b in rooks[n + 1 :])


def rook_behind_passed_pawn(v):
    passed = v.passed_pawns()
    return sum(any(p[0] == f and p[1] > r for p in passed) for f, r in v.find("R"))


def rook_atck_weak_pawn_open_column(v):
    enemy = v.other()
    weak = [s[0] for s in enemy.find("P") if enemy.is_isolated(s) or enemy.is_backward(s)]
    return sum(f in weak for f in v.rooks_without_own_pawn())


def king_files_without(v, pawn, files, ranks):
    """How many of the files have no such pawn on these ranks, while the enemy has a queen."""
    return sum(not v.pawn_on(pawn, [f], ranks) for f in files) if v.find("q") else 0


def king_friendly_pawn_advanced1(v):
    if not v.find("q"):
        return 0
    file = v.king()[0]
    return sum(v.at(f, 2) == "P" for f in [file] + beside(file))


def king_pressure_mult(v):
    attack = v.pressure() if v.find("Q") else 0
    square = 0 if v.find("q") else square_value("king_table_value", v.king())
    return attack + square


# How often each term counts for the side of the view.
COUNTERS = {
    "PAWN_VALUE": lambda v: len(v.find("P")),
    "KNIGHT_VALUE": lambda v: len(v.find("N")),
    "BISHOP_VALUE": lambda v: len(v.find("B")),
    "ROOK_VALUE": lambda v: len(v.find("R")),
    "QUEEN_VALUE": lambda v: len(v.find("Q")),
    "PAWN_ADVANCE_A": lambda v: sum(square_value("advance_a_value", s) for s in v.find("P")) if v.find("q") else 0,
    "PAWN_ADVANCE_B": lambda v: 0 if v.find("q") else sum(square_value("advance_b_value", s) for s in v.find("P")),
    "PASSED_PAWN_MULT": lambda v: sum(TABLES["passed_value"][r] for _, r in v.passed_pawns()),
    "DOUBLED_PAWN_PENALTY": lambda v: sum(v.pawn_on("P", [f], range(r + 1, 8)) for f, r in v.find("P")),
    "ISOLATED_PAWN_PENALTY": lambda v: sum(v.is_isolated(s) for s in v.find("P")),
    "BACKWARD_PAWN_PENALTY": lambda v: sum(v.is_backward(s) for s in v.find("P")),
    "WEAK_SQUARE_PENALTY": lambda v: sum(not v.pawn_on("P", beside(f), range(0, r)) for f, r in WEAK_SQUARES),
    "PASSED_PAWN_ENEMY_KING_DIST": passed_pawn_enemy_king_dist,
    "KNIGHT_SQ_MULT": lambda v: sum(square_value("knight_table_value", s) for s in v.find("N")),
    "KNIGHT_OUTPOST_MULT": knight_outpost_mult,
    "BISHOP_MOBILITY": lambda v: v.mobility("B", 1),
    "BISHOP_PAIR": lambda v: int(len(v.find("B")) >= 2),
    "ROOK_ATTACK_KING_FILE": lambda v: sum(f == v.enemy_king()[0] for f in v.rooks_without_own_pawn()),
    "ROOK_ATTACK_KING_ADJ_FILE": lambda v: rooks_beside_king(v, (2, 3, 4, 5)),
    "ROOK_ATTACK_KING_ADJ_FILE_ABGH": lambda v: rooks_beside_king(v, (0, 1, 6, 7)),
    "ROOK_7TH_RANK": rook_7th_rank,
    "ROOK_CONNECTED": rook_connected,
    "ROOK_MOBILITY": lambda v: v.mobility("R", 2),
    "ROOK_BEHIND_PASSED_PAWN": rook_behind_passed_pawn,
    "ROOK_OPEN_FILE": lambda v: sum(not v.pawn_on("p", [f], RANKS) for f in v.rooks_without_own_pawn()),
    "ROOK_SEMI_OPEN_FILE": lambda v: sum(v.pawn_on("p", [f], RANKS) for f in v.rooks_without_own_pawn()),
    "ROOK_ATCK_WEAK_PAWN_OPEN_COLUMN": rook_atck_weak_pawn_open_column,
    "ROOK_COLUMN_MULT": lambda v: sum(TABLES["column_value"][f] for f, _ in v.find("R")),
    "QUEEN_MOBILITY": lambda v: v.mobility("Q", 4),
    "KING_NO_FRIENDLY_PAWN": lambda v: king_files_without(v, "P", [v.king()[0]], [1, 2]),
    "KING_NO_FRIENDLY_PAWN_ADJ": lambda v: king_files_without(v, "P", beside(v.king()[0]), [1, 2]),
    "KING_FRIENDLY_PAWN_ADVANCED1": king_friendly_pawn_advanced1,
    "KING_NO_ENEMY_PAWN": lambda v: king_files_without(v, "p", [v.king()[0]], RANKS),
    "KING_NO_ENEMY_PAWN_ADJ": lambda v: king_files_without(v, "p", beside(v.king()[0]), RANKS),
    "KING_PRESSURE_MULT": king_pressure_mult,
}


def count_terms(placement):
    """The counts of a position, in the table's order."""
    white, black = View(placement, white=True), View(placement, white=False)
    counters = [(COUNTERS[name], sign) for name, sign in TERMS]
    return [sign * (count(white) - count(black)) for count, sign in counters]


# Positions made by hand, where the edges of the terms' meanings lie.
BY_HAND = """
# bare kings; kings on either wing and far from home, without queens
4k3/8/8/8/8/8/8/4K3 w - - 0 1
8/8/1K6/8/8/6k1/8/8 b - - 0 1
k7/8/8/8/8/8/8/7K w - - 0 1
8/8/3K4/8/8/8/5k2/8 b - - 0 1
# passed pawns: doubled, blocked, on the rim with enemy pawns over the edge, on the last steps
4k3/8/8/3P4/8/3P4/8/4K3 w - - 0 1
4k3/8/8/3Pp3/3pP3/8/8/4K3 b - - 0 1
4k3/8/p7/7P/7p/P7/8/4K3 w - - 0 1
8/P6k/8/8/8/8/K6p/8 w - - 0 1
8/4P1k1/4n3/8/2p5/2B5/3K4/8 b - - 0 1
8/5k2/3p4/3P4/1p6/1P3P2/5K2/8 w - - 0 1
# doubled, tripled, isolated; neighbours only over the edge of the board
4k3/p6p/p7/8/8/P7/P6P/4K3 b - - 0 1
4k3/2p5/2p5/2P5/2P5/8/2P3P1/4K1B1 w - - 0 1
4k3/5p1p/7p/8/P7/8/P1P1P3/4K3 w - - 0 1
# backward: by one rank, by two, beside a level pawn, isolated, attacked from one side, near home
4k3/8/2p5/1p6/1P2P3/3P4/8/4K3 w - - 0 1
4k3/3p4/4p3/2P5/2P1p3/8/3P1P2/4K3 b - - 0 1
4k3/8/2p1p3/8/4P3/3P4/8/4K3 w - - 0 1
4k3/2p5/8/1P1P4/3p4/8/8/4K3 b - - 0 1
4k3/1p6/p7/P1P5/2p5/1p6/P1P5/4K3 w - - 0 1
# weak squares: pawns too far on, pawns level with the square, none at all
4k3/pppppppp/8/8/2PPPP2/8/8/4K3 w - - 0 1
4k3/8/2p2p2/8/8/8/PP4PP/4K3 b - - 0 1
# outposts: safe, attackable later, attacked over the edge, passed by, not defended
4k3/8/8/3N4/2P5/8/8/4K3 w - - 0 1
4k3/2p5/8/3N4/2P5/8/8/4K3 w - - 0 1
4k3/7p/8/N7/1P6/8/8/4K3 w - - 0 1
4k3/8/3p4/4n3/8/3P1P2/4P3/4K3 b - - 0 1
4k3/8/1p3p2/2n3N1/2P1pP2/3n3P/8/4K3 w - - 0 1
n3k2n/8/8/8/8/8/8/N3K2N w - - 0 1
# bishops: pairs, three, two of one colour of square, shut in
4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1
2b1k1b1/8/8/4b3/8/8/8/B3K3 b - - 0 1
4k3/1p1p4/2b5/1p1p4/8/P7/1P6/B3K3 w - - 0 1
# rooks and the enemy king: on its file, beside it, on the rim, own pawns on the file
4k3/8/8/8/8/8/3P4/3RRRK1 b - - 0 1
1k6/8/8/8/8/8/8/RRR1K3 b - - 0 1
2k3rr/8/8/8/8/7p/8/RR1R2K1 w - - 0 1
5rk1/5p1p/8/8/7R/6R1/5P2/K4R2 b - - 0 1
# rooks: on the 7th with and without a target, defending each other, with pieces between
4k3/R7/8/8/8/8/8/4K3 w - - 0 1
8/R4p2/4k3/8/8/8/8/4K3 w - - 0 1
8/RR6/4k3/8/8/8/8/4K3 w - - 0 1
4k3/8/8/8/8/4K3/1r1P3r/8 b - - 0 1
4k3/8/8/8/R2R2R1/8/6R1/4K3 w - - 0 1
r3k2r/8/8/8/8/8/8/R1N1K1NR w - - 0 1
# rooks behind passed pawns: with pieces between, ahead of them, two, the enemy's
8/3P2k1/3n4/8/3R4/3R4/8/6K1 w - - 0 1
3r2k1/8/8/3p4/8/8/R7/6K1 b - - 0 1
1R6/1P4k1/8/8/r6p/7r/6K1/8 w - - 0 1
# open and semi-open files with sound, isolated and backward pawns on them
6k1/pp3p2/4p3/3p3p/8/8/PP6/R1RRRRKR w - - 0 1
# queens: one side's only, shut in, several; a knight that attacks nothing but the king; pressure
# beyond the table
3qk3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1
k7/pp6/1N6/8/8/8/5PPP/Q5K1 b - - 0 1
k6Q/7Q/8/8/8/8/6QQ/1Q2K1Q1 b - - 0 1
kr1q4/pp6/8/8/6P1/7P/5PR1/1q4QK b - - 0 1
# shelter: pawns moved once, moved twice, gone; on the rim and in the middle
2kr3q/1p6/p1p5/8/5P2/6P1/7P/Q6K w - - 0 1
r1bqkbnr/pp1ppppp/2n5/8/3NP3/8/PPP2PPP/RNBQKB1R w KQkq - 1 5
3q4/1k4pp/1p6/8/4P3/3P4/5P2/1Q2K3 b - - 0 1
"""


def positions_of(lines):
    """The FENs in lines of FEN or EPD; clocks that a line lacks are 0 and 1."""
    for line in lines:
        fields = line.split()
        if fields and not fields[0].startswith("#"):
            clocks = fields[4:6] if len(fields) >= 6 and fields[4].isdigit() else ["0", "1"]
            yield " ".join(fields[:4] + clocks)


def phase(fen):
    """0 to 5: a sixth of the way from bare kings to all pieces."""
    points = {"n": 1, "b": 1, "r": 2, "q": 4}
    total = sum(points.get(c, 0) for c in fen.split()[0].lower())
    return min(total // 4, 5)


def golden_positions():
    """The first five positions of each phase in each training file, then those made by hand."""
    for path in sorted((ROOT / "data").glob("train-*.epd")):
        taken = [0] * 6
        with open(path, encoding="utf-8") as lines:
            for fen in positions_of(lines):
                if taken[phase(fen)] < 5:
                    taken[phase(fen)] += 1
                    yield fen
    yield from positions_of(BY_HAND.splitlines())


def positions_in(names):
    for name in names:
        with sys.stdin if name == "-" else open(name, encoding="utf-8") as lines:
            yield from positions_of(lines)


def main(names):
    for fen in positions_in(names) if names else golden_positions():
        print(fen, *count_terms(fen.split()[0]), sep="\t")


if __name__ == "__main__":
    main(sys.argv[1:])
