/* Interned modified-UTF-8 strings: names and descriptors, compared by address. */
#ifndef VITRINE_BASE_SYMBOL_H
#define VITRINE_BASE_SYMBOL_H

#include "base/base.h"

/* Immutable once published. refs counts holders; at 0 the entry is unlinked and freed. */
struct symbol {
    _Atomic uint32_t refs;
    uint32_t         hash;
    uint16_t         length;      /* bytes, without the NUL                                     */
    char             bytes[];     /* modified UTF-8, NUL-terminated (never contains a NUL byte) */
};

#define SYMBOL_MAX_LENGTH 65535

/* The one symbol with these bytes, +1 reference. NULL: no memory, or longer than 65535. Any thread. */
struct symbol *symbol_intern(const char *bytes, size_t len) MUST_CHECK;
struct symbol *symbol_intern_cstr(const char *s) MUST_CHECK;
struct symbol *symbol_intern_printf(const char *fmt, ...) PRINTF_LIKE(1, 2) MUST_CHECK;

/* As intern, but NULL when no such symbol lives. +1 reference. */
struct symbol *symbol_lookup(const char *bytes, size_t len) MUST_CHECK;
struct symbol *symbol_lookup_cstr(const char *s) MUST_CHECK;

struct symbol *symbol_retain(struct symbol *s);   /* s is held by the caller; returns s */
void           symbol_release(struct symbol *s);  /* NULL is allowed                    */

bool symbol_equals(const struct symbol *s, const char *cstr);

struct table_figures;
void symbol_figures(struct table_figures *out);
/* Figures of the table: living symbols and their bytes. */
void symbol_stats(size_t *count, size_t *bytes);

/* Calls visit for every living symbol, stripe by stripe under the stripe's lock; visit takes no symbol lock. */
void symbol_iterate(void (*visit)(struct symbol *s, void *arg), void *arg);

/* Frees every symbol whatever its count: the very end of DestroyJavaVM; nobody holds one any more. */
void symbol_table_destroy(void);

#endif
