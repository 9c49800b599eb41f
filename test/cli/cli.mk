# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
#
# The command-line tool: part of make check, as build/<arch>/tap/cli.tap. And
# make check-cli-hostile: the same under valgrind, and built with sanitizers.

taps: $B/tap/cli.tap

$B/tap/cli.tap: $B/hksum fresh-taps
	-@if [ "$$($B/hksum --version 2>/dev/null)" ]; then \
	    python3 test/cli/cli.py $B/hksum >$@; \
	else \
	    python3 test/cli/cli.py --quick --emulator $(EMULATOR) $B/hksum >$@; \
	fi

.PHONY: check-cli-hostile
check-cli-hostile: $B/hksum
	@mkdir -p $B/hostile/tap
	@+$(MAKE) --no-print-directory B=$(SANITIZED) CFLAGS="$(SANITIZE)" $(SANITIZED)/hksum
	-@python3 test/cli/cli.py --quick $(SANITIZED)/hksum >$B/hostile/tap/sanitized.tap
	@+$(MAKE) --no-print-directory B=$(RACES) CFLAGS="$(RACE)" $(RACES)/hksum
	-@python3 test/cli/cli.py --quick $(RACES)/hksum >$B/hostile/tap/races.tap
	-@python3 test/cli/cli.py --quick --wrapper 'valgrind -q --error-exitcode=99' \
	    $B/hksum >$B/hostile/tap/valgrind.tap
	@test/summary.py --partial $B/hostile/tap
