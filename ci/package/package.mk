# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
#
# package.mk - the shared library, make install, uninstall, dist, deb
#
#     make install DESTDIR= PREFIX=/usr/local LIBDIR= INCLUDEDIR= BINDIR= MANDIR=
#     make uninstall       with the same words takes it away again
#     make dist            build/hashkern-VERSION.tar.gz, which can test itself
#     make deb             Debian packages of it, in build/deb
#     make check-install   installs into a folder of its own and builds a foreign
#                          program against that, by pkg-config and by CMake

VERSION    := $(shell sed -n 's/^\#define HK_VERSION *"\(.*\)"/\1/p' c/hashkern.h)
SONAME     := libhashkern.so.$(firstword $(subst ., ,$(VERSION)))
PREFIX     ?= /usr/local
BINDIR     ?= $(PREFIX)/bin
LIBDIR     ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
MANDIR     ?= $(PREFIX)/share/man
DATADIR    ?= $(PREFIX)/share
INSTALL    ?= install

SHARED     := $B/libhashkern.so.$(VERSION)
# NASM's debug information names the folder of the build, and would change the
# build id: what is installed has none. (32-bit ARM has its unwind table there.)
NO_DEBUG   := -Wl,--strip-debug
STRIP_DEBUG := $(OBJCOPY) -D --strip-debug --keep-section=.debug_frame

PUBLIC     := c/hashkern.h c/hashkern_file.h

.PHONY: shared install uninstall dist deb check-install
shared: $(SHARED)

# Of what the library defines, that which the public headers declare is
# exported, under one version; no kernel is.
$B/hashkern.map: $(PUBLIC) $(API_OBJECTS)
	@{ echo 'HASHKERN_$(firstword $(subst ., ,$(VERSION))) {'; echo '    global:'; \
	   $(NM) -g --defined-only $(API_OBJECTS) | awk 'NF == 3 { print $$3 }' | \
	       sort | while read -r name; do \
	           grep -q "\<$$name(" $(PUBLIC) && echo "        $$name;"; done; \
	   echo '    local: *;'; echo '};'; } >$@

$(SHARED): $(ASM_OBJECTS) $(C_OBJECTS) $(API_OBJECTS) $B/hashkern.map
	$(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-soname,$(SONAME) \
	    -Wl,--version-script=$B/hashkern.map -Wl,-z,defs -Wl,-z,text \
	    -Wl,-z,relro -Wl,-z,now $(NO_DEBUG) $(filter %.o,$^) -o $@

# ---- install -----------------------------------------------------------------

# Where each file goes, in one list, so that uninstall knows it too.
INSTALLED := $(INCLUDEDIR)/hashkern.h $(INCLUDEDIR)/hashkern_file.h \
             $(LIBDIR)/libhashkern.a $(LIBDIR)/$(notdir $(SHARED)) \
             $(LIBDIR)/$(SONAME) $(LIBDIR)/libhashkern.so \
             $(LIBDIR)/pkgconfig/hashkern.pc \
             $(LIBDIR)/cmake/hashkern/hashkern-config.cmake \
             $(LIBDIR)/cmake/hashkern/hashkern-config-version.cmake \
             $(BINDIR)/hksum $(MANDIR)/man1/hksum.1 \
             $(MANDIR)/man3/hashkern.3 $(MANDIR)/man3/hashkern_file.3 \
             $(DATADIR)/bash-completion/completions/hksum


FILL = sed -e 's|@VERSION@|$(VERSION)|g' -e 's|@SONAME@|$(SONAME)|g' \
           -e 's|@PREFIX@|$(PREFIX)|g' -e 's|@LIBDIR@|$(LIBDIR)|g' \
           -e 's|@INCLUDEDIR@|$(INCLUDEDIR)|g'

install: $(LIBRARY) $(SHARED) $(TOOL) install-detectcoll
	$(INSTALL) -d $(sort $(dir $(addprefix $(DESTDIR),$(INSTALLED))))
	$(INSTALL) -m 644 $(PUBLIC) $(DESTDIR)$(INCLUDEDIR)
	$(INSTALL) -m 644 $(LIBRARY) $(SHARED) $(DESTDIR)$(LIBDIR)
	$(STRIP_DEBUG) $(DESTDIR)$(LIBDIR)/$(notdir $(LIBRARY))
	ln -sf $(notdir $(SHARED)) $(DESTDIR)$(LIBDIR)/$(SONAME)
	ln -sf $(SONAME) $(DESTDIR)$(LIBDIR)/libhashkern.so
	$(FILL) ci/package/hashkern.pc.in >$(DESTDIR)$(LIBDIR)/pkgconfig/hashkern.pc
	for file in hashkern-config hashkern-config-version; do \
	    $(FILL) ci/package/$$file.cmake.in \
	        >$(DESTDIR)$(LIBDIR)/cmake/hashkern/$$file.cmake || exit; \
	done
	$(LINK_TOOL) $(NO_DEBUG) -o $(DESTDIR)$(BINDIR)/hksum
	$(FILL) ci/package/hksum.1 >$(DESTDIR)$(MANDIR)/man1/hksum.1
	for page in hashkern hashkern_file; do \
	    $(FILL) ci/package/$$page.3 >$(DESTDIR)$(MANDIR)/man3/$$page.3 || exit; \
	done
	$(INSTALL) -m 644 ci/package/hksum.bash \
	    $(DESTDIR)$(DATADIR)/bash-completion/completions/hksum

uninstall:
	rm -f $(addprefix $(DESTDIR),$(INSTALLED) $(DETECTCOLL_INSTALLED))
	rmdir $(DESTDIR)$(LIBDIR)/cmake/hashkern $(DESTDIR)$(INCLUDEDIR)/sha1dc

check-install:
	ci/package/check-install.sh

# ---- dist, deb ---------------------------------------------------------------

DIST := hashkern-$(VERSION)

# The committed files, and nothing else, with the time of the commit.
dist: build/$(DIST).tar.gz
build/$(DIST).tar.gz:
	@mkdir -p build
	git archive --format=tar --prefix=$(DIST)/ HEAD | gzip -9n >$@
.PHONY: build/$(DIST).tar.gz

deb: dist
	rm -rf build/deb
	mkdir -p build/deb
	cp build/$(DIST).tar.gz build/deb/hashkern_$(VERSION).orig.tar.gz
	tar -xzf build/$(DIST).tar.gz -C build/deb
	cp -r build/deb/$(DIST)/ci/package/debian build/deb/$(DIST)/debian
	cd build/deb/$(DIST) && dpkg-buildpackage -us -uc
	cd build/deb && lintian --fail-on error *.changes
