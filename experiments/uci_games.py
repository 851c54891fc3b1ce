#!/usr/bin/env python3
"""Games of the engine over UCI against another, for the record: is every move legal, does it ever
crash, does it ever lose on time?

    uci_games.py GRAYLING-UCI [--games 200] [--tc 0.2+0.002] [--opponent /usr/games/stockfish]

The rules of chess are this file's own, so that neither engine is asked whether a move is legal
(--check compares them with known perft counts first). Openings are random moves, each played with
both colours. A clock may go below zero by --margin milliseconds, which is what starting a process's
turn may take here; less than that is the fault of the operating system. The opponent plays at the
strength that UCI_Elo says, 1350 being the least of Stockfish 15.

The exit code is 0 when the engine made no illegal move, did not crash and did not lose on time;
77 when the opponent is not installed.
"""
import argparse
import os
import random
import select
import subprocess
import sys
import time

# ---- the rules ----

KNIGHT = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
STRAIGHT = [(1, 0), (-1, 0), (0, 1), (0, -1)]
DIAGONAL = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
SLIDERS = {'r': STRAIGHT, 'b': DIAGONAL, 'q': STRAIGHT + DIAGONAL}
HOME = {'K': ((4, 0), (7, 0)), 'Q': ((4, 0), (0, 0)), 'k': ((4, 7), (7, 7)), 'q': ((4, 7), (0, 7))}
START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'


def name(square):
    return 'abcdefgh'[square[0]] + str(square[1] + 1)


def on_board(x, y):
    return 0 <= x < 8 and 0 <= y < 8


