# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
#
# The command-line tool: part of make check, as build/<arch>/tap/cli.tap.

taps: $B/tap/cli.tap

$B/tap/cli.tap: $B/hksum fresh-taps
	-@if [ "$$($B/hksum --version 2>/dev/null)" ]; then \
	    python3 test/cli/cli.py $B/hksum >$@; \
	else \
	    python3 test/cli/cli.py --quick --emulator $(EMULATOR) $B/hksum >$@; \
	fi
