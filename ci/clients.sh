#!/bin/sh
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
#
# clients.sh [all|gits|time] - real programs on hashkern's hashes: OpenSSL with the provider,
# LLVM 14's linker with a preloaded SHA-1, and git, built from the source of this
# system's package against the drop-in libsha1detectcoll, with git's own tests.
#
# Without "all" git runs its test of collision detection and those of packs; with
# it, also all of its groups 1 and 4, and the linker links large programs. What is
# missing is installed if this is root's shell, and is a counted skip otherwise.
# With "time" it tests nothing, but prints tables of times (with $JSON set, JSON);
# with "gits" it only builds git with each SHA-1 that it has, and with ours.
# Works in build/clients, or in $CLIENTS.
set -eu
cd "$(dirname "$0")/.."
what=${1:-short}
tree=$PWD
here=${CLIENTS:-$PWD/build/clients}
mkdir -p "$here"
suite=clients log=$here/log
. ci/count.sh
build=build/$(uname -m)
arch=$(dpkg --print-architecture 2>/dev/null || echo unknown)

# tap NAME COMMAND...: counts what a report in TAP says, and shows what is not ok
tap() {
    name=$1
    shift
    "$@" >"$here/tap" 2>"$log" || :
    tap_count "$name" "$here/tap"
}

# tap_count NAME FILE: the same for a report that is there. A test that is known to
# fail (TODO) counts as skipped.
tap_count() {
    if ! grep -q '^1\.\.[0-9]' "$2"; then
        not_ok "$1: no whole report"
        tail -n 20 "$2" "$log" | sed 's/^/    /'
        return
    fi
    awk -v name="$suite: $1" '
        /^ok / && !/# SKIP/ && !/# skip/ { p++; next }
        /^ok / { s++; print name ": " $0; next }
        /^not ok .*# TODO/ { s++; print name ": " $0; next }
        /^not ok / { f++; print name ": " $0; more = 1; next }
        /^1\.\.0.*(SKIP|skip)/ { s++; print name ": " $0; next }
        /^#/ { if (more) print "    " $0; next }
        { more = 0 }
        END { print p + 0, f + 0, s + 0 >"/dev/stderr" }' "$2" 2>"$here/counts"
    read -r p f s <"$here/counts"
    echo "$suite: $1: $p passed, $f failed, $s skipped"
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
}

# have PACKAGE...: whether they are installed, or are now
have() {
    dpkg -s "$@" >/dev/null 2>&1 && return
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return
    env DEBIAN_FRONTEND=noninteractive apt-get install -qy \
        --no-install-recommends "$@" >"$log" 2>&1
}

# ---- OpenSSL -----------------------------------------------------------------

openssl_digests() {
    for digest in sha1 sha224 sha256 sha384 sha512 sha512-224 sha512-256; do
        want=$(openssl dgst "-$digest" README.md)
        got=$(openssl dgst "-$digest" -provider-path "$build" \
            -provider hashkern README.md)
        [ "$got" = "$want" ] || { echo "$got, not $want"; return 1; }
    done
}
openssl_mac() {
    for size in 8 16; do
        set -- -macopt hexkey:000102030405060708090a0b0c0d0e0f \
            -macopt "size:$size" -in README.md
        want=$(openssl mac "$@" SIPHASH)
        got=$(openssl mac -provider-path "$build" -provider hashkern "$@" SIPHASH)
        [ "$got" = "$want" ] || { echo "$got, not $want"; return 1; }
    done
}
# Timed is what has the property, or nothing.
speed() {
    openssl speed -seconds 1 -bytes 1024 -provider-path "$build" \
        -provider default -provider hashkern -propquery "provider=$1" -evp "$2"
}
openssl_speed() {
    speed hashkern sha1 && speed hashkern sha256 && speed hashkern sha512 &&
        ! speed nobody sha256
}

