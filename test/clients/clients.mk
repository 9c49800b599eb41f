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

# ---- OpenSSL -----------------------------------------------------------------

$B/provider_test: $B/test/clients/provider_test.o
	$(CC) $(CFLAGS) $^ -lcrypto -pthread -o $@

# ---- LLVM's linker -----------------------------------------------------------

LLVM14 := -isystem /usr/lib/llvm-14/include -isystem /usr/include/llvm-14
$B/lld14_test: test/clients/lld14_test.cpp $(LIBRARY)
	g++ -O1 -std=c++14 -Wall -Wextra -Ic $(LLVM14) $^ \
	    -L/usr/lib/llvm-14/lib -lLLVM-14 -ldl -o $@

# ---- all together ------------------------------------------------------------

# With git's tests of packs only: make check-clients-short, as CI does.
.PHONY: check-clients check-clients-short time-clients
check-clients:
	@ci/clients.sh all
check-clients-short:
	@ci/clients.sh

# Tables: git with each SHA-1 that it has, and with ours; links with lld 14. With
# JSON=1 three objects of JSON.
time-clients:
	@JSON=$(JSON) ci/clients.sh time
