#!/bin/sh
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
#
# check-install.sh - installs into a folder of its own, then builds and runs a
# foreign program against that: by pkg-config, statically and dynamically, and
# by CMake's find_package; installs again elsewhere and compares; uninstalls.
set -eu
cd "$(dirname "$0")/../.."
here=$PWD/build/check-install
suite=install log=$here/log
. ci/count.sh

rm -rf "$here"
mkdir -p "$here"
try 'make install' make -s install DESTDIR="$here/root" PREFIX=/usr
usr=$here/root/usr

cat >"$here/program.c" <<'EOF'
#include <hashkern.h>
#include <hashkern_file.h>
#include <string.h>

int main(void)
{
    uint8_t digest[20], key[16] = {0};

    hk_sha1("abc", 3, digest);
    return digest[0] != 0xa9 || !hk_siphash24(key, "abc", 3) ||
           strcmp(hk_file_verdict_text(HK_FILE_OK), "") == 0;
}
EOF

# Is its soname the one that the installed link resolves to, and are only the
# public names exported?
try 'soname' test -e "$usr/lib/$(readelf -d "$usr/lib/libhashkern.so" |
    sed -n 's/.*soname: \[\(.*\)\]/\1/p')"
exported=$(nm -D --defined-only "$usr/lib/libhashkern.so" | awk '{ print $3 }' |
    sed 's/@.*//' | grep -v '^HASHKERN_')
# shellcheck disable=SC2016,SC2086 # for the inner shell; words are wanted
try 'exports are declared' sh -c 'for name; do
    grep -qw "$name" "$0/include/hashkern.h" "$0/include/hashkern_file.h" ||
        { echo "$name"; exit 1; }
    done' "$usr" $exported
try 'no executable stack' sh -c "readelf -lW '$usr/lib/libhashkern.so' |
    grep GNU_STACK | grep -qv RWE"
try 'no text relocation' sh -c "! readelf -d '$usr/lib/libhashkern.so' |
    grep TEXTREL"

# The same of the drop-in, which has the names of another library.
cat >"$here/detectcoll.c" <<'EOF'
#include <sha1dc/sha1.h>
#include <string.h>

int main(void)
{
    unsigned char digest[20];
    SHA1_CTX ctx, clone;

    SHA1DCInit(&ctx);
    SHA1DCSetSafeHash(&ctx, 0);
    SHA1DCUpdate(&ctx, "ab", 2);
    memcpy(&clone, &ctx, sizeof clone);
    SHA1DCUpdate(&clone, "c", 1);
    return SHA1DCFinal(digest, &clone) || digest[0] != 0xa9;
}
EOF
try 'soname of the drop-in' test -e \
    "$usr/lib/$(readelf -d "$usr/lib/libsha1detectcoll.so" |
        sed -n 's/.*soname: \[\(.*\)\]/\1/p')"
exported=$(nm -D --defined-only "$usr/lib/libsha1detectcoll.so" |
    awk '{ print $3 }')
# shellcheck disable=SC2016,SC2086 # for the inner shell; words are wanted
try 'the drop-in exports what its header declares' sh -c 'for name; do
    grep -qw "$name" "$0/include/sha1dc/sha1.h" || { echo "$name"; exit 1; }
    done; test $# = 8' "$usr" $exported
try 'the drop-in, shared' cc "$here/detectcoll.c" -o "$here/detectcoll" \
    -I"$usr/include" -L"$usr/lib" -lsha1detectcoll
try 'the drop-in runs, shared' env LD_LIBRARY_PATH="$usr/lib" "$here/detectcoll"
try 'the drop-in, static' cc -static "$here/detectcoll.c" \
    -o "$here/detectcoll" -I"$usr/include" -L"$usr/lib" -lsha1detectcoll
try 'the drop-in runs, static' "$here/detectcoll"

if command -v pkg-config >/dev/null; then
    export PKG_CONFIG_PATH="$usr/lib/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$here/root"
    export PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 PKG_CONFIG_ALLOW_SYSTEM_LIBS=1
    # shellcheck disable=SC2046 # words are wanted
    try 'pkg-config, shared' cc "$here/program.c" -o "$here/shared" \
        $(pkg-config --cflags --libs hashkern)
    try 'runs, shared' env LD_LIBRARY_PATH="$usr/lib" "$here/shared"
    # shellcheck disable=SC2046
    try 'pkg-config, static' cc -static "$here/program.c" -o "$here/static" \
        $(pkg-config --static --cflags --libs hashkern)
    try 'runs, static' "$here/static"
    # shellcheck disable=SC2046
    try 'pkg-config, the drop-in' cc "$here/detectcoll.c" -o "$here/detectcoll" \
        $(pkg-config --cflags --libs libsha1detectcoll)
