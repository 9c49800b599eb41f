/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * lld14.c - the SHA-1 of LLVM 14's library, replaced from outside
 *
 *     LD_PRELOAD=/path/to/hashkern-lld14.so ld.lld-14 --build-id=sha1 ...
 *
 * The linker asks libLLVM-14.so.1 for SHA-1 by these functions of the class
 * llvm::SHA1; preloaded, they are found here first. They bear the library's
 * symbol version, so that nothing of another LLVM ever binds to them; a program
 * with another LLVM goes on with its own, and is told so.
 */
#define _GNU_SOURCE /* dl_iterate_phdr, program_invocation_short_name */

#include <errno.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "hashkern.h"
#include "memory.h"

/* llvm::ArrayRef<uint8_t> and llvm::StringRef, passed in two registers; and
 * std::array<uint8_t, 20>, returned in memory that the caller points to. Both
 * are what C makes of these structs, too. */
struct llvm_bytes {
    const uint8_t *data;
    size_t size;
};
struct llvm_digest {
    uint8_t byte[HK_SHA1_DIGEST];
};

/* llvm::SHA1 of LLVM 14, up to what its update touches. Bytes of the buffer are
 * kept as words of the machine: on a little-endian one the n-th is at n ^ 3. */
struct llvm_sha1 {
    uint8_t buffer[HK_SHA1_BLOCK];
    uint32_t state[5];
    uint32_t count; /* bytes so far, modulo 2^32 */
    uint8_t used;   /* of the buffer */
};

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the order of bytes in the buffer is known for little-endian machines"
#endif

/* llvm::SHA1::hash(ArrayRef<uint8_t>) */
struct llvm_digest _ZN4llvm4SHA14hashENS_8ArrayRefIhEE(struct llvm_bytes);
/* llvm::SHA1::update(ArrayRef<uint8_t>) and update(StringRef) */
void _ZN4llvm4SHA16updateENS_8ArrayRefIhEE(struct llvm_sha1 *,
                                           struct llvm_bytes);
void _ZN4llvm4SHA16updateENS_9StringRefE(struct llvm_sha1 *, struct llvm_bytes);

static void put(struct llvm_sha1 *hash, const uint8_t *data, size_t size)
{
    for (size_t i = 0; i < size; i++)
        hash->buffer[hash->used++ ^ 3] = data[i];
}

/* The buffer as the message's bytes. */
static void full_buffer(struct llvm_sha1 *hash, hk_sha1_kernel *kernel)
{
    uint8_t block[HK_SHA1_BLOCK];

    for (size_t i = 0; i < sizeof block; i++)
        block[i] = hash->buffer[i ^ 3];
    kernel(hash->state, block, 1);
    hash->used = 0;
}

static void update(struct llvm_sha1 *hash, struct llvm_bytes bytes)
{
    hk_sha1_ctx best; /* only for its kernel */
    size_t whole;

    hk_sha1_init(&best);
    hash->count += (uint32_t)bytes.size;
    if (hash->used) {
        size_t room = sizeof hash->buffer - hash->used;
        size_t now = bytes.size < room ? bytes.size : room;

        put(hash, bytes.data, now);
        bytes.data += now;
        bytes.size -= now;
        if (hash->used == sizeof hash->buffer)
            full_buffer(hash, best.kernel);
    }
    whole = bytes.size / HK_SHA1_BLOCK;
    if (whole) {
        best.kernel(hash->state, bytes.data, whole);
        bytes.data += whole * HK_SHA1_BLOCK;
        bytes.size -= whole * HK_SHA1_BLOCK;
    }
    put(hash, bytes.data, bytes.size);
}

void _ZN4llvm4SHA16updateENS_8ArrayRefIhEE(struct llvm_sha1 *hash,
                                           struct llvm_bytes bytes)
{
    update(hash, bytes);
}

void _ZN4llvm4SHA16updateENS_9StringRefE(struct llvm_sha1 *hash,
                                         struct llvm_bytes bytes)
{
    update(hash, bytes);
}

struct llvm_digest _ZN4llvm4SHA14hashENS_8ArrayRefIhEE(struct llvm_bytes bytes)
{
    struct llvm_digest digest;

    hk_sha1(bytes.data, bytes.size, digest.byte);
    return digest;
}

/* ---- Another LLVM -------------------------------------------------------- */

struct found {
    bool right, wrong;
    char name[64]; /* of the wrong one */
};

static int look(struct dl_phdr_info *info, size_t size, void *user)
{
    const char *slash = strrchr(info->dlpi_name, '/');
    const char *name = slash ? slash + 1 : info->dlpi_name;
    struct found *found = user;

    (void)size;
    if (!strcmp(name, "libLLVM-14.so.1")) {
        found->right = true;
    } else if (!strncmp(name, "libLLVM", 7)) {
        found->wrong = true;
        snprintf(found->name, sizeof found->name, "%s", name);
    }
    return 0;
}

/* Programs without LLVM, such as a shell on the way to the linker, are none of
 * our business, unless they call themselves lld. */
__attribute__((constructor)) static void check_version(void)
{
    struct found found = {false, false, "no shared LLVM"};

    dl_iterate_phdr(look, &found);
    if (found.right ||
        (!found.wrong && !strstr(program_invocation_short_name, "lld")))
        return;
    fprintf(stderr,
            "hashkern: %s has %s, not libLLVM-14.so.1: its own SHA-1 stays\n",
            program_invocation_short_name, found.name);
}
