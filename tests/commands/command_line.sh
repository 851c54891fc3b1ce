#!/bin/sh
# The command line as its users meet it: exit codes, one line for what is wrong, nothing
# overwritten. TAP.
#   command_line.sh GRAYLING SOURCE
grayling=$(realpath "$1")
source=$2
number=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1

# Runs a command, then compares its exit code; what it wrote is in ./out and ./err.
run() {
    wanted=$1
    shift
    "$@" >out 2>err </dev/null
    code=$?
    [ $code = "$wanted" ] || {
        echo "# exit code $code, not $wanted: $*"
        sed 's/^/# /' err
        return 1
    }
}

# Says whether the check that just ran held.
report() {
    result=$?
    number=$((number + 1))
    if [ $result = 0 ]; then
        echo "ok $number - $1"
    else
        echo "not ok $number - $1"
    fi
}

# Bad input: exit code 2 and exactly this one line on standard error.
refuses() {
    wanted_line=$1
    shift
    run 2 "$grayling" "$@" && [ "$(cat err)" = "$wanted_line" ] && [ ! -s out ] || {
        echo "# wanted: $wanted_line"
        echo "# got:    $(cat err)"
        false
    }
    report "refuses: $*"
}

# Bad input of which only the beginning of the line is fixed.
refuses_like() {
    pattern=$1
    shift
    run 2 "$grayling" "$@" && [ "$(wc -l <err)" = 1 ] && grep -q "$pattern" err || {
        echo "# wanted: $pattern"
        sed 's/^/# got: /' err
        false
    }
    report "refuses: $*"
}

# ---- every command ----

run 0 "$grayling" --help && grep -q '^usage: grayling COMMAND' out
report 'grayling --help'
run 0 "$grayling" --version && grep -qx 'grayling [0-9.]*' out
report 'grayling --version'
run 2 "$grayling" && grep -q '^usage:' err
report 'grayling without a command shows its help and fails'
refuses "grayling: no command 'evovle'; did you mean evolve? 'grayling help' lists them" evovle
refuses "grayling: no command 'nonsense'; 'grayling help' lists them" nonsense

run 0 "$grayling" help && cp out help && run 0 "$grayling" --help && cmp -s out help
report 'grayling help is grayling --help'
refuses "grayling: no command 'evovle'; did you mean evolve? 'grayling help' lists them" help evovle

# Fits on a screen of a terminal.
on_a_screen() {
    awk 'length > 80 { print "# " $0; long = 1 } END { print "# " NR " lines"; exit long || NR > 24 }' help
}

on_a_screen && [ "$(grep -c '^[A-Z][a-z ]*:$' help)" = 4 ]
report 'grayling help has four groups on one screen'
run 0 "$grayling" help keys && [ "$(grep -c '^  ga.population: ' out)" = 1 ] && ! [ -s err ]
report 'help keys explains the keys of a recipe'
run 0 "$grayling" help night && grep -q '^  players  ' out && cp out help && on_a_screen
report 'help night explains those of a night, on one screen'

commands=$("$grayling" --help | sed -n 's/^  \([a-z][a-z, ]*\)  .*/\1/p' | tr -d ,)
for command in $commands; do
    run 0 "$grayling" "$command" --help && grep -q "^usage: grayling $command" out &&
        grep -q "^  grayling $command" out && [ ! -s err ]
    report "$command --help, with an example"
    cp out help
    run 0 "$grayling" help "$command" && cmp -s out help && [ ! -s err ]
    report "help $command is $command --help"
    on_a_screen
    report "$command --help fits on a screen"
    refuses_like "^grayling $command: .*--nonsense.*; see 'grayling $command --help'$" \
        "$command" --nonsense
    refuses "grayling $command: no option -x; see 'grayling $command --help'" "$command" -xy
done
refuses "grayling evolve: no option -x; see 'grayling evolve --help'" evolve --force -xy
refuses "grayling evolve: no option -x; see 'grayling evolve --help'" evolve --page=a=b.html -x
refuses "grayling evolve: no option --ouput=x.db; did you mean --output? See 'grayling evolve --help'" \
    evolve quick --ouput=x.db
