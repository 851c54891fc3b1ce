#!/bin/sh
# Whether the engine, the optimisers and the fitness functions have global variables that change: only
# the list of jobs has, which is one for each process. Constants with addresses (.data.rel.ro) are no
# variables. TAP.
#   globals.sh BUILD
found=$(find "$1/src" -name '*.a' | while read -r library; do
    objdump -t "$library" 2>/dev/null | awk -v library="${library##*/}" '
        NF > 5 && $(NF - 2) ~ /^\.t?(data|bss)(\.|$)/ && $(NF - 2) !~ /\.rel\.ro/ &&
        $NF !~ /^(\.|_|llvm|asan|gcov)/ { print library, $NF }'
done)
others=$(echo "$found" | grep -v '^libjobs\.a ')
result=ok
[ -n "$others" ] && result='not ok'
echo "$result 1 - no variable outlives the call, but for those of the list of jobs"
[ -z "$others" ] || echo "$others" | sed 's/^/# /'
result=ok
echo "$found" | grep -q '^libjobs\.a ' || result='not ok'
echo "$result 2 - and those are found"
echo 1..2
