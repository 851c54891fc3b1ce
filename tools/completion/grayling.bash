# Completion of grayling for bash: `grayling complete` lists what the last word can be, and files as *.db.
_grayling() {
    local line cur=${COMP_WORDS[COMP_CWORD]}
    COMPREPLY=()
    compopt -o filenames 2>/dev/null
    while IFS= read -r line; do
        COMPREPLY+=("$line")
    done < <("$1" complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | while IFS=$'\t' read -r line _; do
        case $line in
            \*) compgen -f -- "$cur" ;;
            \**) compgen -f -X "!$line" -- "$cur"; compgen -d -- "$cur" ;;
            *) compgen -W "$line" -- "$cur" ;;
        esac
    done | sort -u)
    [[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace 2>/dev/null
}

complete -F _grayling grayling