refuses "grayling match: no option --gams; did you mean --games? See 'grayling match --help'" \
    match default default --gams 2
refuses "grayling evolve: --force takes no value; see 'grayling evolve --help'" evolve --force=x

# ---- export ----

paper=$source/params/paper-eval.yaml
run 0 "$grayling" export "$paper" --format uci &&
    [ "$(head -n 1 out)" = 'setoption name KNIGHT_VALUE value 521' ] && [ "$(wc -l <out)" = 34 ]
report 'export as UCI: 34 values, and no pawn'
run 0 "$grayling" export --format=c "$paper" && grep -qx 'static const int PAWN_VALUE = 100;' out &&
    [ "$(wc -l <out)" = 35 ]
report 'export as C'
run 0 "$grayling" export "$paper" --format csv -o paper.csv && [ "$(wc -l <paper.csv)" = 36 ]
report 'export as CSV into a file'
[ "$(cat err)" = 'parameters  paper.csv' ]
report 'export says what it wrote'
run 0 "$grayling" export "$paper" --format json && python3 -c '
import json
assert len(json.load(open("out"))["parameters"]) == 35'
report 'export as JSON'
run 0 "$grayling" export "$paper" --format yaml -o again.yaml &&
    run 0 "$grayling" export again.yaml --format yaml && cmp -s out again.yaml
report 'export as YAML, and back'
run 0 sh -c '"$0" export - --format csv <"$1"' "$grayling" "$paper" && cmp -s out paper.csv
report 'export from standard input'

cp paper.csv before.csv
refuses 'grayling: paper.csv exists; choose another name or give --force' \
    export "$paper" --format csv -o paper.csv
cmp -s paper.csv before.csv
report 'what exists stays as it was'
run 0 "$grayling" export "$paper" --format json -o paper.csv --force && grep -q '{' paper.csv
report 'export --force'
refuses "grayling export: --format is missing; see 'grayling export --help'" export "$paper"
refuses "grayling export: --format takes yaml, json, c, c-struct, cpp, csv, uci, openbench, fishtest, weather-factory, ctt, optuna, or evidence, not 'xml'; see 'grayling export --help'" \
    export "$paper" --format xml
refuses "grayling export: expected one run or parameter file, not 0; see 'grayling export --help'" \
    export --format c
refuses "grayling export: --format needs a value; see 'grayling export --help'" export --format
refuses 'grayling: none.yaml: cannot open: No such file or directory' \
    export none.yaml --format c
if [ -e /dev/full ]; then
    run 1 sh -c '"$0" export "$1" --format c >/dev/full' "$grayling" "$paper" &&
        [ "$(cat err)" = 'grayling: cannot write standard output: No space left on device' ]
    report 'export onto a full disk fails'
fi
sed 's/521/5210/' "$paper" >wrong.yaml
refuses_like '^grayling: wrong.yaml:8:3: parameters.KNIGHT_VALUE: .5210. is wrong; expected a whole number from 0 to 2047$' \
    export wrong.yaml --format c

# ---- standard output that cannot be written ----

# Exit code 1 and this line on standard error, last.
loses_output() {
    reason=$1 redirected=$2
    shift 2
    run 1 sh -c '"$0" "$@" '"$redirected" "$grayling" "$@" &&
        [ "$(tail -n 1 err)" = "grayling: cannot write standard output: $reason" ]
    report "$* $redirected"
}

# What a command prints does not get into a file of its own.
loses_outputs() {
    [ ! -e /dev/full ] || loses_output 'No space left on device' '>/dev/full' "$@"
    loses_output 'Bad file descriptor' '>&-' "$@"
}

for command in $commands; do
    run 1 sh -c '"$0" "$1" --help >&-' "$grayling" "$command" &&
        grep -q '^grayling: cannot write standard output: ' err
    report "$command --help >&-"
done
loses_outputs --help
loses_outputs --version
loses_outputs perft 3
loses_outputs perft 3 --divide
loses_outputs export "$paper" --format c
loses_outputs reproduce
if [ -e /dev/full ]; then
    run 2 sh -c '"$0" perft x >/dev/full' "$grayling"
    report 'bad usage keeps its exit code'
