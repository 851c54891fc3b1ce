#!/bin/sh
# `grayling sample` as a user meets it: exit codes, messages, and what is left on the disk. TAP.
#   sample_command.sh GRAYLING
. "$(dirname "$0")/../helpers/tap.sh"
begin sample "$1"

cat > games.pgn << 'END'
[White "A"]
[Black "B"]
[Date "2018.12.31"]
[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0

[White "C"]
[Black "D"]
[Date "2019.01.??"]
[Result "0-1"]

1. d4 d5 2. c4 e6 3. Nc3 Nf6 0-1

[White "E"]
[Black "F"]
[Result "1-0"]

1. e4 Ke7 1-0
END

check 'draws' 0 'drew 2 positions from 2 games' games.pgn -o a.epd
expect 'a line for each game' lines a.epd 2
expect 'says what it wrote' sh -c '[ "$(tail -n 1 err)" = "positions   a.epd" ]'
check 'names the broken game' 0 'games.pgn:19:7: game 3: "Ke7"' games.pgn
expect 'standard output is the default' cmp -s out a.epd
expect 'of which it says no name' sh -c '! grep -q "^positions " err'
check 'reads standard input' 0 '3 games' - -o in.epd < games.pgn
expect 'the same from standard input' cmp -s in.epd a.epd
check 'does not overwrite' 2 'a.epd exists; choose another name or give --force' games.pgn -o a.epd
check 'overwrites by force' 0 'drew 1 position from 1 game with' games.pgn -o a.epd --to 2018 --force
expect 'overwritten' grep -q 'id "A-B 2018-12-31"' a.epd
mkdir -p share/data
cp a.epd share/data/known.epd
export GRAYLING_DATA="$directory/share"
check 'leaves games of a file out by its name' 0 '1 excluded' games.pgn --exclude known -o named.epd
check 'a name that nothing has' 2 "no file of positions is named 'unknown'" games.pgn \
    --exclude unknown -o no.epd
unset GRAYLING_DATA
check 'leaves games out' 0 '1 excluded' games.pgn --exclude a.epd -o b.epd
expect 'the other game' grep -q 'id "C-D 2019-01"' b.epd
check 'takes a year as a whole' 0 'drew 1 position from' games.pgn --from 2019-01 -o c.epd --force
check 'draws parts' 0 'drew 2 positions' games.pgn --parts 2 --count 1 -o 'part-%d.epd'
expect 'says their names' sh -c '[ "$(tail -n 2 err)" = "positions   part-1.epd
positions   part-2.epd" ]'
expect 'parts apart' sh -c '! cmp -s part-1.epd part-2.epd'
check 'no part over a file' 2 'part-1.epd exists' games.pgn --parts 2 --count 1 -o 'part-%d.epd'
check 'keeps results' 0 'drew 2 positions' games.pgn --results -o r.epd
expect 'as c9' grep -q 'c9 "1-0";' r.epd
expect 'of each game' grep -q 'c9 "0-1";' r.epd
check 'quiet positions' 0 'drew 2 positions' games.pgn --results --quiet -o q.epd
rm ./*.epd
check 'too few' 2 'too few positions: 2 of 3' games.pgn --count 3 -o a.epd
check 'no usable game' 2 'no position is left to draw, and nothing is written' games.pgn --to 1999 -o a.epd
expect 'says why' grep -q '^read 3 games: 1 broken, 2 filtered out' err
check 'none, where some are wanted' 2 'too few positions: 0 of 9' games.pgn --to 1999 --count 9 -o a.epd
expect 'says why too' grep -q '^read 3 games: 1 broken, 2 filtered out' err
: > empty.pgn
check 'no game at all' 2 'no position is left to draw' empty.pgn -o a.epd
expect 'none read' grep -q '^read 0 games' err
rm empty.pgn
echo kept > kept.epd
check 'no usable game, by force' 2 'no position is left' games.pgn --to 1999 -o kept.epd --force
expect 'what was there stays' grep -qx kept kept.epd
rm kept.epd
check 'a file that is missing' 2 'none.pgn: No such file' none.pgn -o a.epd
check 'a folder that is missing' 2 'cannot write none/a.epd' games.pgn -o none/a.epd
check 'an exclude that is no EPD' 2 'games.pgn: games (PGN), not positions' games.pgn --exclude games.pgn -o a.epd
[ -c /dev/full ] && check 'a full disk' 1 'No space left' games.pgn -o /dev/full
expect 'nothing half-written' nothing_beside games.pgn
check 'no games' 2 "no games are given; see 'grayling sample --help'"
check 'an unknown option' 2 'no option --frob' --frob games.pgn
check 'an option without its value' 2 '--count needs a value' games.pgn --count
check 'a count that is none' 2 "--count takes a whole number from 1 to 2147483647, not '0'" \
    games.pgn --count 0
check 'a date that is none' 2 "--from takes YYYY, YYYY-MM or YYYY-MM-DD, not '2019-13'" \
    games.pgn --from 2019-13
check 'dates the wrong way round' 2 '--to is before --from' games.pgn --from 2019 --to 2018
check 'plies the wrong way round' 2 '--last-ply is before' games.pgn --first-ply 9 --last-ply 8
check 'parts without a number' 2 'an output file with %d' games.pgn --parts 2 --count 1 -o x.epd
check 'parts without a count' 2 '--parts needs --count' games.pgn --parts 2 -o 'x%d.epd'
check 'help' 0 '' --help
expect 'help has an example' grep -q 'grayling sample games.pgn.gz' out
echo "1..$number"
