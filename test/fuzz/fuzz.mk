# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
#
# fuzz.mk - make fuzz-sha1dc [SECONDS=60]: libFuzzer (clang), on this machine
#
# The C of the target and of the library is built anew, with what the fuzzer and
# the address sanitizer want to see.

FUZZ_CC     ?= clang
FUZZ_FLAGS  := -g -O1 -std=c11 -fsanitize=fuzzer,address,undefined \
               -fno-sanitize-recover=undefined -Ic -Itest/check
FUZZ_C      := $(filter-out c/hashkern_file.c,$(API_SOURCES)) \
               $(patsubst %,c/%.c,$(filter-out %_c_volatile %_c_constraint \
                   %_c_barrier,$(ROWS_C))) \
               test/check/attack.c test/check/random.c

.PHONY: fuzz-sha1dc
$B/fuzz/sha1dc: test/fuzz/sha1dc.c $(FUZZ_C) $(HEADERS) $(ASM_OBJECTS)
	@mkdir -p $(@D)
	@for store in volatile constraint barrier; do \
	    $(CC) $(CFLAGS) -DHK_STORE=$$store -c c/sha1_c.c \
	        -o $(@D)/sha1_c_$$store.o || exit; done
	$(FUZZ_CC) $(FUZZ_FLAGS) $< $(FUZZ_C) $(ASM_OBJECTS) \
	    $(@D)/sha1_c_*.o -o $@

fuzz-sha1dc: $B/fuzz/sha1dc
	@mkdir -p $B/fuzz/corpus
	$B/fuzz/sha1dc -max_len=2742 -max_total_time=$(or $(SECONDS),60) $B/fuzz/corpus
