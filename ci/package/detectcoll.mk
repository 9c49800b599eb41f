# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
#
# detectcoll.mk - libsha1detectcoll, for programs that want that library
#
#     make detectcoll            static and shared, in build/<arch>
#     make install-detectcoll    with the words of make install, which does this
#                                too; so does make uninstall
#
# Both stand alone: they hold the kernels of the two algorithms that they use,
# and the shared one exports nothing but SHA1DC*.

DETECTCOLL_VERSION := 1.0.0
DETECTCOLL_SONAME  := libsha1detectcoll.so.$(firstword \
                      $(subst ., ,$(DETECTCOLL_VERSION)))
DETECTCOLL_STATIC  := $B/libsha1detectcoll.a
DETECTCOLL_SHARED  := $B/libsha1detectcoll.so.$(DETECTCOLL_VERSION)
DETECTCOLL_OBJECTS := $(filter $B/asm/sha1_% $B/asm/sha1dc_%,$(ASM_OBJECTS)) \
                      $(filter $B/c/sha1_% $B/c/sha1dc_%,$(C_OBJECTS)) \
                      $B/c/sha1dc.o $B/c/cpu.o $B/c/sha1detectcoll.o

.PHONY: detectcoll install-detectcoll
detectcoll: $(DETECTCOLL_STATIC) $(DETECTCOLL_SHARED)

$B/c/sha1detectcoll.o: c/sha1dc/sha1.h

$(DETECTCOLL_STATIC): $(DETECTCOLL_OBJECTS)
	@rm -f $@
	$(AR) rcsD $@ $^

$(DETECTCOLL_SHARED): $(DETECTCOLL_OBJECTS)
	@echo '{ global: SHA1DC*; local: *; };' >$B/detectcoll.map
	$(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-soname,$(DETECTCOLL_SONAME) \
	    -Wl,--version-script=$B/detectcoll.map -Wl,-z,defs -Wl,-z,text \
	    -Wl,-z,relro -Wl,-z,now $(NO_DEBUG) $^ -o $@

DETECTCOLL_INSTALLED = \
    $(INCLUDEDIR)/sha1dc/sha1.h $(LIBDIR)/pkgconfig/libsha1detectcoll.pc \
    $(addprefix $(LIBDIR)/,$(notdir $(DETECTCOLL_STATIC) $(DETECTCOLL_SHARED)) \
        $(DETECTCOLL_SONAME) libsha1detectcoll.so)

install-detectcoll: detectcoll
	$(INSTALL) -d $(sort $(dir $(addprefix $(DESTDIR),$(DETECTCOLL_INSTALLED))))
	$(INSTALL) -m 644 c/sha1dc/sha1.h $(DESTDIR)$(INCLUDEDIR)/sha1dc
	$(INSTALL) -m 644 $(DETECTCOLL_STATIC) $(DETECTCOLL_SHARED) \
	    $(DESTDIR)$(LIBDIR)
	$(STRIP_DEBUG) $(DESTDIR)$(LIBDIR)/$(notdir $(DETECTCOLL_STATIC))
	ln -sf $(notdir $(DETECTCOLL_SHARED)) \
	    $(DESTDIR)$(LIBDIR)/$(DETECTCOLL_SONAME)
	ln -sf $(DETECTCOLL_SONAME) $(DESTDIR)$(LIBDIR)/libsha1detectcoll.so
	$(FILL) -e 's|@DETECTCOLL_VERSION@|$(DETECTCOLL_VERSION)|g' \
	    ci/package/libsha1detectcoll.pc.in \
	    >$(DESTDIR)$(LIBDIR)/pkgconfig/libsha1detectcoll.pc
