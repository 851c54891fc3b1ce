#!/bin/sh
# `grayling sample` as a user meets it: exit codes, messages, and what is left on the disk. TAP.
#   sample_command.sh GRAYLING
. "$(dirname "$0")/tap.sh"
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
check 'names the broken game' 0 'games.pgn:19:7: game 3: "Ke7"' games.pgn
expect 'standard output is the default' cmp -s out a.epd
check 'reads standard input' 0 '3 games' - -o in.epd < games.pgn
expect 'the same from standard input' cmp -s in.epd a.epd
check 'does not overwrite' 2 'a.epd exists; choose another name or give --force' games.pgn -o a.epd
check 'overwrites by force' 0 'drew 1 positions' games.pgn -o a.epd --to 2018 --force
expect 'overwritten' grep -q 'id "A-B 2018-12-31"' a.epd
check 'leaves games out' 0 '1 excluded' games.pgn --exclude a.epd -o b.epd
expect 'the other game' grep -q 'id "C-D 2019-01"' b.epd
check 'takes a year as a whole' 0 'drew 1 positions' games.pgn --from 2019-01 -o c.epd --force
check 'draws parts' 0 'drew 2 positions' games.pgn --parts 2 --count 1 -o 'part-%d.epd'
expect 'parts apart' sh -c '! cmp -s part-1.epd part-2.epd'
check 'no part over a file' 2 'part-1.epd exists' games.pgn --parts 2 --count 1 -o 'part-%d.epd'
check 'keeps results' 0 'drew 2 positions' games.pgn --results -o r.epd
expect 'as c9' grep -q 'c9 "1-0";' r.epd
expect 'of each game' grep -q 'c9 "0-1";' r.epd
check 'quiet positions' 0 'drew 2 positions' games.pgn --results --quiet -o q.epd
rm ./*.epd
check 'too few' 2 'too few positions: 2 of 3' games.pgn --count 3 -o a.epd
check 'a file that is missing' 2 'none.pgn: No such file' none.pgn -o a.epd
check 'a folder that is missing' 1 'cannot write none/a.epd' games.pgn -o none/a.epd
check 'an exclude that is no EPD' 2 'games.pgn:1: ' games.pgn --exclude games.pgn -o a.epd
[ -c /dev/full ] && check 'a full disk' 1 'No space left' games.pgn -o /dev/full
expect 'nothing half-written' nothing_beside games.pgn
check 'no games' 2 "no games are given; see 'grayling sample --help'"
check 'an unknown option' 2 "no option '--frob'" --frob games.pgn
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
