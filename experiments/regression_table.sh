#!/bin/sh
# How close evolution comes to gradient methods, as docs/runs/record.md tells it: for each parameter file
# or run, the moves that it matches in data/held-out.epd, and K and Texel's squared error, K fitted on
# data/results-train.epd.zst, the error measured there and on data/results-held-out.epd.zst.
#   experiments/regression_table.sh PARAMS...
# GRAYLING names the program (build/tools/grayling).
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
grayling=${GRAYLING:-$root/build/tools/grayling}
data=$root/data
for file; do
    "$grayling" regress "$data/results-train.epd.zst" --method texel --steps 0 --from "$file" \
        --held-out "$data/results-held-out.epd.zst" --held-out "$data/held-out.epd" |
        awk -v file="$file" '
            /^K /                       { scale = $2 }
            /squared error/             { losses = 1 }
            /moves matched/             { losses = 0 }
            losses && $1 == "train"     { train = $2 }
            losses && /results-held-out/ { unseen = $2 " " $3 " " $4 " " $5 }
            !losses && /\/held-out.epd/ { matched = $5 " % " $7 " to " $9 }
            END { printf "%-32s  matched %s  K %s  train %s  held-out %s\n", file, matched, scale, train, unseen }'
done