fi
run 0 sh -c '{ sleep 0.2; "$0" --help; echo $? >code; } | true' "$grayling" &&
    [ "$(cat code)" = 141 ] && [ ! -s err ]
report 'a reader that goes away ends it by SIGPIPE, without a word'

# ---- score ----

cat >two.epd <<'EPD'
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4; id "open";
4k3/8/8/3q4/4P3/8/8/4K3 w - - bm exd5; id "take the queen";
EPD
run 0 "$grayling" score "$paper" again.yaml two.epd --threads 2 &&
    [ "$(head -n 1 out)" = '2 positions, leaf quiescence' ] && [ "$(wc -l <out)" = 4 ] &&
    grep -q "^again.yaml  *[12]  *[0-9.]* %  *[0-9.]* to [0-9.]* %" out
report 'score of two files side by side'
run 0 sh -c '"$0" score "$1" - --leaf static <two.epd' "$grayling" "$paper" &&
    [ "$(head -n 1 out)" = '2 positions, leaf static' ]
report 'score of positions on standard input'
echo '4k3/8/8/8/8/8/8/4K3 w - - id "bare";' >bare.epd
refuses 'grayling: bare.epd:1: no best move in bare; expected bm MOVE;' \
    score "$paper" bare.epd
printf '4k3/8/8/8/8/8/8/4K3 w - - bm Ke3;\n' >illegal.epd
refuses_like '^grayling: illegal.epd:1:.*Ke3' score "$paper" illegal.epd
refuses 'grayling: no positions among the files' score "$paper"
refuses 'grayling: no parameter file or run among the files' score two.epd
refuses "grayling: no player is named 'defualt'; did you mean default?" match defualt default
refuses 'grayling: none.epd: cannot open: No such file or directory' score "$paper" none.epd
refuses "grayling score: --leaf takes quiescence or static, not 'deep'; see 'grayling score --help'" \
    score "$paper" two.epd --leaf deep
refuses "grayling score: --threads takes a whole number from 1 to 1024, not '0'; see 'grayling score --help'" \
    score "$paper" two.epd --threads 0
refuses "grayling score: no files are given; see 'grayling score --help'" score

# ---- a run as a source of parameters ----

head -n 50 "$source/data/train-1.epd" >train.epd
cat >small.yaml <<'YAML'
name: small
data: {train: [train.epd], held_out: [two.epd]}
ga: {population: 4, generations: 2}
YAML
run 0 "$grayling" evolve small.yaml -o run.db --threads 2 && [ -s run.yaml ] && [ -s run.db ]
report 'evolve a small recipe'
run 0 "$grayling" export run.db --format yaml && cp out exported.yaml && cmp -s out run.yaml &&
    grep -q '^# Evolved by grayling .* from the recipe small, seed 1' exported.yaml &&
    grep -q '^#   train  *[0-9]* of 50 ' exported.yaml
report 'export from a run'
run 0 "$grayling" score run.db exported.yaml train.epd &&
    [ "$(sed -n '3s/run.db *//p' out)" = "$(sed -n '4s/exported.yaml *//p' out)" ] &&
    grep -q "^#   train  *$(sed -n '4s/exported.yaml *\([0-9]*\) .*/\1/p' out) of 50 " exported.yaml
report 'a run scores what it says, and so do its exported values'
run 0 "$grayling" plot run.db -o again.svg && [ "$(cat err)" = 'plot        again.svg' ]
report 'plot says what it wrote'
run 0 "$grayling" report run.db && [ "$(cat err)" = 'report      run.html' ]
report 'report says what it wrote'
run 0 "$grayling" report run.db -o - && [ ! -s err ]
report 'and nothing of standard output'
run 0 "$grayling" export run.db --format evidence -o run-evidence.yaml &&
    [ "$(cat err)" = 'evidence    run-evidence.yaml' ]
report 'so does the evidence'
run 0 "$grayling" verify --expect run-evidence.yaml -o again.db &&
    [ "$(tail -n 1 err)" = 'run         again.db' ]
report 'and a run that is kept'
run 0 "$grayling" solve two.epd --nodes 100 --format csv -o solved.csv &&
    [ "$(tail -n 1 err)" = 'searches    solved.csv' ]
