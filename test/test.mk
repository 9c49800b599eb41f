# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
#
# test.mk - make check [ARCH=] [FILTER=text] [SEED=n], make check-all
#
# Each run of the check program leaves a report in TAP below build/<arch>/tap/;
# test/summary.py adds them up and fails unless every row of kernels.def was ok.
# The runs of an architecture: "all" runs every row that this machine, or the
# emulator's best CPU, can run, and the tests of the API; then one run for each
# CPU model that kernels.def names as the weakest of some row.

comma         := ,
CHECK_ARCH    := $(if $(filter x86_64 i386,$(ARCH)),x86,arm)
CHECK_SOURCES := $(filter-out test/check/arch_%,$(wildcard test/check/*.c)) \
                 test/check/arch_$(CHECK_ARCH).c
CHECK_OBJECTS := $(CHECK_SOURCES:test/%.c=$B/test/%.o) \
                 $B/test/check/tramp_$(ARCH).o \
                 $B/test/broken/any.o $B/test/broken/$(ARCH).o

# Programs for other machines are static, so that they need no library there.
ifneq ($(ARCH),$(HOST))
CHECK_LINK    := -static
endif

# suite_file.c injects faults into these calls.
CHECK_WRAP    := -Wl,--wrap=write,--wrap=fsync,--wrap=ftruncate

# What this machine cannot run goes to QEMU's user mode, with less repetition.
EMULATOR      := qemu-$(subst armv7,arm,$(ARCH))
CPU_QUIET     := $(if $(filter x86,$(CHECK_ARCH)),$(comma)check=off)
runs_here      = $(shell $B/check --list 2>/dev/null | head -n 1)
RUN_ALL        = $(if $(runs_here),$B/check,$(EMULATOR) -cpu max $B/check --quick)
CHECK_OPTIONS := $(if $(FILTER),--filter '$(FILTER)') $(if $(SEED),--seed $(SEED))

$B/test/%.o: test/%.c $(HEADERS) $(wildcard test/*/*.h test/*/*.def)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -Itest/check -Itest/broken -c $< -o $@

$B/test/%.o: test/%.asm $(wildcard test/*/*.inc)
	@mkdir -p $(@D)
	$(NASM) -f $(NASM_FORMAT_$(ARCH)) -w+all \
	    -g -F dwarf -I$(<D)/ -Iasm/$(ARCH)/ -Iasm/ $< -o $@

$B/test/%.o: test/%.S
	@mkdir -p $(@D)
	$(CC) -c -g -Iasm/$(ARCH) -Iasm $< -o $@

$B/check: $(CHECK_OBJECTS) $B/c/sha1detectcoll.o $(LIBRARY)
	$(CC) $(CFLAGS) $(CHECK_LINK) $(CHECK_WRAP) $^ -o $@

# ---- runs --------------------------------------------------------------------

# Debian's armhf programs need ARMv7 and VFP: rows for weaker CPUs run in a
# second build, for armel.
MODELS        := $(sort $(shell sed -n \
    's/^KERNEL([^,]*, *$(ARCH),.*"\([^":]*\)").*/\1/p' c/kernels.def))
MODELS_ARMEL  := $(if $(filter armv7,$(ARCH)),$(filter-out cortex-% max,$(MODELS)))
ARMEL         := $B/armel
TAPS          := $B/tap/all.tap \
                 $(patsubst %,$B/tap/cpu-%.tap,$(filter-out $(MODELS_ARMEL),$(MODELS))) \
                 $(patsubst %,$B/tap/armel-%.tap,$(MODELS_ARMEL))

.PHONY: check check-rows check-all check-tester taps fresh-taps armel FORCE

# The summary judges a report, so that one bad run does not hide the others.
$B/tap/all.tap: $B/check fresh-taps
	-@$(RUN_ALL) $(CHECK_OPTIONS) >$@
$B/tap/cpu-%.tap: $B/check fresh-taps
	-@$(EMULATOR) -cpu $*$(CPU_QUIET) $B/check --cpu $* --quick $(CHECK_OPTIONS) >$@
$B/tap/armel-%.tap: armel fresh-taps
	-@$(EMULATOR) -cpu $* $(ARMEL)/check --cpu $* --quick $(CHECK_OPTIONS) >$@

fresh-taps:
	@rm -rf $B/tap
	@mkdir -p $B/tap

armel:
	@+$(MAKE) --no-print-directory ARCH=armv7 CROSS=arm-linux-gnueabi- \
	    B=$(ARMEL) $(ARMEL)/check

# ---- the API, watched more closely -------------------------------------------

# CPUs that say odd things of themselves, where others chose a wrong kernel:
# AVX without OSXSAVE, leaf 7 above the last leaf, AVX2 without AVX, max leaf 3.
CPU_no-xsave  := Haswell,-xsave
CPU_leaf-4    := Haswell,level=4
CPU_no-avx    := max,-avx
CPU_pentium3  := pentium3
ODD_x86_64    := no-xsave leaf-4 no-avx
ODD_i386      := no-xsave leaf-4 no-avx pentium3
TAPS_WATCHED  := $(ODD_$(ARCH):%=$B/tap/odd-%.tap)
$B/tap/odd-%.tap: $B/check fresh-taps
	-@$(EMULATOR) -cpu $(CPU_$*)$(CPU_QUIET) $B/check --quick --filter dispatch/ >$@

# Sanitizers and valgrind, on this machine's own architecture.
SANITIZED     := $B/sanitized
SANITIZE      := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all
RACES         := $B/races
RACE          := -O1 -g -fsanitize=thread
ifeq ($(ARCH),$(HOST))
TAPS_WATCHED  += $B/tap/sanitized.tap $B/tap/threads.tap $B/tap/valgrind.tap
endif

# What a sanitizer finds at the end of a run, such as a leak, only its exit status
# tells. (What valgrind finds, each test asks for.)
define watch
status=0; $(1) >$@ || status=$$?; \
if [ $$status -gt 1 ]; then echo "Bail out! exit status $$status" >>$@; fi
endef
export ASAN_OPTIONS := exitcode=23

$(SANITIZED)/check: FORCE
	@+$(MAKE) --no-print-directory B=$(SANITIZED) CFLAGS="$(SANITIZE)" $@
$B/tap/sanitized.tap: $(SANITIZED)/check fresh-taps
	-@$(call watch,$< --quick $(CHECK_OPTIONS))

$B/threads: test/threads.c $(LIBRARY)
	$(CC) $(CFLAGS) $^ -pthread -o $@
$(RACES)/threads: FORCE
	@+$(MAKE) --no-print-directory B=$(RACES) CFLAGS="$(RACE)" $@
$B/tap/threads.tap: $(RACES)/threads fresh-taps
	-@$(call watch,$<)

$B/tap/valgrind.tap: $B/check fresh-taps
	-@if command -v valgrind >/dev/null; then \
	    valgrind -q --error-exitcode=9 $B/check --quick $(CHECK_OPTIONS) >$@; \
	else \
	    printf 'ok 1 - valgrind # SKIP it is not installed\n1..1\n' >$@; \
	fi

FORCE:

# ---- all together ------------------------------------------------------------

taps: $(TAPS) $(TAPS_WATCHED)

check: taps
	@test/summary.py $(if $(FILTER),--partial) $B/tap

# Only what walks the table.
check-rows: $(TAPS)
	@test/summary.py $(if $(FILTER),--partial) $B/tap

ALL_ARCHES    := x86_64 i386 armv7 aarch64
check-all:
	@+for arch in $(ALL_ARCHES); do \
	    $(MAKE) --no-print-directory ARCH=$$arch taps || exit 1; done
	@+$(MAKE) --no-print-directory build/firmware/tap/boards.tap
	@+$(MAKE) --no-print-directory build/cross/tap/cross.tap
	@test/summary.py $(ALL_ARCHES:%=build/%/tap) build/firmware/tap build/cross/tap

# Breaks real kernels and demands that the run is red.
check-tester:
	@mkdir -p build/tester/tap
	-@test/red.py $(RED) >build/tester/tap/red.tap
	@test/summary.py --partial build/tester/tap
