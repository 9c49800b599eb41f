#!/bin/sh
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
#
# smoke.sh HKSUM - the digests of "abc" by every kernel that runs here, against
# the examples of the standards
set -eu
hksum=$1

check() {
    # shellcheck disable=SC2086 # no option or one
    got=$(printf abc | "$hksum" -a "$1" $2) || exit 1
    if [ "${got%% *}" != "$3" ]; then
        echo "smoke: $1 $2: $got, not $3" >&2
        exit 1
    fi
}

check_all() {
    check "$1" '' "$2"
    "$hksum" -a "$1" --list | awk -v rows="^$1_" '$1 ~ rows && !/cannot/ { print $1 }' |
        while read -r kernel; do
            check "$1" "--kernel=$kernel" "$2"
        done
}

check_all sha1 a9993e364706816aba3e25717850c26c9cd0d89d
check_all sha1dc a9993e364706816aba3e25717850c26c9cd0d89d
check_all sha256 \
    ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad
check_all sha512 ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f
echo "smoke: every kernel that runs here is right"