else
    skip 'pkg-config' 'no pkg-config here'
fi

if command -v cmake >/dev/null; then
    mkdir "$here/cmake"
    cat >"$here/cmake/CMakeLists.txt" <<'EOF'
cmake_minimum_required(VERSION 3.10)
project(foreign C)
find_package(hashkern 0.1 REQUIRED)
add_executable(shared ../program.c)
target_link_libraries(shared hashkern::hashkern)
add_executable(static ../program.c)
target_link_libraries(static hashkern::static)
add_executable(detectcoll ../detectcoll.c)
target_link_libraries(detectcoll hashkern::sha1detectcoll)
enable_testing()
add_test(shared shared)
add_test(static static)
add_test(detectcoll detectcoll)
EOF
    try 'find_package' cmake -S "$here/cmake" -B "$here/cmake/build" \
        -DCMAKE_PREFIX_PATH="$usr"
    try 'builds with CMake' cmake --build "$here/cmake/build"
    try 'runs, built with CMake' cmake --build "$here/cmake/build" -t test
else
    skip 'find_package' 'no cmake here'
fi

for page in man1/hksum.1 man3/hashkern.3 man3/hashkern_file.3; do
    if command -v man >/dev/null; then
        try "$page reads without warning" sh -c \
            "test -z \"\$(man --warnings -l '$usr/share/man/$page' 2>&1 >/dev/null)\""
    else
        skip "$page" 'no man here'
    fi
done
try 'hksum runs' ci/package/smoke.sh "$usr/bin/hksum"
try 'hksum links nothing of ours that is not there' "$usr/bin/hksum" --version

# What is installed on demand.
if [ -e /usr/include/openssl/provider.h ]; then
    try 'make install-provider' make -s install-provider DESTDIR="$here/root" \
        PREFIX=/usr
    try 'openssl finds the provider' sh -c "echo abc | openssl dgst -sha256 \
        -provider-path '$usr/lib/ossl-modules' -provider hashkern"
    try 'make uninstall-provider' make -s uninstall-provider \
        DESTDIR="$here/root" PREFIX=/usr
else
    skip 'the provider' 'no headers of OpenSSL 3 here'
fi
try 'make install-lld-sha1' make -s install-lld-sha1 DESTDIR="$here/root" \
    PREFIX=/usr
try 'the linker object is there' test -e "$usr/lib/hashkern-lld14.so"
try 'make uninstall-lld-sha1' make -s uninstall-lld-sha1 DESTDIR="$here/root" \
    PREFIX=/usr

# The same from another folder: nothing of where it was built may show.
mkdir "$here/other"
git ls-files -z | xargs -0 tar cf - | tar xf - -C "$here/other"
try 'builds elsewhere' make -s -C "$here/other" install \
    DESTDIR="$here/root2" PREFIX=/usr
for file in lib/libhashkern.so lib/libhashkern.a bin/hksum \
    lib/libsha1detectcoll.so lib/libsha1detectcoll.a; do
    try "$file is the same" cmp "$usr/$file" "$here/root2/usr/$file"
done

# Debian's packages, of what is committed.
if command -v dh >/dev/null && command -v lintian >/dev/null; then
    try 'make deb, and lintian has no error' make -s deb
    try 'the packages unpack' sh -c "for package in build/deb/*.deb; do
        dpkg-deb -x \"\$package\" '$here/deb'; done"
    try 'hksum of the package runs' ci/package/smoke.sh "$here/deb/usr/bin/hksum"
    try 'the packages have the library' sh -c "ls '$here'/deb/usr/lib/*/libhashkern.so"
else
    skip 'make deb' 'no debhelper or lintian here'
fi

try 'make uninstall' make -s uninstall DESTDIR="$here/root" PREFIX=/usr
try 'nothing is left' sh -c "test -z \"\$(find '$here/root' ! -type d)\""

finish