report 'and a solve'
run 0 "$grayling" match "$paper" again.yaml --games 2 --nodes 20 -o games.pgn &&
    [ "$(tail -n 1 err)" = 'games       games.pgn' ]
report 'and a match'

# ---- counts and their nouns ----

run 0 "$grayling" evolve small.yaml -o alone.db --set ga.generations=0 --threads 1 &&
    grep -qx 'search   4 organisms x 0 generations x 50 positions, 2 held out' out &&
    grep -q '^complete after generation 0, .*, 4 genomes measured$' out && grep -q '1 thread$' out &&
    grep -q '^generation 0:  best' err
report 'a run of generation 0 alone'
run 0 "$grayling" status alone.db && grep -qx 'generation   0' out
report 'its status'
run 0 "$grayling" verify alone.db && grep -q '^  1 generation: all 4 organisms' out &&
    grep -q '^generation 0:  as stored' err
report 'its replay'
run 0 "$grayling" evolve small.yaml -o one.db --set ga.generations=1 &&
    grep -qx 'search   4 organisms x 1 generation x 50 positions, 2 held out' out
report 'a run of one generation more'
head -n 1 two.epd >one.epd
run 0 "$grayling" score "$paper" one.epd && grep -qx '1 position, leaf quiescence' out
report 'the score of one position'
loses_outputs status run.db
loses_outputs score run.db train.epd
loses_outputs verify run.db
head -c 3000 run.db >damaged.db
refuses_like '^grayling: damaged.db is damaged' export damaged.db --format c
refuses 'grayling: none.yaml: cannot open: No such file or directory' evolve none.yaml -o x.db
refuses "grayling: --set ga.populaton: unknown key; did you mean ga.population?" \
    evolve small.yaml -o x.db --set ga.populaton=5
sed 's/train.epd/absent.epd/' small.yaml >absent.yaml
refuses_like "^grayling: absent.yaml:2:16: data.train: cannot open 'absent.epd': No such file" \
    evolve absent.yaml -o x.db
[ ! -e x.db ]
report 'what is refused leaves no file'

# ---- files of another kind ----

mkdir folder
: >empty.db
gzip -c games.pgn >games.pgn.gz
refuses "grayling: run.db: a run, not a recipe; continue it with: $grayling resume run.db" evolve run.db
refuses_like "^grayling: no recipe is named 'folder', and it is a folder; there are " evolve folder
refuses 'grayling: games.pgn: games (PGN), not a recipe or parameter file (YAML)' evolve games.pgn
refuses 'grayling: empty.db is not a Grayling run: it is empty' resume empty.db
refuses 'grayling: folder is not a Grayling run: it is a folder' status folder
refuses 'grayling: two.epd: positions (EPD), not a run (SQLite)' status two.epd
refuses 'grayling: games.pgn.gz: games (PGN), not positions (EPD)' score games.pgn.gz "$paper"
refuses_like '^grayling: games.pgn: games (PGN), not a run' score games.pgn "$paper"
refuses 'grayling: run.db: a run (SQLite), not positions (EPD)' solve run.db
refuses 'grayling: run.html: a web page, not games (PGN)' sample run.html
refuses "grayling: $grayling: a program, not positions (EPD)" perft --suite "$grayling"
refuses 'grayling: small.yaml: a recipe or parameter file (YAML), not games (PGN)' ratings small.yaml

# ---- runs that were copied ----

mkdir -p other/place tree/data
cp run.db other/place
run 0 "$grayling" verify other/place/run.db
report 'a copied run finds its data where it was'
cp "$source/data/train-1.epd" tree/data
printf 'name: ours\ndata: {train: [data/train-1.epd], first: 20}\nga: {population: 4, generations: 1}\n' >tree/ours.yaml
run 0 "$grayling" evolve tree/ours.yaml -o tree/a.db && cp tree/a.db other/place && rm tree/data/train-1.epd &&
    run 0 "$grayling" verify other/place/a.db && run 0 "$grayling" resume other/place/a.db --generations 2
