# Completion of grayling for bash. The program itself says which commands, options and names there
# are: its help is read each time.

# The commands, one a line: several may share a line of the help.
_grayling_commands() {
    "$1" --help | sed -n 's/^  \([a-z][a-z, ]*\)  .*/\1/p' | tr -d ,
    echo help
}

# The options of a line of the help, as "-o, --output FILE, --force": what comes before two blanks.
_grayling_heads() {
    "$1" "$2" --help | sed -n 's/^  *\(-.*\)/\1/p' | sed 's/  .*//'
}

# The options of a command, one a line.
_grayling_options() {
    _grayling_heads "$1" "$2" | grep -o -e '--[a-z][a-z-]*'
}

# The word for an option's value, such as FILE; nothing if the option has none.
_grayling_value() {
    _grayling_heads "$1" "$2" | sed -n "s/^\(.*, \)\{0,1\}$3\(, --[a-z-]*\)\{0,1\} \([^- ][^ ]*\).*/\3/p" |
        sed 's/,$//'
}

# The words of the usage that are no options: what a command takes.
_grayling_arguments() {
    "$1" "$2" --help | sed -n '/^usage: /,/^$/{s/\[-[^]]*\]//g; p;}' | tr '\n' ' '
}

# The names of files that come with the program.
_grayling_names() {
    "$1" help "$2" | sed 's/ .*//'
}

# Files with one of these endings that begin as the current word.
_grayling_files() {
    local cur=$1 ending
    shift
    for ending; do
        compgen -f -X "!*$ending" -- "$cur"
    done
    compgen -d -- "$cur"
}

# What may stand for a word of the help, such as RUN.db|PARAMS.yaml.
_grayling_candidates() {
    local program=$1 command=$2 word=$3 cur=$4
    case $word in *' A B '* | *PLAYER*) word='PARAMS.yaml RUN.db' ;; esac
    case $word in *RECIPE*) compgen -W "$(_grayling_names "$program" recipes)" -- "$cur" ;; esac
    case $word in *PARAMS*) compgen -W "$(_grayling_names "$program" parameters)" -- "$cur" ;; esac
    case $word in *SUITE*|*POSITIONS*)
        compgen -W "$(_grayling_names "$program" positions)" -- "$cur" ;;
    esac
    case $word in *.db*) _grayling_files "$cur" .db .db.zst ;; esac
    case $word in *.yaml*) _grayling_files "$cur" .yaml .yml ;; esac
    case $word in *.epd*) _grayling_files "$cur" .epd .epd.gz ;; esac
    case $word in *GAMES*) _grayling_files "$cur" .pgn .gz .bz2 .zst .zip ;; esac
    case $word in FILE* | DIR | COMMAND) compgen -f -- "$cur" ;; esac
    case $word in KEY=VALUE)
        compgen -W "$("$program" help keys | sed -n 's/^  \([a-z_.]*\): .*/\1=/p')" -- "$cur" ;;
    esac
}

# Lists the candidates for the current word, one a line.
_grayling_list() {
    local program=$1 command=$2 previous=$3 cur=$4 place=$5 word=
    if [ "$place" = 1 ]; then
        compgen -W "$(_grayling_commands "$program") --help --version" -- "$cur"
    elif [ "$command" = help ]; then
        compgen -W "$(_grayling_commands "$program") keys night recipes parameters positions" -- "$cur"
    elif [[ $cur == -* ]]; then
        compgen -W "$(_grayling_options "$program" "$command") --help" -- "$cur"
    else
        [[ $previous != -* ]] || word=$(_grayling_value "$program" "$command" "$previous")
        [ -n "$word" ] || word=$(_grayling_arguments "$program" "$command")
        _grayling_candidates "$program" "$command" "$word" "$cur"
    fi
}

_grayling() {
    local cur=${COMP_WORDS[COMP_CWORD]} candidate
    COMPREPLY=()
    while IFS= read -r candidate; do
        COMPREPLY+=("$candidate")
    done < <(_grayling_list "$1" "${COMP_WORDS[1]}" "${COMP_WORDS[COMP_CWORD - 1]}" "$cur" \
        "$COMP_CWORD" 2>/dev/null | sort -u)
    compopt -o filenames 2>/dev/null
    [[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace 2>/dev/null
}

complete -F _grayling grayling
