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

lines() {
    [ "$(wc -l < "$1")" = "$2" ]
}

nothing_beside() {
    [ "$(echo *.*)" = "$1" ]
}
