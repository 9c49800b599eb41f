#!/bin/sh
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
#
# ci.sh - everything that CI does; runs the same at home. The parts are make
# targets, each of which ends with "N passed, N failed, N skipped". The last line
# is their sum; the exit status is 1 if anything failed.
set -u
cd "$(dirname "$0")/.." || exit 1

log=build/ci
mkdir -p "$log"
passed=0 failed=0 skipped=0

# count NAME STATUS: adds up the counts that a part printed at its end
count() {
    line=$(grep -oE '[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped' \
        "$log/$1.log" | tail -n 1)
    if [ -n "$line" ]; then
        # shellcheck disable=SC2046 # three numbers
        set -- "$1" "$2" $(printf '%s\n' "$line" | sed -E \
            's/([0-9]+) passed, ([0-9]+) failed, ([0-9]+) skipped/\1 \2 \3/')
    else
        set -- "$1" "$2" "$(($2 == 0))" 0 0
    fi
    passed=$((passed + $3))
    failed=$((failed + $4))
    skipped=$((skipped + $5))
    if [ "$2" != 0 ] && [ "$4" = 0 ]; then
        failed=$((failed + 1))
    fi
}

# part NAME COMMAND...: runs a part, shows and keeps what it prints
part() {
    name=$1
    shift
    echo "== $name: $*"
    start=$(date +%s)
    { "$@" 2>&1; echo $? >"$log/$name.status"; } | tee "$log/$name.log"
    count "$name" "$(cat "$log/$name.status")"
    echo "== $name: $(($(date +%s) - start)) s"
}

jobs=-j$(nproc)

part setup make setup-all
part check make -s "$jobs" check-all
part check-tester make -s "$jobs" check-tester
part check-tool make -s "$jobs" check-cli-hostile
part check-install make -s check-install
part check-clients make -s check-clients-short
part check-rust make -s check-rust
part lint make -s "$jobs" lint
part lint-test make -s lint-test
part prove make -s "$jobs" prove
part prove-refute make -s prove-refute
part prove-xcheck make -s prove-xcheck
part prove-mutants make -s prove-mutants COUNT=1
part unchanged git diff --exit-code

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
