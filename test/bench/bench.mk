# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
#
# make bench [PEERS=1] [JSON=1|CSV=1] [ALG="sha1 ..."] [SECONDS=20]
# make compare [FILE=...] [PEERS=0]
# make bench-diff BASE=revision [ALG=...]

BENCH_SOURCES := $(wildcard test/bench/*.c)
BENCH_OBJECTS := $(BENCH_SOURCES:test/bench/%.c=$B/test/bench/%.o)
BENCH         := $B/bench

# Only a program of this machine can open the libraries of this machine.
ifeq ($(ARCH),$(HOST))
BENCH_FLAGS   := -DBENCH_PEERS
BENCH_LIBS    := -ldl
else
BENCH_LIBS    := -static
endif

# What this machine cannot execute is started under QEMU, where the program
# refuses to print times.
BENCH_RUN = $$($(BENCH) --worker </dev/null 2>/dev/null || \
    echo qemu-$(subst armv7,arm,$(ARCH))) $(BENCH)

$B/test/bench/%.o: test/bench/%.c test/bench/bench.h $(HEADERS)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(BENCH_FLAGS) -c $< -o $@

$(BENCH): $(BENCH_OBJECTS) $(LIBRARY)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ $(BENCH_LIBS) -o $@

.PHONY: bench compare bench-diff

bench: $(BENCH)
	@$(BENCH_RUN) --seconds $(or $(SECONDS),20) \
	    $(if $(filter-out 0,$(PEERS)),--tiers) $(if $(filter-out 0,$(JSON)),--json) \
	    $(if $(filter-out 0,$(CSV)),--csv) $(ALG)

# Hashes a real file of at least 100 MB: FILE, or one that is found, or made.
compare: $(BENCH)
	@$(BENCH_RUN) --compare --seconds $(or $(SECONDS),20) \
	    --file "$$(sh test/bench/find-file.sh '$(FILE)')" \
	    $(if $(filter-out 0,$(or $(PEERS),1)),--peers) \
	    $(if $(filter-out 0,$(JSON)),--json) $(if $(filter-out 0,$(CSV)),--csv) $(ALG)

# This tree against another revision, kernel by kernel in one run.
bench-diff: $(BENCH)
	@[ "$(BASE)" ] || { echo "bench-diff: say BASE=revision" >&2; exit 2; }
	@rm -rf build/base && mkdir -p build/base
	@git archive $(BASE) | tar -x -C build/base
	@$(MAKE) -s -C build/base build/$(ARCH)/bench
	@$(BENCH_RUN) --seconds $(or $(SECONDS),20) \
	    --against $(CURDIR)/build/base/build/$(ARCH)/bench $(ALG)
