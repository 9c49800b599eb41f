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

# Bare metal has no libc, and nobody to ask what the CPU has.
BARE   := $(findstring none-eabi,$(CROSS))

CFLAGS ?= -O2 -g
WARN   := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes \
          -Wmissing-prototypes -Wundef -Wvla
override CFLAGS += -std=c11 $(WARN) -ffile-prefix-map=$(CURDIR)=. \
          $(if $(CPU),-m$(if $(filter x86_64 i386,$(ARCH)),arch,cpu)=$(CPU)) \
          $(if $(filter aarch64,$(ARCH)),-ffixed-x18) -Ic $(if $(BARE), \
          -ffreestanding -fno-tree-loop-distribute-patterns -DHK_FREESTANDING, \
          -fPIC -D_FILE_OFFSET_BITS=64)

# lacks FLAGS: what kernels.h finds missing where the compiler has these flags.
# A 32-bit ARM library for one CPU leaves out the kernels that this CPU cannot
# run, and their objects are refused; one for bare metal leaves out also those
# that the flags rule out, NEON first of all.
lacks = $(shell $(CC) $(1) -ffreestanding -Ic -DHK_FREESTANDING -E -dM -x c c/kernels.h | \
          sed -n 's/^.define HK_LACKS_\([A-Z0-9]*\) .*/\1/p')
ifeq ($(ARCH),armv7)
LACKS_CPU := $(if $(CPU),$(call lacks,-mcpu=$(CPU) -mfloat-abi=softfp -mfpu=auto))
LACKS     := $(sort $(LACKS_CPU) $(if $(BARE),$(call lacks,$(CFLAGS))))
override CFLAGS += $(LACKS:%=-DHK_LACKS_%=HK_LACKS)
endif

# Another compiler, or other flags, and all is built again.
BUILT_WITH := $B/built-with
$(shell mkdir -p $B)
COMPILER   := $(strip $(CC) $(filter-out -ffile-prefix-map=%,$(CFLAGS)))
ifneq ($(strip $(file <$(BUILT_WITH))),$(COMPILER))
$(file >$(BUILT_WITH),$(COMPILER))
endif

# ---- the table ---------------------------------------------------------------

# rows ARCH: "algorithm_variant" of each row of that architecture
rows    = $(shell sed -n 's/^KERNEL.\([a-z0-9_]*\), *$(1), *\([a-z0-9_]*\),.*/\1_\2/p' c/kernels.def)
needing = $(shell sed -n 's/^KERNEL.\([a-z0-9_]*\), *armv7, *\([a-z0-9_]*\), *$(1)[|,].*/\1_\2/p' c/kernels.def)
ROWS_ASM := $(filter-out $(foreach need,$(LACKS),$(call needing,$(need))), \
              $(call rows,$(ARCH)))
ROWS_C   := $(call rows,any)

ASM_OBJECTS := $(ROWS_ASM:%=$B/asm/%.o)
C_OBJECTS   := $(ROWS_C:%=$B/c/%.o)

# What includes a header of libc is not for bare metal.
HOSTED      := $(shell grep -lE '^.include <(errno|std(io|lib)|string|unistd)\.h>' c/*.c)
API_SOURCES := $(filter-out %_ref.c %_c.c c/hksum% c/sha1detectcoll.c \
                 $(if $(BARE),$(HOSTED)),$(wildcard c/*.c))
API_OBJECTS := $(API_SOURCES:c/%.c=$B/c/%.o)
LIBRARY     := $B/libhashkern.a

# The command-line tool, where there is an operating system. For another machine
# it is static, so that it needs no library there.
TOOL_OBJECTS := $(patsubst c/%.c,$B/c/%.o,$(wildcard c/hksum*.c))
TOOL         := $(if $(BARE),,$B/hksum)

.PHONY: all clean
all: $(LIBRARY) $(TOOL)

$(LIBRARY): $(ASM_OBJECTS) $(C_OBJECTS) $(API_OBJECTS)
	@rm -f $@
	$(AR) rcsD $@ $^

LINK_TOOL = $(CC) $(CFLAGS) $(LDFLAGS) \
            $(if $(filter-out $(HOST),$(ARCH)),-static) $(TOOL_OBJECTS) $(LIBRARY) -pthread
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

$B/asm/%.o: asm/$(ARCH)/%.S $(wildcard asm/*.inc asm/$(ARCH)/*.inc) $(BUILT_WITH)
	@mkdir -p $(@D)
	$(CC) -c -g -Iasm/$(ARCH) -Iasm $< -o $@
	@$(OBJCOPY) -x --keep-section='.debug_*' $@

define refuse
.PHONY: $B/asm/$(1).o
$B/asm/$(1).o:
	@echo "$(1) needs $(2), which $(CPU) lacks: not assembled" >&2; exit 1
endef
$(foreach need,$(LACKS_CPU),$(foreach row,$(call needing,$(need)),\
  $(eval $(call refuse,$(row),$(need)))))

# A row c_<store> is the portable C with that store strategy.
HEADERS := $(wildcard c/*.h asm/*_k.inc) c/kernels.def $(BUILT_WITH)
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
