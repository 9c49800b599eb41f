# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
#
# make bench [PEERS=1] [JSON=1|CSV=1] [ALG="sha1 ..."] [SECONDS=20]
# make compare [FILE=...] [PEERS=0]
# make bench-diff BASE=revision [ALG=...]
# make bench-cases
# make bench-tool
# make tables [STEP="speed ..."]

BENCH_SOURCES := $(wildcard test/bench/*.c)
BENCH_OBJECTS := $(BENCH_SOURCES:test/bench/%.c=$B/test/bench/%.o)
BENCH         := $B/bench

# The C rows once more, at -O3 by each compiler of this machine (compilers.c).
ifeq ($(ARCH),$(HOST))
BENCH_CC      := $(foreach cc,gcc clang,$(if $(shell command -v $(cc)),$(cc)))
endif
BENCH_ROWS    := $(filter-out %_ref,$(ROWS_C))
BENCH_CC_OBJECTS := $(foreach cc,$(BENCH_CC),$(BENCH_ROWS:%=$B/test/bench/$(cc)/%.o))
BENCH_CC_FLAGS = $(filter-out -O% -g,$(CFLAGS)) -O3

# bench_row COMPILER, ROW, SOURCE, FLAGS
define bench_row
$B/test/bench/$(1)/$(2).o: c/$(strip $(3)).c $(HEADERS)
	@mkdir -p $$(@D)
	$(1) $$(BENCH_CC_FLAGS) $(4) -c $$< -o $$@
	@$(OBJCOPY) --redefine-sym hk_$(2)=hk_$(2)_$(1) $$@
endef
store_of = $(filter volatile constraint barrier,$(lastword $(subst _, ,$(1))))
$(foreach cc,$(BENCH_CC),$(foreach row,$(BENCH_ROWS),$(eval $(call bench_row,$(cc),$(row),\
  $(patsubst %_$(or $(call store_of,$(row)),-),%,$(row)),$(addprefix -DHK_STORE=,$(call store_of,$(row)))))))

# C_ROW(sha1, c_volatile, clang) of each
$B/test/bench/c_rows.h: c/kernels.def test/bench/bench.mk
	@mkdir -p $(@D)
	@for cc in $(BENCH_CC); do for row in $(BENCH_ROWS); do \
	    echo "C_ROW($${row%%_*}, $${row#*_}, $$cc)"; done; done >$@

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
	$(CC) $(CFLAGS) $(BENCH_FLAGS) -I$B/test/bench -c $< -o $@
$B/test/bench/compilers.o: $B/test/bench/c_rows.h

$(BENCH): $(BENCH_OBJECTS) $(BENCH_CC_OBJECTS) $(LIBRARY)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ $(BENCH_LIBS) -o $@

# On x86-64, i386 has a second program, which opens Debian's 32-bit libraries: they
# are unpacked under build/, and found by theirs too through the old kind of rpath.
# If they are not to be had, the static one says so.
ifeq ($(ARCH)-$(HOST),i386-x86_64)
BENCH_PEERED  := $(BENCH)-peers
BENCH_ROOT    := $(CURDIR)/build/i386-root
BENCH_OPENED  := libssl3 libgcrypt20 libgpg-error0 libnettle8
$B/test/bench/peers-opened.o: test/bench/peers.c test/bench/bench.h $(HEADERS)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -DBENCH_PEERS -I$B/test/bench -c $< -o $@
$(BENCH_PEERED): $B/test/bench/peers-opened.o $(filter-out %/peers.o,$(BENCH_OBJECTS)) $(LIBRARY)
	@rm -f $@
	@if test/bench/fetch-i386.sh $(BENCH_ROOT) $(BENCH_OPENED) >$@.log 2>&1; then \
	    $(CC) $(CFLAGS) $(LDFLAGS) $^ -ldl -Wl,--dynamic-linker=$(BENCH_ROOT)/lib/ld-linux.so.2 \
	        -Wl,--disable-new-dtags,-rpath,$(BENCH_ROOT)/usr/lib/i386-linux-gnu:$(BENCH_ROOT)/lib/i386-linux-gnu -o $@; \
	else echo "bench: Debian's 32-bit libraries are not to be had: $@.log" >&2; fi
endif

# The program for BENCH_RUN where peers are wanted: $(call peered,what PEERS says)
peered = $(if $(filter-out 0,$(1)),$(BENCH_PEERED))
BENCH_PEERS_RUN = $(if $(1),program=$(1); [ -x $$program ] || program=$(BENCH); $$program,$(BENCH_RUN))

.PHONY: bench compare bench-diff tables

bench: $(BENCH) $(call peered,$(PEERS))
	@$(call BENCH_PEERS_RUN,$(call peered,$(PEERS))) --seconds $(or $(SECONDS),20) --compilers \
	    $(if $(filter-out 0,$(PEERS)),--tiers) $(if $(filter-out 0,$(JSON)),--json) \
	    $(if $(filter-out 0,$(CSV)),--csv) $(ALG)

# Hashes a real file of at least 100 MB: FILE, or one that is found, or made. Where
# the program is emulated it says so (status 3), and instructions are counted.
compare: $(BENCH) $(call peered,$(or $(PEERS),1))
	@$(call BENCH_PEERS_RUN,$(call peered,$(or $(PEERS),1))) --compare --compilers --seconds $(or $(SECONDS),20) \
	    --file "$$(sh test/bench/find-file.sh '$(FILE)')" \
	    $(if $(filter-out 0,$(or $(PEERS),1)),--peers) \
	    $(if $(filter-out 0,$(JSON)),--json) $(if $(filter-out 0,$(CSV)),--csv) $(ALG) || \
	    { [ $$? = 3 ] && $(MAKE) --no-print-directory cost ARCH=$(ARCH) \
	        $(if $(ALG),KERNEL='^($(subst $(empty) ,|,$(strip $(ALG))))_'); }

# This tree against another revision, kernel by kernel in one run.
bench-diff: $(BENCH)
	@[ "$(BASE)" ] || { echo "bench-diff: say BASE=revision" >&2; exit 2; }
	@rm -rf build/base && mkdir -p build/base
	@git archive $(BASE) | tar -x -C build/base
	@$(MAKE) -s -C build/base build/$(ARCH)/bench
	@$(BENCH_RUN) --seconds $(or $(SECONDS),20) \
	    --against $(CURDIR)/build/base/build/$(ARCH)/bench $(ALG)

# Measures all that RESULTS.md shows, or some of it, and writes that page, its
# pictures and the README's figures. Takes some minutes.
tables: $(BENCH) $B/hksum
	@python3 test/bench/tables.py $(STEP)

# What has no size: short messages of many lengths, blocks that are hard to judge.
.PHONY: bench-cases
$B/test/bench/cases.o: test/bench/cases/cases.c $(HEADERS)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -Itest/check -c $< -o $@
$B/cases: $B/test/bench/cases.o $B/test/bench/machine.o $B/test/check/attack.o \
    $B/test/check/random.o $(LIBRARY)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ $(if $(filter-out $(HOST),$(ARCH)),-static) -o $@
bench-cases: $B/cases
	@$B/cases

# The command-line tool against coreutils and openssl.
.PHONY: bench-tool
bench-tool: $B/hksum
	@sh test/bench/tool.sh $<
