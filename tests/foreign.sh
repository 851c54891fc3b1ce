#!/usr/bin/env bash
# The same run, to the bit, on other machines: builds for each, runs the unit tests under qemu, and
# compares what the programs give with those of this machine.
#
#     tests/foreign.sh GRAYLING [ARCH...]        s390x i386
#
# s390x is big-endian, with unsigned characters; i386 has words of 32 bits and floating-point
# registers of 80. Needs Debian's cross compilers, qemu-user and mmdebstrap, which fetches the
# libraries of ARCH once. All of it lies in build-foreign. Speaks TAP.
set -u
source=$(cd "$(dirname "$0")/.." && pwd)
grayling=$(realpath "${1:?usage: foreign.sh GRAYLING [ARCH...]}")
shift
[ $# -gt 0 ] || set -- s390x i386
libraries=libc6-dev,libgcc-12-dev,libsqlite3-dev,libgsl-dev,libyaml-dev,libarchive-dev,zlib1g-dev,nettle-dev
number=0
failed=0

# The rooms whose tests need no second program.
tests='attacks capture_tree data_files elo endgames engine epd evaluate evaluation fen fitness_cache
    fitness_kinds game game_pgn genetic genome higher_order initial_population large_genome
    movegen modern modern_set nodes_to_solution notation optimiser params_file params_write
    parse pgn position quiesce recipe run see selection solve sparse store store_pages stream tt
    value_document variation wide compiled checksum'

check() {
    number=$((number + 1))
    if [ "$1" = 0 ]; then
        echo "ok $number - $2"
    else
        echo "not ok $number - $2"
        failed=$((failed + 1))
        sed 's/^/# /' "$work/log" | tail -n 20
    fi
}

triple() {
    [ "$arch" = i386 ] && echo i686-linux-gnu || echo "$arch-linux-gnu"
}

# Says which packages are missing.
has_tools() {
    local program missing=
    for program in "qemu-$arch" "$(triple)-gcc" mmdebstrap sqlite3; do
        command -v "$program" >/dev/null || missing="$missing $program"
    done
    [ -z "$missing" ] && return
    echo "foreign.sh:$missing not found; apt-get install qemu-user gcc-s390x-linux-gnu gcc-i686-linux-gnu mmdebstrap sqlite3" >&2
    exit 2
}

# Makes links to absolute paths lead into the tree: the linker would take libm.a where libm.so leads out of it.
keep_links_inside() {
    find "$root/usr/lib" -type l -lname '/*' | while read -r link; do
        ln -sfr "$root$(readlink "$link")" "$link"
    done
}

# The libraries of an architecture, whole or not at all; nothing of them is run to install them. From
# this machine's mirror of the release alone: those of its updates are now and then incomplete for ARCH.
fetch() {
    local mirror
    [ -d "$root/usr/include" ] && return
    rm -rf "$root"
    mirror=$(apt-get indextargets --format '$(SITE)' 'Codename: bookworm' 'Created-By: Packages' | head -n 1)
    mmdebstrap --variant=extract --architectures="$arch" --include="$libraries" bookworm "$root" \
        ${mirror:+"deb $mirror bookworm main"} && keep_links_inside
}

# What meson has to know of the machine.
describe() {
    local family=$arch endian=little
    [ "$arch" = i386 ] && family=x86
    [ "$arch" = s390x ] && endian=big
    local libs=/usr/lib/$arch-linux-gnu
    cat <<END
[binaries]
c = '$(triple)-gcc'
ar = '$(triple)-ar'
strip = '$(triple)-strip'
pkgconfig = 'pkg-config'
exe_wrapper = ['qemu-$arch', '-L', '$root']
[built-in options]
c_args = ['--sysroot=$root', '-isystem', '$root/usr/include/$arch-linux-gnu', '-Wno-error']
c_link_args = ['--sysroot=$root', '-B$root$libs', '-L$root$libs', '-L$root/lib/$arch-linux-gnu', '-Wl,-rpath-link,$root$libs:$root/lib/$arch-linux-gnu']
[properties]
sys_root = '$root'
pkg_config_libdir = '$root$libs/pkgconfig:$root/usr/share/pkgconfig'
needs_exe_wrapper = true
[host_machine]
system = 'linux'
cpu_family = '$family'
cpu = '$arch'
endian = '$endian'
END
}

build() {
    local targets='tools/grayling'
    for test in $tests; do
        targets="$targets tests/test_$test"
    done
    describe >"$folder/cross" &&
        { [ -f "$folder/build/build.ninja" ] ||
            meson setup "$folder/build" "$source" --cross-file "$folder/cross" -Dsmall_criterion=true \
                -Dmpi=disabled -Dserve=disabled -Dbench=false -Doptimization=2; } &&
        ninja -C "$folder/build" $targets
}

there() {
    qemu-"$arch" -L "$root" "$folder/build/tools/grayling" "$@"
}

# A golden run repeats there; its file is read here, and one of this machine there.
compare_run() {
    local expect=$1 name
    name=$(basename "$expect" .yaml)
    there verify --expect "$expect" -o "$work/$name-there.db" >"$work/log" 2>&1
    check $? "$arch: the golden run $name repeats"
    "$grayling" check "$work/$name-there.db" >"$work/log" 2>&1 &&
        "$grayling" verify "$work/$name-there.db" --expect "$expect" >"$work/log" 2>&1
    check $? "$arch: its file is read here"
    "$grayling" verify --expect "$expect" -o "$work/$name-here.db" >"$work/log" 2>&1 &&
        there check "$work/$name-here.db" >"$work/log" 2>&1 &&
        there verify "$work/$name-here.db" --expect "$expect" >"$work/log" 2>&1
    check $? "$arch: the file of this machine is read there"
}

# Stopped here after some generations, resumed there.
compare_resumed() {
    local recipe="$source/params/recipes/quick.yaml" set='--set ga.population=12 --set ga.generations'
    "$grayling" evolve "$recipe" $set=3 -o "$work/handed.db" >"$work/log" 2>&1 &&
        there resume "$work/handed.db" --generations 6 >"$work/log" 2>&1 &&
        "$grayling" evolve "$recipe" $set=6 -o "$work/whole.db" >"$work/log" 2>&1 &&
        for run in handed whole; do
            sqlite3 "$work/$run.db" 'SELECT * FROM organism; SELECT * FROM genome' >"$work/$run.rows"
        done &&
        cmp "$work/handed.rows" "$work/whole.rows" >>"$work/log" 2>&1
    check $? "$arch: a run goes on where this machine has left it"
}

bench() {
    sed -n '$s/^\([0-9]*\) nodes.*/\1/p'
}

for arch; do
    folder=$source/build-foreign/$arch
    root=$folder/root
    work=$(mktemp -d)
    has_tools
    mkdir -p "$folder"
    { fetch && build; } >"$work/log" 2>&1
    check $? "$arch: it builds"
    for test in $tests; do
        (cd "$source" && GRAYLING_SOURCE=$source OMP_NUM_THREADS=1 timeout 1200 \
            qemu-"$arch" -L "$root" "$folder/build/tests/test_$test") >"$work/log" 2>&1
        check $? "$arch: unit tests of $test ($(grep -c ^ok "$work/log"))"
    done
    [ "$(there bench | bench)" = "$("$grayling" bench | bench)" ]
    check $? "$arch: bench has the same nodes"
    for expect in "$source"/tests/golden/runs/*.yaml; do
        compare_run "$expect"
    done
    compare_resumed
    rm -rf "$work"
done
echo "1..$number"
[ $failed = 0 ]
