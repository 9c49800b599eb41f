# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
#
# prove.mk - the proof checker; see SOUNDNESS.md
#
#   make prove [ARCH=] [KERNEL=text]   proves kernels equal to the standard
#   make prove-xcheck [ARCH=]          instruction semantics against the CPU
#
# Without ARCH= all architectures, so every cross assembler is needed; the second
# needs the cross compilers and QEMU's user mode, too.

PROVE_ARCHES := $(if $(filter command% environment,$(origin ARCH)),$(ARCH),\
                x86_64 i386 armv7 aarch64)
PROVE_ONLY   := $(if $(word 2,$(PROVE_ARCHES)),,--arch $(ARCH))

.PHONY: prove prove-objects prove-unit prove-xcheck asm-objects
asm-objects: $(ASM_OBJECTS)
	@:

prove-objects:
	@+for arch in $(PROVE_ARCHES); do \
	    $(MAKE) --no-print-directory ARCH=$$arch asm-objects || exit 1; done

prove-unit:
	@test/prove/test_terms.py --quiet

prove: prove-unit prove-objects
	@test/prove/prove.py $(PROVE_ONLY) $(if $(KERNEL),--kernel $(KERNEL))

prove-xcheck: prove-objects
	@test/prove/xcheck.py $(PROVE_ONLY)
