#!/bin/sh
# `grayling mine` as a user meets it: exit codes, messages, and what is left on the disk. TAP.
#   mine_command.sh GRAYLING SOURCE
. "$(dirname "$0")/../helpers/tap.sh"
begin mine "$1"

# Two games with a mate in two, a quiet one and a broken one.
cat > games.pgn << 'END'
[White "A"]
[Black "B"]
[FEN "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1"]
[SetUp "1"]

1. Qg6 fxg6 2. Nxg6# 1-0

[White "C"]
[Black "D"]
[FEN "r4rk1/ppb4p/2p3q1/2Pp4/3Pn3/1NNQBn1P/PP3PP1/2RR3K b - - 0 1"]
[SetUp "1"]

1... Qg3 2. fxg3 Nxg3# 0-1

[White "E"]
[Black "F"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1/2-1/2

[White "G"]
[Black "H"]

1. e4 Ke7 1-0
END

small='--first-ply 0 --glance 300 --shallow 300 --look 6000 --deep 100000 --margin 200 --bound 1000'

# shellcheck disable=SC2086 # $small is several words
{
    check 'finds both' 0 'found 2 of 500 positions' games.pgn -o a.epd $small
    expect 'says what it wrote' sh -c '[ "$(tail -n 1 err)" = "positions   a.epd" ]'
    expect 'a line for each' lines a.epd 2
    expect 'White'\''s move' grep -q 'bm Qg6; id "A-B"; c0 "game ' a.epd
    expect 'Black'\''s move' grep -q 'bm Qg3; id "C-D"; c0 "game ' a.epd
    check_again 'game 4: "Ke7"' 'read 4 games: 1 broken' 'found 1 of 1' $small
    check 'does not overwrite' 2 'a.epd exists; choose another name' games.pgn -o a.epd $small
    check 'nor the other half' 2 'a.epd exists' games.pgn -o b.epd --split a.epd $small
    check 'parts' 0 'found 2' games.pgn -o b.epd --split c.epd $small
    expect 'one half and the other' sh -c 'cat b.epd c.epd | cmp -s - a.epd'
    check 'is solved' 0 '' games.pgn -o a.epd --force $small
    expect 'by solve' sh -c "'$grayling' solve a.epd --nodes 100000 --params '$2/params/paper-search.yaml' 2> /dev/null |
        grep -q 'paper-search.yaml  *2  *100'"
    rm ./*.epd
    check 'nothing to find' 2 'nothing was found, and nothing is written' games.pgn -o a.epd $small --margin 1000000 --per-game 1 --bound 1
    expect 'says what was read' grep -q '^read 4 games: 1 broken, 0 filtered out, 0 duplicates$' err
    check 'nothing for the other half' 2 'one position was found, which --split cannot share' \
        games.pgn -o a.epd --split b.epd --count 1 $small
    check 'a file that is missing' 2 'none.pgn: No such file' none.pgn -o a.epd
    check 'a folder that is missing' 2 'cannot write none/a.epd' games.pgn -o none/a.epd $small
    check 'an evaluation that is none' 2 'games.pgn' games.pgn -o a.epd --eval games.pgn
    [ -c /dev/full ] && check 'a full disk' 1 'No space left' games.pgn -o /dev/full $small
}
expect 'nothing half-written' nothing_beside games.pgn
check 'no games' 2 "no games are given; see 'grayling mine --help'"
check 'an unknown option' 2 'no option --frob' --frob games.pgn
check 'an option without its value' 2 '--count needs a value' games.pgn --count
check 'a margin that is none' 2 "--margin takes a whole number from 1 to 1000000, not '0'" \
    games.pgn --margin 0
check 'a look that is too short' 2 '--shallow must be less than --look' games.pgn --look 3000
check 'a look that is too long' 2 '--look must not be more than --deep' games.pgn --deep 9999
check 'one file for both halves' 2 'must be two files' games.pgn -o x.epd --split x.epd
check 'one file by two names' 2 'must be two files' games.pgn -o x.epd --split ./x.epd
check 'help' 0 '' --help
expect 'help has an example' grep -q 'grayling mine games.pgn.gz' out
echo "1..$number"
