#!/bin/sh
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
#
# find-file.sh [FILE] - prints the name of a real file of 100 MB to 1 GB: the
# one given, the largest library or program here, or one made below build/.
set -eu

if [ -n "${1:-}" ]; then
    echo "$1"
    exit 0
fi
found=$(find /usr/lib /usr/bin -xdev -type f -size +100000000c \
    -size -1000000000c -readable -printf '%s %p\n' 2>/dev/null |
    sort -rn | sed -n '1s/^[0-9]* //p')
if [ -n "$found" ]; then
    echo "$found"
    exit 0
fi

# Everything that is installed here, up to 128 MB.
made=build/compare.dat
if [ ! -s "$made" ]; then
    mkdir -p build
    find /usr/lib /usr/bin /usr/share -xdev -type f -readable 2>/dev/null |
        sort | xargs -d '\n' cat 2>/dev/null | head -c 128000000 >"$made.part" ||
        true
    # A small system: repeat what there is.
    while [ "$(wc -c <"$made.part")" -lt 100000000 ]; do
        cp "$made.part" "$made.again"
        cat "$made.again" "$made.part" >"$made.twice"
        mv "$made.twice" "$made.part"
        rm -f "$made.again"
    done
    mv "$made.part" "$made"
fi
echo "$made"