class Board:
    """A position; squares are (file, rank) from 0, white pieces are capitals."""

    def __init__(self, fen):
        rows, side, castling, passed, halfmove = fen.split()[:5]
        self.pieces = {}
        for row, text in enumerate(rows.split('/')):
            x = 0
            for c in text:
                if c.isdigit():
                    x += int(c)
                else:
                    self.pieces[x, 7 - row] = c
                    x += 1
        self.white = side == 'w'
        self.castling = castling.replace('-', '')
        self.passed = None if passed == '-' else ('abcdefgh'.index(passed[0]), int(passed[1]) - 1)
        self.halfmove = int(halfmove)

    def copy(self):
        b = Board.__new__(Board)
        b.__dict__.update(self.__dict__, pieces=dict(self.pieces))
        return b

    def own(self, square):
        p = self.pieces.get(square)
        return p is not None and p.isupper() == self.white

    def attacked(self, square, by_white):
        """Whether a side attacks a square."""
        x, y = square

        def is_at(to, kind):
            return self.pieces.get(to) == (kind.upper() if by_white else kind)
        back = -1 if by_white else 1
        if any(is_at((x + dx, y + back), 'p') for dx in (-1, 1)):
            return True
        if any(is_at((x + dx, y + dy), 'n') for dx, dy in KNIGHT):
            return True
        if any(is_at((x + dx, y + dy), 'k') for dx, dy in STRAIGHT + DIAGONAL):
            return True
        for kind, directions in (('r', STRAIGHT), ('b', DIAGONAL)):
            for dx, dy in directions:
                to = (x + dx, y + dy)
                while on_board(*to) and to not in self.pieces:
                    to = (to[0] + dx, to[1] + dy)
                if is_at(to, kind) or is_at(to, 'q'):
                    return True
        return False

    def king(self, white):
        return next(s for s, p in self.pieces.items() if p == ('K' if white else 'k'))

    def in_check(self):
        return self.attacked(self.king(self.white), not self.white)

    def pawn_targets(self, x, y):
        up, first = (1, 1) if self.white else (-1, 6)
        if (x, y + up) not in self.pieces:
            yield x, y + up
            if y == first and (x, y + 2 * up) not in self.pieces:
                yield x, y + 2 * up
        for to in ((x - 1, y + up), (x + 1, y + up)):
            if to == self.passed or (to in self.pieces and not self.own(to)):
                yield to

    def targets(self, square):
        """Where a piece of the side to move can go, castling and the own king's safety aside."""
        x, y = square
        kind = self.pieces[square].lower()
        if kind == 'p':
            yield from self.pawn_targets(x, y)
        elif kind in 'nk':
            for dx, dy in KNIGHT if kind == 'n' else STRAIGHT + DIAGONAL:
                to = (x + dx, y + dy)
                if on_board(*to) and not self.own(to):
                    yield to
        else:
            for dx, dy in SLIDERS[kind]:
                to = (x + dx, y + dy)
                while on_board(*to) and to not in self.pieces:
                    yield to
                    to = (to[0] + dx, to[1] + dy)
                if on_board(*to) and not self.own(to):
                    yield to

    def castlings(self):
        for right in self.castling:
            king, rook = HOME[right]
            if right.isupper() != self.white:
                continue
            step = 1 if rook[0] > king[0] else -1
            between = range(min(king[0], rook[0]) + 1, max(king[0], rook[0]))
            if any((x, king[1]) in self.pieces for x in between):
                continue
            if not any(self.attacked((king[0] + i * step, king[1]), not self.white)
                       for i in range(3)):
                yield king, (king[0] + 2 * step, king[1])

    def moves(self):
        """The legal moves as UCI writes them."""
        found = list(self.castlings())
        for square in [s for s in self.pieces if self.own(s)]:
            found += [(square, to) for to in self.targets(square)]
        result = []
        for start, to in found:
            promotes = self.pieces[start] in 'Pp' and to[1] in (0, 7)
            for piece in 'qrbn' if promotes else ('',):
                move = name(start) + name(to) + piece
                after = self.after(move)
                if not after.attacked(after.king(self.white), not self.white):
                    result.append(move)
        return result

    def after(self, move):
        """The position after a move."""
        b = self.copy()
        start = ('abcdefgh'.index(move[0]), int(move[1]) - 1)
        to = ('abcdefgh'.index(move[2]), int(move[3]) - 1)
        piece = b.pieces.pop(start)
        pawn = piece in 'Pp'
        b.halfmove = 0 if pawn or to in b.pieces else b.halfmove + 1
        if pawn and to == self.passed:
            del b.pieces[to[0], start[1]]
        b.passed = (start[0], (start[1] + to[1]) // 2) if pawn and abs(to[1] - start[1]) == 2 else None
        if len(move) == 5:
            piece = move[4].upper() if self.white else move[4]
        if piece in 'Kk' and abs(to[0] - start[0]) == 2:
            rook = (7 if to[0] == 6 else 0, to[1])
            b.pieces[(start[0] + to[0]) // 2, to[1]] = b.pieces.pop(rook)
        b.pieces[to] = piece
        b.castling = ''.join(r for r in b.castling if not {start, to} & set(HOME[r]))
        b.white = not b.white
        return b

    def key(self):
        """What must be the same for a position to be repeated."""
        x = self.passed
        usable = x is not None and any(m[2:4] == name(x) and self.pieces[
            'abcdefgh'.index(m[0]), int(m[1]) - 1] in 'Pp' for m in self.moves())
        return frozenset(self.pieces.items()), self.white, self.castling, x if usable else None

    def bare(self):
        """Whether neither side can ever mate."""
        rest = [(s, p.lower()) for s, p in self.pieces.items() if p not in 'Kk']
        if any(p not in 'nb' for _, p in rest):
            return False
        return len(rest) < 2 or (all(p == 'b' for _, p in rest) and
                                 len({(x + y) % 2 for (x, y), _ in rest}) == 1)


def perft(board, depth):
    moves = board.moves()
    return len(moves) if depth == 1 else sum(perft(board.after(m), depth - 1) for m in moves)


def check_rules():
    """Compares with counts that are known (chessprogramming.org, Perft Results)."""
    for fen, depth, wanted in (
            (START, 3, 8902),
            ('r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1', 2, 2039),
            ('8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1', 4, 43238),
            ('r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1', 3, 9467),
            ('rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8', 2, 1486)):
        found = perft(Board(fen), depth)
        if found != wanted:
            sys.exit('the rules are wrong: %d leaves, not %d, at depth %d of %s'
                     % (found, wanted, depth, fen))


# ---- the engines ----

class Dead(Exception):
    """The engine has ended, or does not answer."""


class Engine:
    def __init__(self, path, options):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL)
        self.buffer = b''
        self.ask('uci', 'uciok')
        for option in options:
            self.tell('setoption name %s value %s' % option)
        self.ask('isready', 'readyok')

    def tell(self, line):
        try:
            self.process.stdin.write(line.encode() + b'\n')
            self.process.stdin.flush()
        except OSError:
            raise Dead('its input is closed')

    def line(self, end):
        while b'\n' not in self.buffer:
            ready = select.select([self.process.stdout], [], [], max(0.0, end - time.monotonic()))[0]
            data = os.read(self.process.stdout.fileno(), 65536) if ready else b''
            if not data:
                raise Dead('no answer' if not ready else 'it ended')
            self.buffer += data
        line, self.buffer = self.buffer.split(b'\n', 1)
        return line.decode(errors='replace').strip()

    def ask(self, command, start, timeout=10.0):
        """The first line that begins so, and the seconds until it came."""
        began = time.monotonic()
        self.tell(command)
        while True:
            line = self.line(began + timeout)
            if line.startswith(start):
                return line, time.monotonic() - began

    def close(self):
        try:
            self.tell('quit')
            self.process.wait(5)
        except (Dead, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()


# ---- a game ----

def opening(seed, plies=8):
    """Random moves from the start, after which there is a legal move."""
    draw = random.Random(seed)
    while True:
        board, played = Board(START), []
        for _ in range(plies):
            moves = sorted(board.moves())
            if not moves:
                break
            played.append(draw.choice(moves))
            board = board.after(played[-1])
        else:
            if board.moves():
                return played


def rule_end(board, seen, moves):
    """How the game ends by the rules: 'mate', a kind of draw, or None."""
    if not moves:
        return 'mate' if board.in_check() else 'stalemate'
    if board.halfmove >= 100:
        return 'fifty moves'
    if seen >= 3:
        return 'repetition'
    return 'material' if board.bare() else None


def turn(engine, played, clocks, increment, white):
    """Lets an engine move; the move and the seconds it took."""
    engine.tell('position startpos moves ' + ' '.join(played))
    go = 'go wtime %d btime %d winc %d binc %d' % (
        max(1, int(clocks[True] * 1000)), max(1, int(clocks[False] * 1000)),
        int(increment * 1000), int(increment * 1000))
    line, took = engine.ask(go, 'bestmove', clocks[white] + 10)
    words = line.split()
    return (words[1] if len(words) > 1 else ''), took


def play(players, start, base, increment, margin):
    """Plays a game; (score of White or None, how it ended, the side at fault, least clock of each)."""
    board, played, seen = Board(START), [], {}
    for move in start:
        board = board.after(move)
        played.append(move)
    clocks = {True: base, False: base}
    least = dict(clocks)
    for engine in players.values():
        engine.tell('ucinewgame')
        engine.ask('isready', 'readyok')
    while True:
        key, white = board.key(), board.white
        seen[key] = seen.get(key, 0) + 1
        moves = board.moves()
        end = rule_end(board, seen[key], moves)
        if end is not None:
            return (0.5 if end != 'mate' else 0.0 if white else 1.0), end, None, least
        try:
            move, took = turn(players[white], played, clocks, increment, white)
        except Dead as why:
            return (0.0 if white else 1.0), 'crash: %s' % why, white, least
        clocks[white] -= took
        least[white] = min(least[white], clocks[white])
        if clocks[white] < -margin:
            return (0.0 if white else 1.0), 'time: %.1f ms late after %s' % (
                -clocks[white] * 1000, ' '.join(played)), white, least
        if move not in moves:
            return (0.0 if white else 1.0), 'illegal: %s after %s' % (move, ' '.join(played)), white, least
        clocks[white] = max(clocks[white], 0.0) + increment
        board = board.after(move)
        played.append(move)


# ---- the match ----

def run(a):
    base, increment = (float(x) for x in a.tc.split('+'))
    ours = [('Hash', '16')]
    theirs = [('Hash', '16'), ('UCI_LimitStrength', 'true'), ('UCI_Elo', str(a.elo))]
    score = {1.0: 0, 0.5: 0, 0.0: 0}
    faults = {side: {'illegal': 0, 'crash': 0, 'time': 0} for side in ('engine', 'opponent')}
    ends, least = {}, base
    us, them = Engine(a.engine, ours), Engine(a.opponent, theirs)
    for game in range(a.games):
        white = game % 2 == 0
        players = {white: us, (not white): them}
        result, end, fault, clocks = play(players, opening(a.seed * 100000 + game // 2), base,
                                          increment, a.margin / 1000)
        kind = end.split(':')[0]
        ends[kind] = ends.get(kind, 0) + 1
        score[result if white else 1.0 - result] += 1
        least = min(least, clocks[white])
        if fault is not None:
            faults['engine' if fault == white else 'opponent'][kind] += 1
            print('game %d: %s: %s' % (game + 1, 'engine' if fault == white else 'opponent', end), flush=True)
        if kind == 'crash':
            us.close()
            them.close()
            us, them = Engine(a.engine, ours), Engine(a.opponent, theirs)
        if (game + 1) % 20 == 0 or game + 1 == a.games:
            print('%d games: %d won, %d drawn, %d lost' % (game + 1, score[1.0], score[0.5], score[0.0]),
                  flush=True)
    us.close()
    them.close()
    print('ends: ' + ', '.join('%s %d' % e for e in sorted(ends.items())))
    for side, counts in faults.items():
        print('%s: %d illegal moves, %d crashes, %d losses on time'
              % (side, counts['illegal'], counts['crash'], counts['time']))
    print('least time left on the engine\'s clock: %.1f ms' % (least * 1000))
    return 1 if any(faults['engine'].values()) else 0


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    p.add_argument('engine')
    p.add_argument('--opponent', default='/usr/games/stockfish')
    p.add_argument('--elo', type=int, default=1350, help='UCI_Elo of the opponent (1350)')
    p.add_argument('--games', type=int, default=200)
    p.add_argument('--tc', default='0.2+0.002', help='seconds and increment (0.2+0.002)')
    p.add_argument('--margin', type=float, default=20, help='ms that a clock may go below zero (20)')
    p.add_argument('--seed', type=int, default=1, help='of the openings')
    p.add_argument('--check', action='store_true', help='first check the rules by perft')
    a = p.parse_args()
    if a.check:
        check_rules()
    if not os.access(a.opponent, os.X_OK):
        print('%s is not installed; no game is played' % a.opponent)
        return 77
    return run(a)


if __name__ == '__main__':
    sys.exit(main())
