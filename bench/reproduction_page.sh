#!/usr/bin/env bash
# Writes docs/reproduction.md: the tables of the papers as `grayling reproduce` prints them. What has been
# measured before is not measured again, so that an interrupted page goes on where it was. With the names of
# tables, of those alone; a page of all takes some hours on two cores.
#
#   bench/reproduction_page.sh NAME|all... [OPTIONS of grayling reproduce, such as --runs DIR]
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
grayling=${GRAYLING:-$root/build/tools/grayling}
part=$(mktemp)
trap 'rm -f "$part"' EXIT
cd "$root"
cat >"$part" <<'INTRODUCTION'
# The papers' tables, reproduced

Four papers stand behind Grayling: Beal 1990 (generalised quiescence), David-Tabibi and Netanyahu 2002
(verified null move) and 2008 (extended null-move reductions), David, van den Herik, Koppel and Netanyahu 2014 (the
genetic algorithm). Below are their tables, the published figures beside ours. Each was printed by the command
above it, run from the root of the project; `bench/reproduction_page.sh` writes this page. `grayling reproduce`
without a name lists all tables, those not on this page too.

Read with care:

- A claim "holds here" when it does in every row that was measured, and "only in part" when in some. A row is a
  count without an interval; of rows that differ by a few positions neither is shown to be better. Games
  have intervals.
- Our engine is not theirs, nor is the machine. Where limits are nodes or depth, the figures come out the same
  everywhere; where they are time, they do not.
- Of some suites other versions were used, and some are not to be had. Each table says so. The suites are no
  part of Grayling; a table that misses one says where it is.
- The evaluation is the one that the engine plays with (`params/default-eval.yaml`), but in beal-1990, which
  has material alone.

INTRODUCTION
"$grayling" reproduce "$@" --format markdown >>"$part"
cp "$part" docs/reproduction.md
