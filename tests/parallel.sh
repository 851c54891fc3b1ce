#!/bin/sh
# Whether work runs in parallel in one place: OpenMP occurs in the list of jobs alone, but for the SIMD
# hints of the replay's kernels. TAP.
#   parallel.sh SOURCE
cd "$1" || exit 1

# report NUMBER NAME FOUND: a test that passes when nothing was found
report() {
    result=ok
    [ -n "$3" ] && result='not ok'
    echo "$result $1 - $2"
    [ -z "$3" ] || echo "$3" | sed 's/^/# /'
}

sources=$(find src tools tests bench fuzz -name '*.[ch]' ! -path '*/jobs.c')
# shellcheck disable=SC2086 # names of files, without blanks
pragmas=$(grep -n '#[[:space:]]*pragma[[:space:]]*omp' $sources |
    grep -v '^[^:]*/replay[^/]*:[0-9]*:[[:space:]]*#pragma omp simd')
# shellcheck disable=SC2086
headers=$(grep -n 'omp\.h\|omp_[a-z]*_[a-z]*(' $sources)
own=$(find src -name jobs.c -exec grep -l '#pragma omp parallel' {} + | wc -l)

report 1 'no pragma of OpenMP outside the list of jobs' "$pragmas"
report 2 'no function of OpenMP outside the list of jobs' "$headers"
report 3 'the list of jobs is one file' "$([ "$own" -eq 1 ] || echo "$own files")"
echo 1..3
