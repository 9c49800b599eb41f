# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
#
# cross.mk - make check-cross: what the README says of cross-compiling, what is
# refused, clang, and calls between ARM and Thumb state. Part of make check-all.

.PHONY: check-cross
check-cross: build/cross/tap/cross.tap
	@test/summary.py --partial build/cross/tap

build/cross/tap/cross.tap: FORCE
	@mkdir -p $(@D)
	-@test/cross/cross.py >$@
