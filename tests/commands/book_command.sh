#!/bin/sh
# `grayling book` as a user meets it: exit codes, messages, and what is left on the disk. TAP.
#   book_command.sh GRAYLING SOURCE
. "$(dirname "$0")/../helpers/tap.sh"
begin book "$1"

# Two even games, one in which a rook is lost, one of another order of moves, a broken one.
cat > games.pgn << 'END'
[White "A"]
[Black "B"]
[WhiteElo "2700"]
[BlackElo "2650"]

1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Nf6 5. d3 *

[White "C"]
[Black "D"]

1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Nf3 Be7 5. Bf4 O-O *

[White "E"]
[Black "F"]

1. b3 h5 2. Bb2 Rh6 3. e3 Rb6 4. h3 g6 5. Bxh8 *

[White "G"]
[Black "H"]

1. c4 e6 2. d4 d5 3. Nc3 Nf6 4. Nf3 Be7 5. e3 O-O *

[White "I"]
[Black "J"]

1. e4 Ke7 1-0
END

small="--plies 8 --nodes 3000 --bound 200 --eval $2/params/moves-eval.yaml --params $2/params/paper-search.yaml"

# shellcheck disable=SC2086 # $small is several words
{
    check 'makes a book' 0 'made 2 of 1,000 openings with seed 1' games.pgn -o a.epd $small
    expect 'says what it wrote' sh -c '[ "$(tail -n 1 err)" = "openings    a.epd" ]'
    expect 'a line for each' lines a.epd 2
    expect 'with the game' grep -q '^r1bqk2r/.* w kq - id "A-B"; c0 "game [0-9a-f]*"; hmvc 6;$' a.epd
    check 'says what was left out' 0 '3 different positions after 8 plies, 0 games too short or from a set-up position; searched 3, 1 of them one-sided' games.pgn $small
    check 'nodes that are too few' 2 '3 positions left out: --nodes 1 is too few to value a move' games.pgn -o none.epd $small --nodes 1
    check_again 'game 5: "Ke7"' 'read 5 games: 1 broken' 'made 1 of 1' $small
    check 'by rated players' 0 '3 filtered out' games.pgn --min-elo 2600 -o two.epd $small
    expect 'only theirs' sh -c 'grep A-B a.epd | cmp -s - two.epd'
    check 'does not overwrite' 2 'a.epd exists; choose another name or give --force' games.pgn -o a.epd $small
    check 'overwrites by force' 0 'made 2' games.pgn -o a.epd --force $small
    rm ./*.epd
    check 'nothing balanced' 2 'no opening was found, and nothing is written' games.pgn -o a.epd --plies 10 --min-elo 2600
    expect 'says why' grep -q '^read 5 games: 1 broken, 3 filtered out, 0 duplicates$' err
    expect 'one is not many' grep -q '^0 different positions after 10 plies, 1 game too short' err
    check 'a file that is missing' 2 'none.pgn: No such file' none.pgn -o a.epd
    check 'a folder that is missing' 2 'cannot write none/a.epd' games.pgn -o none/a.epd $small
    [ -c /dev/full ] && check 'a full disk' 1 'No space left' games.pgn -o /dev/full $small
}
expect 'nothing half-written' nothing_beside games.pgn
check 'no games' 2 "no games are given; see 'grayling book --help'"
check 'an unknown option' 2 'no option --frob' --frob games.pgn
check 'an option without its value' 2 '--count needs a value' games.pgn --count
check 'too few plies' 2 "--plies takes a whole number from 8 to 64, not '7'" games.pgn --plies 7
check 'help' 0 '' --help
expect 'help has an example' grep -q 'grayling book games.pgn.gz' out
echo "1..$number"
