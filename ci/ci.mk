# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
#
# Targets that prepare a machine.

.PHONY: setup setup-all

# What building and timing on this machine need.
setup:
	sh ci/setup.sh

# And what testing needs: cross compilers, emulators, checkers.
setup-all:
	sh ci/setup.sh all
