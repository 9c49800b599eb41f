/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: The hashkern authors
 *
 * unwind.c - an interpreter of DWARF call frame information
 *
 * DWARF 4, section 6.4, and the .eh_frame variant of it (Linux Standard Base,
 * section 10.6). Only what describes plain functions: a table that needs an
 * expression fails. 32-bit ARM keeps it in .debug_frame.
 */
#include <string.h>

#include "check.h"
#include "own_elf.h"
#include "step.h"
#include "unwind.h"

#if defined(__x86_64__)
const unsigned unwind_return_address = 16;
#elif defined(__i386__)
const unsigned unwind_return_address = 8;
#elif defined(__arm__)
const unsigned unwind_return_address = 14;
#else
const unsigned unwind_return_address = 30;
#endif

struct rule {
    enum { SAME, AT_FRAME, IN_REGISTER, LOST } kind;
    intptr_t offset; /* or the register */
};

struct row {
    unsigned frame_register;
    intptr_t frame_offset;
    struct rule rule[UNWIND_REGISTERS];
};

/* What a common information entry says of the functions that share it. */
struct common {
    uintptr_t code_align;
    intptr_t data_align;
    bool relative; /* addresses are 32-bit, relative to where they stand */
    bool foreign;  /* in a form that no kernel uses */
    const uint8_t *program, *end;
};

static uintptr_t unsigned_leb(const uint8_t **at)
{
    uintptr_t value = 0;
    unsigned shift = 0;

    do
        value |= (uintptr_t)(**at & 0x7f) << shift, shift += 7;
    while (*(*at)++ & 0x80);
    return value;
}

static intptr_t signed_leb(const uint8_t **at)
{
    const uint8_t *start = *at;
    uintptr_t value = unsigned_leb(at);
    unsigned bits = 7 * (unsigned)(*at - start);

    if (bits < 8 * sizeof value && ((*at)[-1] & 0x40))
        value |= ~(uintptr_t)0 << bits;
    return (intptr_t)value;
}

static uint32_t word(const uint8_t *at)
{
    uint32_t value;

    memcpy(&value, at, 4);
    return value;
}

static uint32_t little(const uint8_t **at, unsigned bytes)
{
    uint32_t value = 0;

    for (unsigned i = 0; i < bytes; i++)
        value |= (uint32_t) * (*at)++ << 8 * i;
    return value;
}

static struct common read_common(const uint8_t *entry)
{
    const uint8_t *at = entry + 8;
    unsigned version = *at++;
    const char *augmentation = (const char *)at;
    struct common c = {.end = entry + 4 + word(entry)};

    at += strlen(augmentation) + 1;
    if (version >= 4)
        at += 2; /* sizes of an address and of a segment */
    c.code_align = unsigned_leb(&at);
    c.data_align = signed_leb(&at);
    if (version == 1)
        at++; /* the return address column: known */
    else
        unsigned_leb(&at);
    if (*augmentation == 'z') {
        uintptr_t size = unsigned_leb(&at);
        const uint8_t *next = at + size;

        if (augmentation[1] == 'R' && *at == 0x1b)
            c.relative = true;
        else
            c.foreign = true; /* of libc's C++-like parts: none of ours */
        at = next;
    }
    c.program = at;
    return c;
}

static void set(struct row *row, uintptr_t number, int kind, intptr_t offset)
{
    if (number < UNWIND_REGISTERS) {
        row->rule[number].kind = kind;
        row->rule[number].offset = offset;
    }
}

static void put_back(struct row *row, const struct row *initial,
                     uintptr_t number)
{
    if (number < UNWIND_REGISTERS)
        row->rule[number] = initial->rule[number];
}

