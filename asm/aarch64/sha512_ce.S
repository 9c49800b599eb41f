/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * hk_sha512_ce - SHA-512 block function, ARMv8.2 SHA-512 instructions
 *
 *   void hk_sha512_ce(uint64_t state[8], const uint8_t *data, size_t nblocks);
 *
 * Needs     SHA512
 * Stack     48 bytes
 * Method    SHA512H and SHA512H2 do two rounds, SHA512SU0 and SHA512SU1 make
 *           two words of the schedule. Constants are read ahead, eight at a
 *           time, and W + K is summed in their place. A step begins with a, b,
 *           c, d and e, f, g, h in four registers and makes two new ones.
 *           From e, f to the next e, f it takes EXT, SHA512H and ADD. In the
 *           last steps c, d is added before SHA512H and its d is 0: the result
 *           is e, f at once, and SUB takes c, d out again beside the chain. One
 *           instruction more, a third less chain.
 * Bound     the chain of 40 steps, 6 cycles each or 4, against two vector
 *           instructions a cycle: equal at 13 to 16 of the short steps
 * Origin    written from FIPS 180-4 and the architecture manual; no code taken
 *
 * Registers
 *   x0  state      x1  data       x2  blocks left     x3  the constants
 *   x4  from the last constants back to the first
 *   v0-v2      a b, ring of three steps      v3, v4  e f, ring of two
 *   v5  f g    v6  d e            v7  W[t+9], W[t+10]
 *   v8-v11     chaining value: a b, c d, e f, g h    v12  0
 *   v16-v23    16 words of the schedule, a ring of eight vectors
 *   v24-v31    constants of this group of four steps and of the next
 */
        .arch   armv8.2-a+sha3
#include "abi.inc"
        .altmacro

state   .req    x0
data    .req    x1
blocks  .req    x2
table   .req    x3
back    .req    x4

#define SHORT   27                      /* the first short step */

// step i: rounds 2i and 2i + 1. The ring holds W[2i..2i+15] as w0 to w7; in
// the first 32 steps W[2i+16], W[2i+17] come in the place of w0.
        .macro  step i
        .if     \i % 4 == 0 && \i < 36
        load_constants \i, %(28 - \i % 8), %(29 - \i % 8), %(30 - \i % 8), \
                %(31 - \i % 8)
        .endif
        .if     \i == 0
        rounds  \i, 8, 9, 10, 11
        .elseif \i == 1
        rounds  \i, 1, 8, 4, 10
        .else
        rounds  \i, %(\i % 3), %((\i - 1) % 3), %(3 + \i % 2), %(4 - \i % 2)
        .endif
        .endm

// rounds i, ab, cd, ef, gh: step i from these registers
        .macro  rounds i, ab, cd, ef, gh
        rounds_ \i, \ab, \cd, \ef, \gh, %((\i + 1) % 3), %(3 + (\i + 1) % 2), \
                %(24 + \i % 8), %(16 + \i % 8), %(16 + (\i + 1) % 8), \
                %(16 + (\i + 4) % 8), %(16 + (\i + 5) % 8), \
                %(16 + (\i + 7) % 8)
        .endm

        .macro  rounds_ i, ab, cd, ef, gh, new_ab, new_ef, wk, \
                w0, w1, w4, w5, w7
        add     v\wk\().2d, v\wk\().2d, v\w0\().2d
        ext     v5.16b, v\ef\().16b, v\gh\().16b, #8
        ext     v\wk\().16b, v\wk\().16b, v\wk\().16b, #8
        .if     \i < SHORT
        ext     v6.16b, v\cd\().16b, v\ef\().16b, #8
        add     v\new_ab\().2d, v\gh\().2d, v\wk\().2d
        .else
        ext     v6.16b, v12.16b, v\ef\().16b, #8
        add     v\new_ef\().2d, v\gh\().2d, v\cd\().2d
        add     v\new_ef\().2d, v\new_ef\().2d, v\wk\().2d
        .endif
        .if     \i < 32
        ext     v7.16b, v\w4\().16b, v\w5\().16b, #8
        sha512su0 v\w0\().2d, v\w1\().2d
        .endif
        .if     \i < SHORT
        sha512h q\new_ab, q5, v6.2d
        add     v\new_ef\().2d, v\cd\().2d, v\new_ab\().2d
        .else
        sha512h q\new_ef, q5, v6.2d
        sub     v\new_ab\().2d, v\new_ef\().2d, v\cd\().2d
        .endif
        .if     \i < 32
        sha512su1 v\w0\().2d, v\w7\().2d, v7.2d
        .endif
        sha512h2 q\new_ab, q\cd, v\ab\().2d
        .endm

// load_constants: those of the next group of four steps, or of the first
        .macro  load_constants i, k0, k1, k2, k3
        .if     \i < 32
        ld1     {v\k0\().2d, v\k1\().2d, v\k2\().2d, v\k3\().2d}, [table], #64
        .else
        ld1     {v\k0\().2d, v\k1\().2d, v\k2\().2d, v\k3\().2d}, [table], back
        .endif
        .endm

kernel hk_sha512_ce
        cbz     blocks, .return
        stp     d8, d9, [sp, #-48]!
        .cfi_def_cfa_offset 48
        .cfi_rel_offset d8, 0
        .cfi_rel_offset d9, 8
        stp     d10, d11, [sp, #16]
        .cfi_rel_offset d10, 16
        .cfi_rel_offset d11, 24
        str     d12, [sp, #32]
        .cfi_rel_offset d12, 32
        address table, .constants
        mov     back, #-9 * 64
        movi    v12.16b, #0
        ld1     {v8.2d-v11.2d}, [state]

.next_block:
        ld1     {v16.16b-v19.16b}, [data], #64
        ld1     {v20.16b-v23.16b}, [data], #64
        ld1     {v24.2d-v27.2d}, [table], #64
        .irp    w, 16, 17, 18, 19, 20, 21, 22, 23
        rev64   v\w\().16b, v\w\().16b
        .endr
        sub     blocks, blocks, #1

        .set    I, 0
        .rept   40
        step    %I
        .set    I, I + 1
        .endr

        add     v8.2d, v8.2d, v1.2d
        add     v9.2d, v9.2d, v0.2d
        add     v10.2d, v10.2d, v3.2d
        add     v11.2d, v11.2d, v4.2d
        cbnz    blocks, .next_block

        st1     {v8.2d-v11.2d}, [state]
        ldr     d12, [sp, #32]
        .cfi_restore d12
        ldp     d10, d11, [sp, #16]
        .cfi_restore d10
        .cfi_restore d11
        ldp     d8, d9, [sp], #48
        .cfi_def_cfa_offset 0
        .cfi_restore d8
        .cfi_restore d9
.return:
        ret
endkernel hk_sha512_ce

        .macro  K64 p, q
        .quad   \p, \q
        .endm

        constants
.constants:
#include "sha512_k.inc"
