/* inlined.h — which methods have been inlined in compiled code, and what machine code belongs to them: a table behind
 * that of the exits. The pc table says where the method itself is: at the call, while what it calls is inlined there.
 *
 *      how many methods, a number; of each, in as many bytes as of any: the one that calls it, the bytecode index of
 *      the call, its first local, its code, the class whose id is looked at, the call site
 *      rows (rows.h) of the offset from which they hold: method, bytecode index */
#ifndef VITRINE_JIT_INLINED_H
#define VITRINE_JIT_INLINED_H

#include "jit/cache.h"
#include "jit/rows.h"

struct inlined_method {
    struct method_code *code;
    uint32_t parent;                     /* number of the one that calls it; 0: the method that has the frame       */
    uint32_t bci;                        /* of the call, there                                                     */
    uint32_t base;                       /* its first local, if it had a frame: slots behind that of number 0        */
    struct class *receiver;              /* whose id says that it is the method called; NULL: nothing does          */
    const struct object *site;           /* the call site whose target it takes for a constant; NULL: none          */
};

struct inlined_writer {
    struct rows_writer rows;             /* an empty table: nothing is inlined                                     */
    uint32_t method, bci;                /* of the newest row                                                      */
};

/* The table is to have so many methods, which are then added from number 1 on: parents come before children. */
void inlined_begin(struct inlined_writer *w, uint32_t methods);
void inlined_add(struct inlined_writer *w, const struct inlined_method *m);
/* From the offset on it is the instruction bci of that method; 0: of the one that has the frame. Offsets never go
 * down. */
void inlined_note(struct inlined_writer *w, uint32_t offset, uint32_t method, uint32_t bci);

/* Calls deeper than that are not inlined. */
enum { INLINED_LEVELS = 32 };
/* Where machine code belongs: the methods that are inlined there, the youngest first, each with the bytecode index in
 * it. */
struct inlined_place {
    uint32_t count;
    struct inlined_frame { struct inlined_method method; uint32_t bci; } frames[INLINED_LEVELS];
};
/* Of pc, which lies in b. Signal handlers too. */
void inlined_find(const struct code_blob *b, const void *pc, struct inlined_place *out);

/* A walk over a table: methods and rows, each from the first on. */
struct inlined_reader {
    const uint8_t *methods;              /* the record of number 1                                                 */
    uint32_t count, next;                /* how many there are; of those that are read before the next one         */
    struct rows rows;
    uint32_t method, bci;                /* the row, from rows.offset on                                           */
};
struct inlined_reader inlined_read(const struct code_blob *b);
/* False: there are no more. */
bool inlined_next_method(struct inlined_reader *r, struct inlined_method *out);
bool inlined_next_row(struct inlined_reader *r);

#endif
