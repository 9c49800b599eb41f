# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
#
# make cost [ARCH=...] [KERNEL=regex]: executed instructions and
# estimated cycles of every kernel, for the architectures that no cycle can be
# measured on here. Without ARCH, both architectures of ARM.

COST_ARCHES := $(if $(filter command% environment,$(origin ARCH)),$(ARCH),armv7 aarch64)

# QEMU's plugin interface has a version; an old one is refused after some time.
COST_VERSION = $(shell qemu-arm --version | awk '/version/ { \
    split($$3, v, "."); n = v[1] + v[2] / 10; \
    print n < 8.2 ? 1 : n < 9 ? 2 : n < 9.1 ? 3 : 4 }')

.PHONY: cost
# Kernels that QEMU cannot run, this CPU may.
COST_STEP := $(if $(filter x86_64,$(HOST)),build/cost/step)

cost: build/cost/plugin.so $(COST_STEP)
	@for arch in $(COST_ARCHES); do \
	    $(MAKE) --no-print-directory ARCH=$$arch build/$$arch/test/call || exit; \
	done
	@python3 test/cost/cost.py $(if $(KERNEL),--kernel '$(KERNEL)') $(COST_ARCHES)

build/cost/step: test/cost/step.c
	@mkdir -p $(@D)
	cc -O2 -std=c11 $(WARN) -D_GNU_SOURCE $< -o $@

build/cost/plugin.so: test/cost/plugin.c
	@mkdir -p $(@D)
	cc -O2 -std=c11 $(WARN) -shared -fPIC \
	    -DPLUGIN_VERSION=$(COST_VERSION) $< -o $@

$B/test/call: test/cost/call.c $(LIBRARY)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -static $^ -o $@

# SipHash by message length, against gcc -O3 and clang -O3
.PHONY: cost-siphash
SIPHASH_ARCHES := $(if $(filter command% environment,$(origin ARCH)),$(ARCH),i386 armv7 aarch64)
cost-siphash: build/cost/plugin.so
	@for arch in $(SIPHASH_ARCHES); do \
	    $(MAKE) --no-print-directory ARCH=$$arch build/$$arch/libhashkern.a || exit; \
	done
	@test/cost/siphash.py $(SIPHASH_ARCHES)
