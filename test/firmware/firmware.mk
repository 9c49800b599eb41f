# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
#
# make check-firmware: images without libc or operating system, one kernel
# object each, run on QEMU's boards. Every row of kernels.def whose variant is
# named below is an image on each of the boards beside it. And the library.

FIRMWARE_t1     := microbit
FIRMWARE_t2     := an385 an386 an500 an505
FIRMWARE_v4     := arm926 sa1100
FIRMWARE_strict := virt

# BOARD: QEMU's machine; start code; compiler and its options; addresses of
# code, data and the top of the stack.
BOARD_microbit := -M microbit|m|-mcpu=cortex-m0 -mthumb|0|0x20000000|0x20004000
BOARD_an385    := -M mps2-an385|m|-mcpu=cortex-m3 -mthumb|0|0x20000000|0x20010000
BOARD_an386    := -M mps2-an386|m|-mcpu=cortex-m4 -mthumb|0|0x20000000|0x20010000
BOARD_an500    := -M mps2-an500|m|-mcpu=cortex-m7 -mthumb|0|0x20000000|0x20010000
BOARD_an505    := -M mps2-an505|m|-mcpu=cortex-m33 -mthumb|0x10000000|0x38000000|0x38010000
BOARD_arm926   := -M versatilepb|arm|-mcpu=arm926ej-s -marm|0x10000|0x40000|0x80000
BOARD_sa1100   := -M versatilepb -cpu sa1100|arm|-mcpu=strongarm1100 -marm|0x10000|0x40000|0x80000
BOARD_virt     := -M virt -cpu cortex-a53|aarch64|-mgeneral-regs-only -mstrict-align|0x40100000|0x40140000|0x40180000

firmware_space := $(subst ,, )
# field BOARD N: the N-th field, blanks put back
field = $(subst ~, ,$(word $(2),$(subst |, ,$(subst $(firmware_space),~,$(BOARD_$(1))))))
firmware_arch = $(if $(filter virt,$(1)),aarch64,armv7)
firmware_cross = $(if $(filter virt,$(1)),aarch64-linux-gnu-,arm-none-eabi-)
firmware_qemu = $(if $(filter virt,$(1)),qemu-system-aarch64,qemu-system-arm)
firmware_family = $(patsubst siphash%,siphash,$(firstword $(subst _, ,$(1))))

F := build/firmware

# firmware_where BOARD: options of the linker that lay an image out
firmware_where = -Wl,--defsym=stack_top=$(call field,$(1),6) -Wl,--no-warn-rwx-segments \
    -Wl,-z,noexecstack -Wl,-Ttext=$(call field,$(1),4) -Wl,-Tdata=$(call field,$(1),5) \
    -Wl,-Tbss=$(call field,$(1),5) -Wl,--entry=$(if $(filter m,$(call field,$(1),2)),vectors,reset)

# firmware_run BOARD IMAGE: the rule that runs it
define firmware_run
$F/$(1)-$(2).tap: $F/$(1)-$(2).elf
	@QEMU_AUDIO_DRV=none timeout 60 $(call firmware_qemu,$(1)) $(call field,$(1),1) -nic none -nographic -monitor none \
	    -serial none -semihosting-config enable=on,target=native -kernel $$< >$$@.log 2>&1; \
	    grep -aE '^(not )?ok' $$@.log >$$@ || \
	    echo 'not ok - $(1)/$(2): the board did not answer' >$$@
	@cat $$@
endef

