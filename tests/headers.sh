#!/bin/sh
# Whether each header compiles alone, with the include paths of its layer. TAP.
#   headers.sh SOURCE COMPILER...
cd "$1" || exit 1
shift
number=0

# check LAYER INCLUDES -- COMPILER...: the headers of one layer
check() {
    layer=$1
    includes=$2
    shift 3
    for header in "$layer"/*.h; do
        # A template: each kernel defines its vectors before it includes this.
        [ "$header" = src/tune/replay_kernel.h ] && continue
        number=$((number + 1))
        result='not ok'
        "$@" -std=c17 -D_POSIX_C_SOURCE=200809L -Wall -Wextra -Werror -Wno-unused -fsyntax-only -x c \
            $includes "$header" && result=ok
        echo "$result $number - $header"
    done
}

check src/base '-Isrc/base' -- "$@"
check src/engine '-Isrc/base -Isrc/engine' -- "$@"
check src/ga '-Isrc/base -Isrc/ga' -- "$@"
check src/tune '-Isrc/base -Isrc/engine -Isrc/ga -Isrc/tune' -- "$@"
check src/tune/reproduce '-Isrc/base -Isrc/engine -Isrc/ga -Isrc/tune -Isrc/tune/reproduce' -- "$@"
check tools '-Isrc/base -Isrc/engine -Isrc/ga -Isrc/tune -Isrc/tune/reproduce' -- "$@"
echo "1..$number"
