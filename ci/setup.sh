#!/bin/sh
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
#
# setup.sh [all] - installs what building and timing need; with "all" also
# what testing the four architectures needs. For Debian 12 and Ubuntu, or
# later. Asks apt-get only for what is missing, with sudo only if not root.
set -eu

# Building and timing on this machine. The peers are what the timing compares
# with where they are found; nothing is linked against them.
need="gcc libc6-dev binutils make nasm"
like="libssl3|libssl3t64 libgcrypt20 libnettle8|libnettle8t64 libllvm14
    libsodium23 libhighwayhash0"

if [ "${1:-}" = all ]; then
    # Compilers, C libraries and emulators of the other architectures; what
    # tests, proves, formats and lints.
    need="$need git python3
        gcc-i686-linux-gnu libc6-dev-i386-cross
        gcc-arm-linux-gnueabihf libc6-dev-armhf-cross
        gcc-arm-linux-gnueabi libc6-dev-armel-cross
        gcc-aarch64-linux-gnu libc6-dev-arm64-cross
        gcc-arm-none-eabi
        qemu-user qemu-system-arm
        g++ clang clang-format lld valgrind libc6-dbg gdb shellcheck
        gnuplot-nox"
    # What the real programs of make check-clients, and make check-install, need.
    like="$like llvm-19 libssl-dev zlib1g-dev perl dpkg-dev lld-14 llvm-14-dev
        libpython3.11-dev cmake man-db pkg-config|pkgconf debhelper lintian
        strace"
fi

installed() {
    dpkg-query -W -f '${Status}\n' "$1" 2>/dev/null |
        grep -q '^install ok installed$'
}

# available NAME: apt knows a version that it could install
available() {
    apt-cache policy "$1" 2>/dev/null | grep -q 'Candidate: [^(]'
}

# available_from SUITE: apt knows packages of that suite
available_from() {
    apt-cache policy 2>/dev/null | grep -q "n=$1,"
}

# any_installed A|B|C: whether one of them is installed
any_installed() {
    for name in $(printf '%s' "$1" | tr '|' ' '); do
        installed "$name" && return
    done
    return 1
}

# Debian 12's QEMU 7.2 has no SHA-NI; its backports have a later one.
release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release 2>/dev/null || true)
backports=
if [ "${1:-}" = all ] && [ "$release" = bookworm ]; then
    case $(dpkg-query -W -f '${Version}' qemu-user 2>/dev/null) in
    "" | *:[1-7].*) backports="qemu-user qemu-system-arm" ;;
    esac
fi

missing=
for package in $need; do
    installed "$package" || missing="$missing $package"
done
wanted=
for names in $like; do
    any_installed "$names" || wanted="$wanted $names"
done

if [ -z "$missing$wanted$backports" ]; then
    echo "setup: everything is installed"
    exit 0
fi
if ! command -v apt-get >/dev/null; then
    echo "setup: no apt-get here; install the counterparts of:$missing" >&2
    exit 1
fi
if [ "$(id -u)" = 0 ]; then
    sudo=
elif command -v sudo >/dev/null; then
    sudo=sudo
else
    echo "setup: not root and no sudo; as root run: apt-get install$missing" >&2
    exit 1
fi

# Backports come from where Debian itself does: the same source, other suite.
if [ -n "$backports" ] && ! available_from bookworm-backports; then
    source=$(sed -n 's/^URIs: *//p; s/^deb \(\[[^]]*\] \)\?\([^ ]*\) bookworm .*/\2/p' \
        /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list \
        2>/dev/null | head -n 1)
    keys=/usr/share/keyrings/debian-archive-keyring.gpg
    if [ -n "$source" ] && [ -e "$keys" ]; then
        printf '%s\n' 'Types: deb' "URIs: $source" \
            'Suites: bookworm-backports' 'Components: main' "Signed-By: $keys" |
            $sudo tee /etc/apt/sources.list.d/hashkern-backports.sources \
                >/dev/null
    fi
fi

# Only what must be there may fail the run.
if ! $sudo apt-get update -q && [ -n "$missing" ]; then
    echo "setup: apt-get update failed" >&2
    exit 1
fi
for names in $wanted; do
    found=
    for name in $(printf '%s' "$names" | tr '|' ' '); do
        if [ -z "$found" ] && available "$name"; then
            found=$name
        fi
    done
    if [ -n "$found" ]; then
        missing="$missing $found"
    else
        echo "setup: no package $names here: what uses it will be skipped"
    fi
done
if [ -n "$backports" ]; then
    # shellcheck disable=SC2086 # a list of words
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -qy \
        --no-install-recommends -t bookworm-backports $backports ||
        echo "setup: no later QEMU here: SHA-NI rows run only on a CPU with it"
fi
[ -n "$missing" ] || exit 0
# shellcheck disable=SC2086 # a list of words
$sudo env DEBIAN_FRONTEND=noninteractive \
    apt-get install -qy --no-install-recommends $missing
