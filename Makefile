# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
#
# make [ARCH=x86_64|i386|armv7|aarch64] [CROSS=prefix-] [CPU=model]
#
# Everything is built below build/<arch>/. The list of kernels is c/kernels.def
# and nothing else. Further targets are in the *.mk files below test/ and ci/.

HOST   := $(shell uname -m | sed 's/i.86/i386/;s/armv.*/armv7/')
ARCH   ?= $(HOST)
B      := build/$(ARCH)

CROSS_i386    := i686-linux-gnu-
CROSS_armv7   := arm-linux-gnueabihf-
CROSS_aarch64 := aarch64-linux-gnu-
ifneq ($(ARCH),$(HOST))
CROSS  ?= $(CROSS_$(ARCH))
endif
ifeq ($(origin CC),default)
CC     := $(CROSS)gcc
endif
AR     := $(CROSS)ar
NM     := $(CROSS)nm
OBJCOPY := $(CROSS)objcopy
OBJDUMP := $(CROSS)objdump
READELF := $(CROSS)readelf
SIZE   := $(CROSS)size
NASM   ?= nasm

CFLAGS ?= -O2 -g
WARN   := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes \
          -Wmissing-prototypes -Wundef -Wvla
override CFLAGS += -std=c11 $(WARN) -fPIC -ffile-prefix-map=$(CURDIR)=. \
          $(if $(CPU),-mcpu=$(CPU)) $(if $(filter aarch64,$(ARCH)),-ffixed-x18) -Ic

# ---- the table ---------------------------------------------------------------

# rows ARCH: "algorithm_variant" of each row of that architecture
rows    = $(shell sed -n 's/^KERNEL.\([a-z0-9_]*\), *$(1), *\([a-z0-9_]*\),.*/\1_\2/p' c/kernels.def)
ROWS_ASM := $(call rows,$(ARCH))
ROWS_C   := $(call rows,any)

ASM_OBJECTS := $(ROWS_ASM:%=$B/asm/%.o)
C_OBJECTS   := $(ROWS_C:%=$B/c/%.o)
API_SOURCES := $(filter-out %_ref.c %_c.c c/hksum% c/sha1detectcoll.c, \
                 $(wildcard c/*.c))
API_OBJECTS := $(API_SOURCES:c/%.c=$B/c/%.o)
LIBRARY     := $B/libhashkern.a

# The command-line tool, where there is an operating system. For another machine
# it is static, so that it needs no library there.
TOOL_OBJECTS := $(patsubst c/%.c,$B/c/%.o,$(wildcard c/hksum*.c))
TOOL         := $(if $(findstring none-eabi,$(CROSS)),,$B/hksum)

.PHONY: all clean
all: $(LIBRARY) $(TOOL)

$(LIBRARY): $(ASM_OBJECTS) $(C_OBJECTS) $(API_OBJECTS)
	@rm -f $@
	$(AR) rcsD $@ $^

LINK_TOOL = $(CC) $(CFLAGS) $(LDFLAGS) \
            $(if $(filter-out $(HOST),$(ARCH)),-static) $(TOOL_OBJECTS) $(LIBRARY)
$B/hksum: $(TOOL_OBJECTS) $(LIBRARY)
	$(LINK_TOOL) -o $@

# ---- kernels -----------------------------------------------------------------

# Local labels go: a kernel object has one symbol, its name. The debugger's
# sections stay, where 32-bit ARM has its unwind table too.
NASM_FORMAT_x86_64 := elf64
NASM_FORMAT_i386   := elf32
$B/asm/%.o: asm/$(ARCH)/%.asm $(wildcard asm/*.inc asm/$(ARCH)/*.inc)
	@mkdir -p $(@D)
	$(NASM) -f $(NASM_FORMAT_$(ARCH)) -w+all -g -F dwarf \
	    -Iasm/$(ARCH)/ -Iasm/ $< -o $@
	@$(OBJCOPY) -x --keep-section='.debug_*' $@

$B/asm/%.o: asm/$(ARCH)/%.S $(wildcard asm/*.inc asm/$(ARCH)/*.inc)
	@mkdir -p $(@D)
	$(CC) -c -g -Iasm/$(ARCH) -Iasm $< -o $@
	@$(OBJCOPY) -x --keep-section='.debug_*' $@

# A row c_<store> is the portable C with that store strategy.
HEADERS := $(wildcard c/*.h asm/*_k.inc) c/kernels.def
define c_store
$B/c/$(1)_c_$(2).o: c/$(1)_c.c $(HEADERS)
	@mkdir -p $$(@D)
	$$(CC) $$(CFLAGS) -DHK_STORE=$(2) -c $$< -o $$@
endef
$(foreach row,$(filter %_c_volatile %_c_constraint %_c_barrier,$(ROWS_C)),\
  $(eval $(call c_store,$(word 1,$(subst _c_, ,$(row))),$(word 2,$(subst _c_, ,$(row))))))

$B/c/%.o: c/%.c $(HEADERS)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -c $< -o $@

clean:
	rm -rf build

include $(wildcard ci/*.mk ci/*/*.mk test/*.mk test/*/*.mk)