# image BOARD ROW VARIANT: the rules of one image
define firmware_image
$F/$(1)-$(2).elf: asm/$(call firmware_arch,$(1))/$(2).S test/firmware/main.c \
        test/firmware/start_$(call field,$(1),2).S $(HEADERS) \
        $(wildcard asm/*.inc asm/$(call firmware_arch,$(1))/*.inc) test/firmware/firmware.mk
	@mkdir -p $$(@D)
	@$(call firmware_cross,$(1))gcc -c -Iasm/$(call firmware_arch,$(1)) -Iasm $$< -o $F/$(1)-$(2).o
	@$(call firmware_cross,$(1))gcc $(call field,$(1),3) -std=c11 -O1 $(WARN) \
	    -ffreestanding -fno-tree-loop-distribute-patterns -nostdlib -static \
	    -DHK_FREESTANDING -Ic -DFAMILY_$(call firmware_family,$(2)) \
	    -DKERNEL=hk_$(2) -DREFERENCE=hk_$(firstword $(subst _, ,$(2)))_ref \
	    -DNAME='"$(1)/$(2)"' \
	    -DSTACK=$$$$(sed -n 's/^ \* Stack *\([0-9]*\).*/\1/p' $$<) \
	    $(call firmware_where,$(1)) \
	    test/firmware/start_$(call field,$(1),2).S test/firmware/main.c \
	    c/$(firstword $(subst _, ,$(2)))_ref.c $F/$(1)-$(2).o -lgcc -o $$@

$(call firmware_run,$(1),$(2))
endef

firmware_rows = $(filter %_$(1) %_$(1)_small,$(filter-out sha1dc%,$(call rows,armv7) $(call rows,aarch64)))
$(foreach variant,t1 t2 v4 strict,$(foreach board,$(FIRMWARE_$(variant)),\
  $(foreach row,$(call firmware_rows,$(variant)),\
    $(eval $(call firmware_image,$(board),$(row)))\
    $(eval FIRMWARE_TAPS += $F/$(board)-$(row).tap))))

# The whole library, built for bare metal, on CPUs that have different kernels.
LIBRARY_BOARDS := microbit-t1 an385-t2 arm926-v4
library_cpu     = $(patsubst -mcpu=%,%,$(firstword $(call field,$(1),3)))
define library_image
$F/$(1)-library.elf: test/firmware/library.c test/firmware/start_$(call field,$(1),2).S FORCE
	@+$(MAKE) --no-print-directory -s ARCH=armv7 CROSS=arm-none-eabi- CPU=$(call library_cpu,$(1)) \
	    B=$F/library-$(1) $F/library-$(1)/libhashkern.a
	@arm-none-eabi-gcc $(call field,$(1),3) -std=c11 -O1 $(WARN) -ffreestanding \
	    -fno-tree-loop-distribute-patterns -nostdlib -static -DHK_FREESTANDING -Ic \
	    -DKERNEL='"$(2)"' -DNAME='"$(1)/library"' $(call firmware_where,$(1)) \
	    test/firmware/start_$(call field,$(1),2).S test/firmware/library.c \
	    $F/library-$(1)/libhashkern.a -lgcc -o $$@

$(call firmware_run,$(1),library)
endef
$(foreach pair,$(LIBRARY_BOARDS),\
  $(eval $(call library_image,$(firstword $(subst -, ,$(pair))),$(lastword $(subst -, ,$(pair)))))\
  $(eval FIRMWARE_TAPS += $F/$(firstword $(subst -, ,$(pair)))-library.tap))

# The test of this test: a kernel that loads unaligned words must not pass where
# that is a fault.
FIRMWARE_BAD := arm926-siphash24_v6
$(foreach bad,$(FIRMWARE_BAD),\
  $(eval $(call firmware_image,$(firstword $(subst -, ,$(bad))),$(lastword $(subst -, ,$(bad))))))

.PHONY: check-firmware
check-firmware: $F/tap/boards.tap
	@test/summary.py $F/tap

# One report: a line for each image, and one for the test of this test.
$F/tap/boards.tap: $(FIRMWARE_TAPS) $(FIRMWARE_BAD:%=$F/%.tap)
	@mkdir -p $(@D)
	@{ cat $(FIRMWARE_TAPS); for bad in $(FIRMWARE_BAD); do \
	    grep -q '^not ok .*a fault' $F/$$bad.tap || printf 'not '; \
	    echo "ok - tester/$$bad: an unaligned load is noticed"; done; } | \
	    sed -E 's/^((not )?ok) - ([^:]*): (.*)/\1 - \3\n# \4/' | \
	    awk '/ok - / { n++; sub("ok -", "ok " n " -") } { print } \
	         END { print "1.." n }' >$@
