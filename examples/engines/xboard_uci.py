#!/usr/bin/env python3
"""An engine of the xboard protocol as a UCI engine, so that it can play matches here.

    xboard_uci.py COMMAND [ARGUMENT...]
    grayling gauntlet default --against 'examples/engines/xboard_uci.py phalanx -b - -l -'

The engine must understand setboard (protocol 2). It is told the time control and both clocks before
each move; increments below a second are 0 for it, as the protocol has whole seconds only. Moves
continue the game that it has in mind, so that it keeps its tables, and any other position is set
up anew. Its thinking becomes "info depth D score cp S nodes N". It has no UCI options: book,
learning and memory are arguments of the command.

Protocol: "Chess Engine Communication Protocol", T. Mann and H. G. Muller.
"""
import os
import re
import select
import subprocess
import sys

THINKING = re.compile(r'\s*(\d+)\S?\s+(-?\d+)\s+(\d+)\s+(\d+)\s')  # ply, centipawns, 1/100 s, nodes
MOVE = re.compile(r'move\s+([a-h][1-8][a-h][1-8][qrbn]?|O-O-O|O-O)\b')
CASTLING = {('O-O', True): 'e1g1', ('O-O-O', True): 'e1c1',
            ('O-O', False): 'e8g8', ('O-O-O', False): 'e8c8'}
FEATURE_SECONDS = 5


class Lines:
    """The lines of a file descriptor, which a select may wait for."""

    def __init__(self, descriptor):
        self.descriptor = descriptor
        self.rest = b''
        self.ended = False

    def fileno(self):
        return self.descriptor

    def read(self):
        """The complete lines that have come; sets `ended` at the end of the file."""
        data = os.read(self.descriptor, 65536)
        self.ended = not data
        *lines, self.rest = (self.rest + data).split(b'\n')
        return [line.decode(errors='replace').rstrip('\r') for line in lines]


def say(line):
    print(line, flush=True)


def white_to_move(start, moves):
    black_first = start != 'startpos' and start.split()[1] == 'b'
    return (len(moves) % 2 == 0) != black_first


class Engine:
    """The xboard engine: its process, and the game that it has in mind."""

    def __init__(self, command):
        try:
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            stderr=subprocess.DEVNULL)
        except OSError as failed:
            sys.exit(f'xboard_uci.py: {command[0]}: {failed.strerror}')
        self.lines = Lines(self.process.stdout.fileno())
        self.name = os.path.basename(command[0])
        self.game = None  # the start position and the moves, its own included
        self.send('xboard', 'protover 2')
        self.await_features()
        self.send('post', 'easy')

    def send(self, *lines):
        self.process.stdin.write(''.join(line + '\n' for line in lines).encode())
        self.process.stdin.flush()

    def await_features(self):
        """Features come within two seconds, says the protocol; without them, go on."""
        while select.select([self.lines], [], [], FEATURE_SECONDS)[0]:
            for line in self.lines.read():
                name = re.search(r'myname="([^"]*)"', line)
                if name:
                    self.name = name.group(1)
                if 'done=1' in line:
                    return
            if self.lines.ended:
                sys.exit('xboard_uci.py: the engine has ended')

    def forget(self):
        self.game = None

    def set_clock(self, limits, white):
        """The time control, then its own clock and the opponent's, in 1/100 s."""
        own, other = ('wtime', 'btime') if white else ('btime', 'wtime')
        if limits.get('movetime', 0) >= 1000:
            self.send(f'st {limits["movetime"] // 1000}')
        elif 'depth' in limits:
            self.send(f'sd {limits["depth"]}')
        elif own in limits:
            self.send(f'time {max(1, limits[own] // 10)}',
                      f'otim {max(1, limits.get(other, limits[own]) // 10)}')
        else:
            sys.exit('xboard_uci.py: xboard knows clocks, depths and whole seconds a move')

    def set_up(self, start, moves, limits):
        self.send('new', 'force')
        if start != 'startpos':
            self.send('setboard ' + start)
        self.send(*moves)
        if 'wtime' in limits:
            minutes, seconds = divmod(limits['wtime'] // 1000, 60)
            self.send(f'level 0 {minutes}:{seconds:02d} {limits.get("winc", 0) // 1000}')

    def go(self, start, moves, limits):
        """Lets it think about the position after `moves`."""
        white = white_to_move(start, moves)
        follows = self.game is not None and self.game[0] == start and self.game[1] == moves[:-1]
        if not follows:
            self.set_up(start, moves, limits)
        self.set_clock(limits, white)
        self.send(moves[-1] if follows else 'go')
        self.game = (start, moves)

    def answer(self, line):
        """One line of the engine while it thinks; true if it was the move."""
        thinking = THINKING.match(line)
        move = MOVE.match(line)
        if thinking:
            ply, score, time, nodes = map(int, thinking.groups())
            say(f'info depth {ply} score cp {score} time {time * 10} nodes {nodes}')
        elif move:
            start, moves = self.game
            name = move.group(1)
            name = CASTLING.get((name, white_to_move(start, moves)), name)
            self.game = (start, moves + [name])
            say('bestmove ' + name)
        return move is not None


def read_position(words):
    """The start position and the moves of "position ..."."""
    cut = words.index('moves') if 'moves' in words else len(words)
    start = 'startpos' if words[1] == 'startpos' else ' '.join(words[2:cut])
    return start, words[cut + 1:]


def read_limits(words):
    return {name: int(value) for name, value in zip(words, words[1:])
            if value.lstrip('-').isdigit()}


def main():
    if sys.argv[1:2] in (['-h'], ['--help']):
        print(__doc__)
        return
    if len(sys.argv) < 2:
        sys.exit('usage: xboard_uci.py COMMAND [ARGUMENT...]')
    os.environ['PATH'] += ':/usr/games'
    engine = Engine(sys.argv[1:])
    gui = Lines(sys.stdin.fileno())
    position = ('startpos', [])
    thinking = False
    while True:
        ready = select.select([gui, engine.lines], [], [])[0]
        for line in engine.lines.read() if engine.lines in ready else []:
            if thinking and engine.answer(line):
                thinking = False
        if engine.lines.ended:
            sys.exit('xboard_uci.py: the engine has ended')
        for line in gui.read() if gui in ready else []:
            words = line.split() or ['']
            if words[0] == 'uci':
                say(f'id name {engine.name}')
                say('uciok')
            elif words[0] == 'isready':
                say('readyok')
            elif words[0] == 'ucinewgame':
                engine.forget()
            elif words[0] == 'position':
                position = read_position(words)
            elif words[0] == 'go':
                engine.go(*position, read_limits(words))
                thinking = True
            elif words[0] == 'stop' and thinking:
                engine.send('?')
            elif words[0] == 'quit':
                gui.ended = True
        if gui.ended:
            engine.send('quit')
            engine.process.terminate()
            return


if __name__ == '__main__':
    main()
