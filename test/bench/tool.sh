#!/bin/sh
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
#
# tool.sh HKSUM [ROUNDS]: the tool against coreutils and openssl, in turn, or
# against those that $TOOLS names
#
# One file of 10^9 zero bytes, and 2000 files of 100 KB, both in the page cache.
# Prints the least milliseconds of each command.

set -eu
hksum=$(realpath "$1")
rounds=${2:-5}
tools=${TOOLS-coreutils openssl}
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"

head -c 1000000000 /dev/zero >zeros
mkdir many
head -c 100000 /dev/urandom >data
for i in $(seq 2000); do
    { tail -c "+$i" data; head -c "$((i - 1))" data; } >"many/$i"
done

# run LABEL COMMAND...: one sample, appended to samples
run() {
    label=$1
    shift
    command -v "$1" >/dev/null || return 0
    start=$(date +%s%N)
    "$@" >/dev/null
    end=$(date +%s%N)
    echo "$label $(((end - start) / 10000))" >>samples
}

for _ in $(seq "$rounds"); do
    for algorithm in sha1 sha256 sha512; do
        for what in zeros many; do
            [ "$what" = zeros ] && files=zeros || files=$(echo many/*)
            # shellcheck disable=SC2086 # names without blanks
            run "$algorithm $what hksum" "$hksum" -a "$algorithm" $files
            # shellcheck disable=SC2086
            run "$algorithm $what hksum-j2" "$hksum" -a "$algorithm" -j2 $files
            # shellcheck disable=SC2086
            case $tools in *coreutils*)
                run "$algorithm $what coreutils" "${algorithm}sum" $files ;;
            esac
            # shellcheck disable=SC2086
            case $tools in *openssl*)
                run "$algorithm $what openssl" openssl dgst "-$algorithm" $files ;;
            esac
        done
    done
done
sort -k1,3 -k4,4n samples | awk '
    !seen[$1, $2, $3]++ {
        printf "%-7s %-6s %-10s %9.2f ms\n", $1, $2, $3, $4 / 100
    }'
