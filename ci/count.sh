# shellcheck shell=sh
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
#
# count.sh - what scripts that test report with; read by them with "."
#
# Set suite (the name before each test's) and log (a file to write to) before.

: "${suite:?}" "${log:?}"
passed=0 failed=0 skipped=0

ok() {
    echo "ok - $suite: $1"
    passed=$((passed + 1))
}
not_ok() {
    echo "not ok - $suite: $1"
    failed=$((failed + 1))
}
skip() {
    echo "ok - $suite: $1 # SKIP $2"
    skipped=$((skipped + 1))
}

# try NAME COMMAND...: ok if the command succeeds
try() {
    name=$1
    shift
    if "$@" >"$log" 2>&1; then ok "$name"; else
        not_ok "$name"
        tail -n 50 "$log" | sed 's/^/    /'
    fi
}

# The last line, and the script's exit status
finish() {
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" = 0 ]
}
