# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The hashkern authors
#
# clients.mk - what existing programs load, so that they hash with hashkern
#
#     make provider            build/<arch>/hashkern.so, a provider of OpenSSL 3
#     make install-provider    with the words of make install, and MODULESDIR=
#     make lld-sha1            build/<arch>/hashkern-lld14.so, to preload into the
#                              lld of LLVM 14
#     make install-lld-sha1
#
# Not part of make all and make install: the first needs OpenSSL's headers.

MODULESDIR ?= $(LIBDIR)/ossl-modules
PROVIDER   := $B/hashkern.so
LLD_SHA1   := $B/hashkern-lld14.so

.PHONY: provider install-provider uninstall-provider
.PHONY: lld-sha1 install-lld-sha1 uninstall-lld-sha1
provider: $(PROVIDER)
lld-sha1: $(LLD_SHA1)

# (A sanitizer's functions come with the program.)
LINK_CLIENT = $(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-z,text -Wl,-z,relro \
              -Wl,-z,now $(if $(findstring sanitize,$(CFLAGS)),,-Wl,-z,defs) \
              $(NO_DEBUG)

$(PROVIDER): $B/c/clients/provider.o $(LIBRARY)
	@echo '{ global: OSSL_provider_init; local: *; };' >$B/provider.map
	$(LINK_CLIENT) -Wl,--version-script=$B/provider.map $^ -lcrypto -o $@

install-provider: $(PROVIDER)
	$(INSTALL) -d $(DESTDIR)$(MODULESDIR)
	$(INSTALL) -m 644 $(PROVIDER) $(DESTDIR)$(MODULESDIR)
uninstall-provider:
	rm -f $(DESTDIR)$(MODULESDIR)/$(notdir $(PROVIDER))

$(LLD_SHA1): $B/c/clients/lld14.o $(LIBRARY)
	@echo 'LLVM_14 { global: _ZN4llvm4SHA1*; local: *; };' >$B/lld14.map
	$(LINK_CLIENT) -Wl,--version-script=$B/lld14.map $^ -o $@

install-lld-sha1: $(LLD_SHA1)
	$(INSTALL) -d $(DESTDIR)$(LIBDIR)
	$(INSTALL) -m 644 $(LLD_SHA1) $(DESTDIR)$(LIBDIR)
uninstall-lld-sha1:
	rm -f $(DESTDIR)$(LIBDIR)/$(notdir $(LLD_SHA1))