clients_openssl() {
    suite=openssl
    if ! have libssl-dev openssl; then
        skip provider 'no package libssl-dev'
        return
    fi
    try 'the provider builds' make -s provider "$build/provider_test"
    tap provider "$build/provider_test" "$build"
    races='-O1 -g -fsanitize=thread'
    try 'it builds with the thread sanitizer' make -s B="$build/races" \
        CFLAGS="$races" provider "$build/races/provider_test"
    tap 'provider, watched for races' env TSAN_OPTIONS=halt_on_error=1 \
        "$build/races/provider_test" "$build/races"
    asan='-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all'
    try 'it builds with the other sanitizers' make -s B="$build/sanitized" \
        CFLAGS="$asan" provider "$build/sanitized/provider_test"
    tap 'provider, sanitized' "$build/sanitized/provider_test" "$build/sanitized"
    try 'openssl dgst' openssl_digests
    try 'openssl mac' openssl_mac
    try 'openssl speed' openssl_speed
}

# ---- LLVM's linker -----------------------------------------------------------

clients_lld() {
    suite=lld
    if [ "$arch" != amd64 ] || ! have lld-14 llvm-14-dev g++; then
        skip lld 'no packages lld-14 and llvm-14-dev'
        return
    fi
    try 'the object to preload builds' make -s lld-sha1 "$build/lld14_test"
    tap 'the class SHA1' env LD_PRELOAD="$tree/$build/hashkern-lld14.so" \
        "$build/lld14_test"
    # Only the class's versioned names are there for others to bind to.
    try 'exports' sh -c "! nm -D --defined-only '$build/hashkern-lld14.so' |
        grep -v '_ZN4llvm4SHA1.*@@LLVM_14\$\| A LLVM_14\$'"
    other=$(find /usr/bin -name 'llvm-mca-*' ! -name '*-14' | head -n 1)
    if [ "$other" ]; then
        try 'another LLVM goes on, and says so' sh -c "
            LD_PRELOAD='$tree/$build/hashkern-lld14.so' '$other' --version 2>&1 |
                grep 'its own SHA-1 stays' &&
            LD_PRELOAD='$tree/$build/hashkern-lld14.so' '$other' --version |
                grep LLVM"
    else
        skip 'another LLVM' 'none here'
    fi
    only=--only=python
    if [ "$what" = all ]; then
        only=
        have libicu-dev || :
    fi
    have libpython3.11-dev || :
    # shellcheck disable=SC2086 # one word or none
    tap links python3 test/clients/links.py $only "$here/links" \
        "$build/hashkern-lld14.so"
}

# ---- git ---------------------------------------------------------------------

# The source of the package, by apt, with lists of its own: the machine's settings
# stay as they are.
git_source() {
    [ ! -e "$here/git/Makefile" ] || return 0
    if ! command -v apt-get || ! command -v dpkg-source; then
        echo 'no apt-get or dpkg-source'
        return 1
    fi
    apt=$here/apt
    rm -rf "$apt"
    mkdir -p "$apt/lists/partial" "$apt/archives/partial" "$apt/parts" \
        "$apt/source"
    for file in /etc/apt/sources.list.d/debian.sources \
        /etc/apt/sources.list.d/ubuntu.sources; do
        [ ! -e "$file" ] || sed 's/^Types:.*/Types: deb-src/' "$file" \
            >"$apt/parts/$(basename "$file")"
    done
    [ ! -e /etc/apt/sources.list ] ||
        sed -n 's/^deb /deb-src /p' /etc/apt/sources.list >"$apt/parts/list.list"
    set -- -q -o "Dir::Etc::SourceList=/dev/null" \
        -o "Dir::Etc::SourceParts=$apt/parts" -o "Dir::State::Lists=$apt/lists" \
        -o "Dir::Cache=$apt" -o APT::Sandbox::User=
    apt-get "$@" update &&
        (cd "$apt/source" && apt-get "$@" source --download-only git &&
            dpkg-source --no-check -x git_*.dsc "$here/git.new") &&
        mv "$here/git.new" "$here/git"
}

