"""Completion of bash and zsh, by the shells themselves."""
import os
import pty
import re
import select
import shutil
import time

import tap
from tap import check, grayling, run, source, write

scripts = os.path.join(source, 'tools/completion')
os.environ['PATH'] = os.path.dirname(grayling) + ':' + os.environ['PATH']
os.environ.pop('GRAYLING_DATA', None)
FILES = ['a run.db', 'kept.db.zst', 'mine.yaml', 'mine.epd', 'games.pgn.gz', 'notes.txt']

# Sets the variables that bash sets for a completion, calls the function that is registered for the
# command, and prints the answers.
BASH = r'''
source "$0"
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
function=$(complete -p grayling | sed 's/.*-F \([^ ]*\).*/\1/')
"$function" grayling "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\n' "${COMPREPLY[@]}"
'''


def bash(*words):
    """What bash offers for the last word."""
    done = tap.call('bash', '--norc', '-c', BASH, scripts + '/grayling.bash', 'grayling', *words)
    return [line for line in done.stdout.split('\n') if line]


def commands():
    lines = run('--help').stdout.splitlines()
    return [name for m in (re.match(r'  ([a-z]+(?:, [a-z]+)*)  ', line) for line in lines) if m
            for name in m.group(1).split(', ')]


def defined_options(command):
    """The long options that the help of a command tells of."""
    text = run(command, '--help').stdout
    lines = [re.split(r'(?<=\S)  ', line.strip())[0] for line in text.splitlines() if re.match(r' +-', line)]
    return {'help'} | {o for line in lines for o in re.findall(r'--([a-z][a-z-]*)', line)}


def expect(line, offered, missing=()):
    """Whether bash offers these for a line, and none of those."""
    words = line.split(' ')
    got = bash(*words)
    check(f'bash: grayling {line}', set(offered) <= set(got) and not set(missing) & set(got), got)


def test_bash():
    check('bash: all commands, and help', set(bash('')) == set(commands()) | {'help', '--help', '--version'})
    for command in commands():
        check(f'bash: all options of {command}',
              set(bash(command, '--')) == {'--' + o for o in defined_options(command)}, bash(command, '--'))
    expect('ev', ['evolve'], ['export'])
    expect('gauntlet ', ['mine.yaml', 'a run.db'], ['notes.txt'])
    expect('evolve sea', ['search', 'search-quick'], ['quick', 'night'])
    expect('evolve ', ['quick', 'night', 'mine.yaml'], ['a run.db', 'notes.txt', 'paper-eval'])
    expect('evolve quick -o ', ['a run.db'], ['mine.yaml', 'quick'])
    expect('evolve quick --output ', ['a run.db'], ['mine.yaml', 'quick'])
    expect('evolve quick --hours ', [], FILES + ['quick'])
    expect('evolve quick --force ', ['quick', 'mine.yaml'])
    expect('evolve quick --set ga.po', ['ga.population='])
    expect('status ', ['a run.db', 'kept.db.zst'], ['mine.yaml', 'notes.txt'])
    expect('export ', ['paper-eval', 'mine.yaml', 'a run.db'], ['quick', 'train-1', 'mine.epd'])
    expect('score ', ['paper-eval', 'train-1', 'mine.yaml', 'mine.epd'], ['quick', 'notes.txt'])
    expect('solve ', ['tactics-train', 'mine.epd'], ['paper-eval', 'mine.yaml'])
    expect('match ', ['paper-eval', 'mine.yaml', 'a run.db'], ['train-1', 'notes.txt'])
    expect('sample ', ['games.pgn.gz'], ['mine.yaml'])
    expect('help so', ['solve'], ['score'])
    expect('help rec', ['recipes'])
    expect('help k', ['keys'])
    expect('sample games.pgn.gz --exclude ', ['mine.epd', 'notes.txt'], ['--force'])


def read_until(terminal, mark):
    """The output of a terminal up to a mark."""
    output, end = b'', time.time() + 30
    while mark not in output and time.time() < end:
        if select.select([terminal], [], [], 0.2)[0]:
            try:
                output += os.read(terminal, 65536)
            except OSError:
                break
    return output.decode(errors='replace')


# A zsh that completes at Tab, and at Ctrl-X prints its line between marks instead of running it.
ZSH = '''fpath=(%s $fpath); autoload -U compinit; compinit -u -D; bindkey '^I' complete-word
show() { print -r -- "<<$BUFFER>""|"; BUFFER=; zle accept-line }; zle -N show; bindkey '^X' show
setopt noautomenu nolistbeep; print RE""ADY
'''


def zsh(lines):
    """What zsh makes of each line at Tab."""
    child, terminal = pty.fork()
    if child == 0:
        os.environ.update(TERM='dumb', HOME=tap.work, PS1='')
        os.execlp('zsh', 'zsh', '-f', '-i')
    os.write(terminal, (ZSH % scripts).encode())
    read_until(terminal, b'READY')
    completed = []
    for line in lines:
        os.write(terminal, line.encode() + b'\t\x18')
        found = re.search(r'<<(.*)>\|', read_until(terminal, b'>|'))
        completed.append(found.group(1) if found else None)
    os.write(terminal, b'exit\n')
    os.close(terminal)
    os.waitpid(child, 0)
    return completed


def test_zsh():
    wanted = {'grayling ev': 'grayling evolve ',
              'grayling evolve qui': 'grayling evolve quick ',
              'grayling evolve quick --thr': 'grayling evolve quick --threads ',
              'grayling evolve quick --set ga.popu': 'grayling evolve quick --set ga.population=',
              'grayling status a': 'grayling status a\\ run.db ',
              'grayling export paper-e': 'grayling export paper-eval ',
              'grayling solve tactics-tr': 'grayling solve tactics-train ',
              'grayling match paper-s': 'grayling match paper-search ',
              'grayling sample g --min-p': 'grayling sample g --min-plies ',
              'grayling help rec': 'grayling help recipes '}
    if shutil.which('zsh') is None:
        check('zsh # SKIP no zsh', True)
        return
    for line, got in zip(wanted, zsh(wanted)):
        check(f'zsh: {line}', got == wanted[line], got)


for name in FILES:
    write(name, '')
tap.main()
