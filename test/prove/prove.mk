# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
#
# prove.mk - the proof checker; see SOUNDNESS.md
#
#   make prove [ARCH=] [KERNEL=text]   proves kernels equal to the standard
#   make prove-refute [ARCH=]          kernels broken on purpose are refused
#   make prove-mutants [ARCH=] [KERNEL=text] [COUNT=] [SEED=]
#                                      so are random bit flips, COUNT a kernel
#   make prove-xcheck [ARCH=]          instruction semantics against the CPU
#
# Without ARCH= all architectures, so every cross assembler is needed; the last
# needs the cross compilers and QEMU's user mode, too.

PROVE_ARCHES := $(if $(filter command% environment,$(origin ARCH)),$(ARCH),\
                x86_64 i386 armv7 aarch64)
PROVE_ONLY   := $(if $(word 2,$(PROVE_ARCHES)),,--arch $(ARCH))

.PHONY: prove prove-objects prove-unit prove-refute prove-xcheck prove-mutants \
        asm-objects
asm-objects: $(ASM_OBJECTS)
	@:

prove-objects:
	@+for arch in $(PROVE_ARCHES); do \
	    $(MAKE) --no-print-directory ARCH=$$arch asm-objects || exit 1; done

prove-unit:
	@test/prove/test_terms.py --quiet

prove-refute: prove-objects
	@test/prove/test_broken.py $(PROVE_ONLY)

prove-mutants: prove-objects
	@test/prove/mutants.py $(PROVE_ONLY) $(if $(KERNEL),--kernel $(KERNEL)) \
	    $(if $(COUNT),--count $(COUNT)) $(if $(SEED),--seed $(SEED))

prove: prove-unit prove-objects
	@test/prove/prove.py $(PROVE_ONLY) $(if $(KERNEL),--kernel $(KERNEL))

prove-xcheck: prove-objects
	@test/prove/xcheck.py $(PROVE_ONLY)