# git_make FOLDER WORD...: builds only what these tests need
git_make() {
    folder=$here/$1
    shift
    make -s -j"$(nproc)" -C "$folder" NO_CURL=1 NO_EXPAT=1 NO_GETTEXT=1 \
        NO_TCLTK=1 NO_PYTHON=1 "$@"
}
git_drop_in() {
    make -s install-detectcoll DESTDIR="$here/root" PREFIX=/usr LIBDIR=/usr/lib
}
git_build() {
    git_drop_in
    git_make git NO_OPENSSL=1 DC_SHA1_EXTERNAL=1 \
        CFLAGS="-O1 -I$here/root/usr/include" \
        LDFLAGS="-L$here/root/usr/lib -Wl,-rpath,$here/root/usr/lib" all
}

# git_test SCRIPT...: each as a test of its own; two at a time
git_test() {
    rm -rf "$here/reports"
    mkdir -p "$here/reports"
    # shellcheck disable=SC2016 # for the inner shell
    (cd "$here/git/t" && printf '%s\n' "$@" | xargs -P "$(nproc)" -I{} sh -c '
        ./{} --root='"$here/trash"' >'"$here"'/reports/{} 2>&1 || :')
    for script; do
        tap_count "${script%.sh}" "$here/reports/$script"
    done
}

clients_git() {
    suite=git
    if ! have zlib1g-dev gcc make perl dpkg-dev; then
        skip git 'no packages zlib1g-dev, perl, dpkg-dev'
        return
    fi
    if ! git_source >"$log" 2>&1; then
        skip git "no source by apt: $(tail -n 1 "$log")"
        return
    fi
    try 'builds against the drop-in' git_build
    # shellcheck disable=SC2016 # for the inner shell
    try 'has its SHA-1 from there' sh -c 'ldd "$0/git/git" |
        grep "libsha1detectcoll.so.1 => $0/root/"' "$here"
    tests=$(cd "$here/git/t" && echo t0013-*.sh t530[0-9]-*.sh t5310-*.sh)
    if [ "$what" = all ]; then
        tests="$tests $(cd "$here/git/t" && echo t1[0-9]*.sh t4[0-9]*.sh)"
    fi
    export GIT_TEST_CHAIN_LINT=0
    # shellcheck disable=SC2086 # words
    git_test $tests
}

# ---- times -------------------------------------------------------------------

# git with each SHA-1 that it can be built with, alike but for that.
git_variants() {
    have libssl-dev zlib1g-dev perl dpkg-dev || :
    git_source
    for variant in sha1dc block-sha1 openssl hashkern; do
        [ -e "$here/git-$variant" ] || cp -r "$here/git" "$here/git-$variant"
    done
    git_drop_in
    git_make git-sha1dc NO_OPENSSL=1 CFLAGS=-O2 git
    git_make git-block-sha1 NO_OPENSSL=1 BLK_SHA1=1 CFLAGS=-O2 git
    git_make git-openssl OPENSSL_SHA1=1 CFLAGS='-O2 -Wno-deprecated-declarations' git
    # Static, as the built-in ones are; git's makefile does not know of the library.
    rm -f "$here/git-hashkern/git"
    git_make git-hashkern NO_OPENSSL=1 DC_SHA1_EXTERNAL=1 \
        CFLAGS="-O2 -I$here/root/usr/include" \
        EXTLIBS="$here/root/usr/lib/libsha1detectcoll.a -lz" git
}

# Tables on standard output, all else on the other
clients_time() {
    have lld-14 llvm-14-dev libpython3.11-dev libicu-dev >&2 || :
    git_variants >&2
    make -s lld-sha1 >&2
    set -- sha1dc block-sha1 openssl hashkern
    for variant; do
        set -- "$@" "$variant=$here/git-$variant/git"
        shift
    done
    # shellcheck disable=SC2086 # one word or none
    {
        python3 test/clients/gits.py $JSON "$here/gits" "$@"
        python3 test/clients/gits.py $JSON --count "$here/gits" "$@"
        python3 test/clients/links.py $JSON --time 5 "$here/links" \
            "$build/hashkern-lld14.so"
    }
}

if [ "$what" = gits ]; then
    git_variants >&2
    exit
fi
if [ "$what" = time ]; then
    JSON=${JSON:+--json}
    clients_time
    exit
fi
clients_openssl
clients_lld
clients_git
finish
