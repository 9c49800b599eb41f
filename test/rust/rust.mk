# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
#
# rust.mk - SipHash as a Rust Hasher, equal to the standard library's

.PHONY: check-rust time-rust
RUST := HASHKERN_LIB=$(abspath $B) CARGO_TARGET_DIR=$(abspath build/rust) cargo
RUST_FLAGS := -q --offline --locked --release --manifest-path test/rust/Cargo.toml
check-rust: $(LIBRARY)
	@if ! command -v cargo >/dev/null; then \
	    echo 'skip: check-rust: no cargo on this machine'; \
	    echo '0 passed, 0 failed, 1 skipped'; \
	else \
	    $(RUST) test $(RUST_FLAGS) >build/rust.log 2>&1; status=$$?; \
	    cat build/rust.log; \
	    awk '/^test result:/ { p += $$4; f += $$6; s += $$8 } \
	         END { printf "%d passed, %d failed, %d skipped\n", p, f, s }' \
	        build/rust.log; \
	    exit $$status; \
	fi

# Nanoseconds a call, against std, by size
time-rust: $(LIBRARY)
	$(RUST) run $(RUST_FLAGS) --bin timing
