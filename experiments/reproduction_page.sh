#!/usr/bin/env bash
# Writes docs/reproduction.md: the tables of the papers as `grayling reproduce` prints them. What has been
# measured before is not measured again, so that an interrupted page goes on where it was. With the names of
# tables, of those alone; a page of all takes some hours on two cores.
#
#   experiments/reproduction_page.sh NAME|all... [OPTIONS of grayling reproduce, such as --runs DIR]
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
grayling=${GRAYLING:-$root/build/tools/grayling}
part=$(mktemp)
trap 'rm -f "$part"' EXIT
cd "$root"
cp "$root/experiments/reproduction_head.md" "$part"
"$grayling" reproduce "$@" --format markdown >>"$part"
cp "$part" docs/reproduction.md
