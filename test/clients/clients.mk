# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
#
# clients.mk - real programs and their files
#
# Files that the installed git wrote, and one that it reads: part of make check,
# as build/<arch>/tap/gitfiles.tap.

taps: $B/tap/gitfiles.tap

$B/hashed: $B/test/clients/hashed.o $(LIBRARY)
	$(CC) $(CFLAGS) $(CHECK_LINK) $^ -o $@

$B/tap/gitfiles.tap: $B/hashed fresh-taps
	-@if [ "$$($B/hksum --version 2>/dev/null)" ]; then \
	    python3 test/clients/gitfiles.py $B/hashed >$@; \
	else \
	    python3 test/clients/gitfiles.py --emulator $(EMULATOR) $B/hashed >$@; \
	fi
