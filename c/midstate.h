/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * midstate.h - a hash at a block border as portable bytes
 *
 * Included by merkle_damgard.h, within its names. The layout is in hashkern.h:
 * algorithm, length, chaining value.
 */
#define MD_TAG          16
#define MD_STRING(name) MD_STRING_(name)
#define MD_STRING_(x)   #x

/* The algorithm's name, zero-padded (and not a C string if it has 16 bytes). */
static const char MD_CALL(_tag)[MD_TAG] = MD_STRING(MD_NAME);

int MD_CALL(_export)(const MD_CTX *ctx, uint8_t midstate[MD_MIDSTATE])
{
    uint8_t *to = midstate;
    const MD_WORD *state = ctx->kernel ? ctx->state : MD_CALL(_initial);

    if (ctx->length % MD_BLOCK)
        return HK_MIDSTATE_NOT_AT_BLOCK;
    hk_copy(to, MD_CALL(_tag), MD_TAG);
    to += MD_TAG;
#if MD_BLOCK == 128
    hk_store_be64(to, ctx->length_high);
    to += 8;
#endif
    hk_store_be64(to, ctx->length);
    to += 8;
    for (unsigned i = 0; i < MD_STATE; i++, to += sizeof(MD_WORD))
        MD_STORE(to, state[i]);
    return HK_MIDSTATE_OK;
}

int MD_CALL(_import)(MD_CTX *ctx, const uint8_t midstate[MD_MIDSTATE])
{
    const uint8_t *from = midstate;
    uint64_t length, high = 0;
    MD_WORD state[MD_STATE], changed = 0;

    for (unsigned i = 0; i < MD_TAG; i++)
        if (*from++ != (uint8_t)MD_CALL(_tag)[i])
            return HK_MIDSTATE_OTHER;
#if MD_BLOCK == 128
    high = hk_load_be64(from);
    from += 8;
#endif
    length = hk_load_be64(from);
    from += 8;
    for (unsigned i = 0; i < MD_STATE; i++, from += sizeof(MD_WORD)) {
        state[i] = MD_LOAD(from);
        changed |= state[i] ^ MD_CALL(_initial)[i];
    }
    if (length % MD_BLOCK || (!(length | high) && changed))
        return HK_MIDSTATE_INVALID;

    MD_CALL(_init)(ctx);
    ctx->length = length;
#if MD_BLOCK == 128
    ctx->length_high = high;
#endif
    for (unsigned i = 0; i < MD_STATE; i++)
        ctx->state[i] = state[i];
    return HK_MIDSTATE_OK;
}

#undef MD_TAG
#undef MD_STRING
#undef MD_STRING_