report 'and what comes with the program by its checksum'
head -n 30 "$source/data/train-1.epd" >tree/data/train-1.epd
run 0 "$grayling" evolve tree/ours.yaml -o tree/b.db && cp tree/b.db other/place && rm -r tree/data
refuses "grayling: other/place/b.db: cannot reload the run's data (train): there is no $PWD/other/place/data/train-1.epd, no data/train-1.epd as seen from $PWD/tree, and none of this name and checksum comes with the program" \
    verify other/place/b.db

# ---- ratings ----

printf '[White "A"]\n[Black "B"]\n[Result "1-0"]\n\n1. e4 1-0\n\n[White " A"]\n[Black "B "]\n[Result "0-1"]\n\n1. e4 0-1\n' >blanks.pgn
run 0 "$grayling" ratings blanks.pgn && grep -q '^2 games of 2 players;' out
report 'blanks around a name are none of it'
refuses "grayling: --anchor: no player ' A'; did you mean 'A'?" ratings blanks.pgn --anchor ' A'
refuses "grayling match: --sprt takes two differences in Elo from -1000 to 1000, the smaller first, as in 0,5, not '-1500,-500'; see 'grayling match --help'" \
    match "$paper" again.yaml --sprt -1500,-500

# ---- perft ----

run 0 "$grayling" perft 4 && grep -q '^197281 leaves in ' out
report 'perft of the initial position'
run 0 "$grayling" perft 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -' 3 &&
    grep -q '^97862 leaves in ' out
report 'perft of a FEN'
run 0 "$grayling" perft 2 --divide && [ "$(wc -l <out)" = 21 ] && grep -qx 'e2e4 20' out
report 'perft --divide'
start='rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'
printf '# known\n\n%s ;D1 20 ;D2 400 ;D3 8902\r\n' "$start" >right.epd
run 0 "$grayling" perft --suite right.epd &&
    grep -q '^1 position, 3 counts, 0 differences; 9322 leaves' out
report 'perft --suite'
run 0 "$grayling" perft --suite right.epd --depth 2 && grep -q ' 2 counts, 0 differences' out
report 'perft --suite --depth'
run 2 "$grayling" perft 3 --depth 1 && grep -q -- '--depth is for a suite' err
report 'perft of a position takes no --depth'
printf '%s ;D1 20;D2 401\n' "$start" >different.epd
run 1 "$grayling" perft --suite different.epd &&
    grep -qx 'different.epd:1: depth 2: 400 leaves, not 401' out
report 'perft names a difference'
for counts in ';D1' ';D1 x' ';E1 20' ';D1 20 ;D99 5' 'bm e4;' ';D1 -5'; do
    printf '%s %s\n' "$start" "$counts" >wrong.epd
    refuses 'grayling: wrong.epd:1: the counts are wrong; expected ;D1 20 ;D2 400 ...' \
        perft --suite wrong.epd
done
: >none.epd
refuses "grayling: none.epd: no count up to depth 20; expected lines 'FEN ;D1 20 ;D2 400 ...'" \
    perft --suite none.epd
printf '%s ;D3 8902\n' "$start" >deep.epd
refuses "grayling: deep.epd: no count up to depth 2; expected lines 'FEN ;D1 20 ;D2 400 ...'" \
    perft --suite deep.epd --depth 2
refuses_like '^grayling: the position: FEN column ' perft '8/8/8 w - -' 3
refuses "grayling perft: expected [FEN] DEPTH; a FEN goes in quotes; see 'grayling perft --help'" perft
refuses "grayling perft: DEPTH takes a whole number from 1 to 20, not '0'; see 'grayling perft --help'" \
    perft 0
refuses "grayling perft: --suite takes no position, but '5' is given; see 'grayling perft --help'" \
    perft --suite right.epd 5

# ---- the documents ----

for command in $commands; do
    grep -q "^.B\(I \"\| \)$command" "$source/docs/grayling.1"
    report "the manual page names $command"
done
known=$(for command in $commands; do "$grayling" complete "$command" -- | cut -f1; done)
for option in $(sed 's/\\-/-/g' "$source/docs/grayling.1" | grep -o -e '--[a-z][a-z-]*' | sort -u); do
    [ "$option" = --version ] || echo "$known" | grep -q -x -e "$option" || echo "$option"
done > out
[ ! -s out ]
report "the manual page names no option that there is not"

echo "1..$number"
