# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
#
# Targets that prepare a machine, look at sources and objects, and write what is
# generated. CI itself is ci/ci.sh.

.PHONY: setup setup-all lint lint-test size readme all-kernels

# What building and timing on this machine need.
setup:
	sh ci/setup.sh

# And what testing needs: cross compilers, emulators, checkers.
setup-all:
	sh ci/setup.sh all

# The assembly of all architectures, and this machine's library.
all-kernels: all
	@+for arch in x86_64 i386 armv7 aarch64; do \
	    $(MAKE) --no-print-directory ARCH=$$arch asm-objects || exit 1; done

# House rules of sources, table and objects; and that each rule can fail.
lint: all-kernels
	@python3 ci/lint.py
lint-test: all-kernels
	@python3 ci/lint_test.py

# Bytes of code, constants and stack of each kernel.
size: $(ASM_OBJECTS) $(C_OBJECTS)
	@python3 ci/sizes.py $(ARCH)

# Writes the README's table of kernels.
readme: all-kernels
	@python3 ci/sizes.py --readme