/* Runs instructions until one that advances beyond the pc. */
static void run(const struct common *c, const uint8_t *at, const uint8_t *end,
                uintptr_t location, uintptr_t pc, struct row *row,
                const struct row *initial)
{
    static struct row kept[8];
    unsigned depth = 0;

    while (at < end) {
        unsigned op = *at++, low = op & 63;
        uintptr_t number;

        switch (op >> 6 ? op & 0xc0 : op) {
        case 0x40: /* advance_loc */
            location += low * c->code_align;
            break;
        case 0x80: /* offset */
            set(row, low, AT_FRAME,
                (intptr_t)unsigned_leb(&at) * c->data_align);
            break;
        case 0xc0: /* restore */
            put_back(row, initial, low);
            break;
        case 0x00: /* nop */
            break;
        case 0x02: /* advance_loc1, 2 and 4 */
            location += little(&at, 1) * c->code_align;
            break;
        case 0x03:
            location += little(&at, 2) * c->code_align;
            break;
        case 0x04:
            location += little(&at, 4) * c->code_align;
            break;
        case 0x05: /* offset_extended */
            number = unsigned_leb(&at);
            set(row, number, AT_FRAME,
                (intptr_t)unsigned_leb(&at) * c->data_align);
            break;
        case 0x06: /* restore_extended */
            put_back(row, initial, unsigned_leb(&at));
            break;
        case 0x07: /* undefined */
            set(row, unsigned_leb(&at), LOST, 0);
            break;
        case 0x08: /* same_value */
            set(row, unsigned_leb(&at), SAME, 0);
            break;
        case 0x09: /* register */
            number = unsigned_leb(&at);
            set(row, number, IN_REGISTER, (intptr_t)unsigned_leb(&at));
            break;
        case 0x0a: /* remember_state */
            if (depth == COUNT(kept))
                fail("unwind table remembers too much");
            kept[depth++] = *row;
            break;
        case 0x0b: /* restore_state */
            if (!depth)
                fail("unwind table restores what it never remembered");
            *row = kept[--depth];
            break;
        case 0x0c: /* def_cfa */
            row->frame_register = (unsigned)unsigned_leb(&at);
            row->frame_offset = (intptr_t)unsigned_leb(&at);
            break;
        case 0x0d: /* def_cfa_register */
            row->frame_register = (unsigned)unsigned_leb(&at);
            break;
        case 0x0e: /* def_cfa_offset */
            row->frame_offset = (intptr_t)unsigned_leb(&at);
            break;
        default:
            fail("unwind table with instruction %#x", op);
        }
        if (location > pc)
            return;
    }
}

/* Applies one function entry if it covers the pc. */
static bool covers(const uint8_t *entry, const uint8_t *common_entry,
                   uintptr_t entry_address, uintptr_t pc, struct row *row)
{
    struct common c = read_common(common_entry);
    const uint8_t *at = entry + 8, *end = entry + 4 + word(entry);
    uintptr_t start, size;
    struct row initial;

    if (c.foreign)
        return false;
    if (c.relative) {
        start = entry_address + 8 + elf_bias() +
                (uintptr_t)(intptr_t)(int32_t)word(at);
        size = word(at + 4);
        at += 8;
        at += unsigned_leb(&at); /* augmentation data */
    } else {
        memcpy(&start, at, sizeof start);
        memcpy(&size, at + sizeof start, sizeof size);
        start += elf_bias();
        at += 2 * sizeof start;
    }
    if (pc - start >= size)
        return false;
    memset(row, 0, sizeof *row);
    run(&c, c.program, c.end, start, pc, row, row);
    initial = *row;
    run(&c, at, end, start, pc, row, &initial);
    return true;
}

#ifdef __arm__
static const bool debug = true; /* the table is .debug_frame */
#else
static const bool debug = false;
#endif

static bool find(uintptr_t pc, struct row *row)
{
    static const uint8_t *table;
    static size_t size, last; /* where the previous answer was */
    static uintptr_t address;
    size_t i = last;

    if (!table)
        table =
            elf_section(debug ? ".debug_frame" : ".eh_frame", &size, &address);
    if (!table)
        fail("the check program has no unwind table");
    do {
        const uint8_t *entry = table + i;
        uint32_t id = word(entry + 4);
        bool common = id == (debug ? 0xffffffff : 0);

        if (!common && covers(entry, debug ? table + id : entry + 4 - id,
                              address + i, pc, row)) {
            last = i;
            return true;
        }
        i += 4 + word(entry);
        if (i + 8 > size || !word(table + i)) /* the end: start over */
            i = 0;
    } while (i != last);
    return false;
}

struct caller unwind(const void *ucontext)
{
    struct caller caller;
    struct row row;

    if (!find(step_pc(ucontext), &row))
        fail("no unwind table for this instruction");
    memset(&caller, 0, sizeof caller);
    caller.frame = step_register(ucontext, row.frame_register) +
                   (uintptr_t)row.frame_offset;
    for (unsigned i = 0; i < UNWIND_REGISTERS; i++) {
        const struct rule *rule = &row.rule[i];

        caller.known[i] = rule->kind != LOST;
        if (rule->kind == SAME)
            caller.value[i] = step_register(ucontext, i);
        else if (rule->kind == IN_REGISTER)
            caller.value[i] = step_register(ucontext, (unsigned)rule->offset);
        else if (rule->kind == AT_FRAME)
            memcpy(&caller.value[i],
                   (const void *)(caller.frame + (uintptr_t)rule->offset),
                   sizeof caller.value[i]);
    }
    return caller;
}
