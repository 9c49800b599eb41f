# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
#
# prove.mk - make prove [ARCH=] [KERNEL=text]
#
# Proves kernels equal to the standard for all inputs; see SOUNDNESS.md. Without
# ARCH= all architectures, so every cross assembler is needed.

PROVE_ARCHES := $(if $(filter command% environment,$(origin ARCH)),$(ARCH),\
                x86_64 i386 armv7 aarch64)

.PHONY: prove asm-objects
asm-objects: $(ASM_OBJECTS)

prove:
	@+for arch in $(PROVE_ARCHES); do \
	    $(MAKE) --no-print-directory ARCH=$$arch asm-objects || exit 1; done
	@test/prove/prove.py $(if $(word 2,$(PROVE_ARCHES)),,--arch $(ARCH)) \
	    $(if $(KERNEL),--kernel $(KERNEL))

.PHONY: prove-unit
prove: prove-unit
prove-unit:
	@test/prove/test_terms.py --quiet
