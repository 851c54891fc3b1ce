# What the tests of single commands share, for sourcing: a scratch folder, and checks in TAP.
#   . tap.sh; begin COMMAND GRAYLING
begin() {
    command=$1
    grayling=$(realpath "$2")
    number=0
    directory=$(mktemp -d "${TMPDIR:-/tmp}/grayling-XXXXXX") || exit 1
    trap 'rm -rf "$directory"' EXIT
    cd "$directory" || exit 1
}

# check NAME CODE WORDS ARGUMENTS...: the exit code, and words on standard error
check() {
    name=$1 code=$2 words=$3
    shift 3
    number=$((number + 1))
    result='not ok'
    "$grayling" "$command" "$@" > out 2> err
    [ $? = "$code" ] && { [ -z "$words" ] || grep -qF -e "$words" err; } && result=ok
    [ "$result" = ok ] || sed 's/^/# /' err
    echo "$result $number - $name"
}

# expect NAME COMMAND...: whether the command succeeds
expect() {
    name=$1
    shift
    number=$((number + 1))
    if "$@"; then echo "ok $number - $name"; else echo "not ok $number - $name"; fi
}

# check_again BROKEN READ ONE ARGUMENTS...: games.pgn gives a.epd again by whatever way, and its first
# line where one is wanted; with what is said of the broken game, of all games, and of the one line
check_again() {
    broken=$1 read=$2 one=$3
    shift 3
    check 'names the broken game' 0 "$broken" games.pgn "$@"
    expect 'standard output is the default' cmp -s out a.epd
    check 'reads standard input' 0 "$read" - -o in.epd "$@" < games.pgn
    expect 'the same from standard input' cmp -s in.epd a.epd
    check 'one thread' 0 '' games.pgn --threads 1 "$@"
    expect 'the same by one thread' cmp -s out a.epd
    check 'as many as are wanted' 0 "$one" games.pgn --count 1 -o one.epd "$@"
    expect 'the first of them' sh -c 'head -1 a.epd | cmp -s - one.epd'
}

lines() {
    [ "$(wc -l < "$1")" = "$2" ]
}

nothing_beside() {
    [ "$(echo *.*)" = "$1" ]
}
