/* exits.h — where a frame's operands are when it leaves compiled code. The exits of a method are calls of one place
 * behind them, one after another; by its return address each finds its row in a table behind the code, and the pc table
 * has its bytecode index. */
#ifndef VITRINE_JIT_EXITS_H
#define VITRINE_JIT_EXITS_H

#include "jit/asm.h"
#include "jit/rows.h"

/* What the stub `leave` saves: registers that may hold operands. */
enum { EXIT_WORDS = 15, EXIT_FLOATS = 15 };
struct exit_registers { uint64_t words[EXIT_WORDS], floats[EXIT_FLOATS]; };

/* Where the operand `index` is that is not at home. */
struct exit_operand {
    uint32_t index;
    uint8_t place;                       /* enum exit_place                                                        */
    uint16_t local;
    int64_t constant;
};
enum exit_place {
    EXIT_REGISTER = 0, EXIT_DOUBLE = 16, EXIT_FLOAT = 32,        /* plus its number                                */
    EXIT_CONSTANT = 48, EXIT_LOCAL,
    EXIT_OBJECT                          /* that is to be made: `local` is its number                               */
};

/* Bits: what the instruction is. */
enum exit_kind {
    EXIT_BEHIND_EVENTS = 1,              /* its events have been sent                                              */
    EXIT_WHOLE = 2,                      /* locals go home too: indexes are counted from the first local             */
    EXIT_COUNTS = 4,                     /* what counts how it runs is asked whether the method gets other code      */
    EXIT_FOR_GOOD = 8,                   /* ... at once: as long as things are so it would leave each time        */
    EXIT_INLINED = 16,                   /* it is in an inlined method: depth is that of the youngest (inlined.h)    */
    EXIT_OBJECTS = 32,                   /* objects are to be made: exits_add_objects                               */
    EXIT_BACK = 64,                      /* the code goes on behind it, with places of its own: exits_add_places     */
    EXIT_KIND_BITS = 7
};
/* A frame that leaves whole has no more locals and operands than that; with what its code keeps behind them, and the
 * record, no more slots than this. */
enum { EXIT_MOST_OPERANDS = 256, EXIT_MOST_SLOTS = 512 };

struct exits_writer { struct rows_writer rows; };

/* Empties it; its memory is kept. */
static inline void exits_begin(struct exits_writer *w) { rows_begin(&w->rows); }
/* The next exit, which ends at an offset behind the one before: how many slots of operands there are, and those that
 * are not at home, by growing index. */
void exits_add(struct exits_writer *w, uint32_t end, unsigned kind, uint32_t depth, const struct exit_operand *operands,
               uint32_t count);

/* An object that has not been allocated, and is to be: its class, and where the values of its fields are. */
struct class;
struct exit_field { char kind; struct exit_operand value; };     /* descriptor's letter; value.index: the offset  */
enum { EXIT_MOST_FIELDS = 16, EXIT_MOST_MONITORS = 4 };
/* A monitor of it that is to be entered, for the frame whose record is at that slot, counted from the first local; what
 * was entered before has a smaller `order`. */
struct exit_monitor { uint32_t frame, order; };
/* The exit that has just been added, which is EXIT_OBJECTS, has so many, which are then added. One refers only to those
 * before it. */
void exits_begin_objects(struct exits_writer *w, uint32_t count);
void exits_add_object(struct exits_writer *w, const struct class *class, const struct exit_field *fields,
                      uint32_t count, const struct exit_monitor *monitors, uint32_t monitor_count);

/* The exit that has just been added, which is EXIT_BACK and not EXIT_OBJECTS, is followed by where the code finds
 * values behind it: a bit for each register, and for each slot, counted from the first local. What others hold keeps no
 * object alive. */
enum { EXIT_SLOT_WORDS = EXIT_MOST_SLOTS / 64 };
void exits_add_places(struct exits_writer *w, uint32_t words, const uint64_t slots[static EXIT_SLOT_WORDS]);

struct exit_row {
    const uint8_t *operands;             /* those that are not at home, in the table; NULL: all are                */
    uint32_t depth, kind;                /* how many slots of operands; enum exit_kind                             */
};
/* What the table [exits, end) says of the exit that ends at the offset `at`, which is one. */
struct exit_row exits_find(const uint8_t *exits, const uint8_t *end, uint32_t at);
/* The operands of a row go home: stack[i] is operand i's home, locals[i] local variable i. */
void exits_go_home(const uint8_t *operands, const struct exit_registers *r, uint64_t *stack, const uint64_t *locals);
/* A row that is EXIT_WHOLE, read once for a loop that comes to the exit again and again: where its operands are, and,
 * if it is EXIT_BACK, its registers, and its slots by growing number. */
struct exit_values {
    uint32_t count, slot_count, words;
    bool in_order;                       /* no operand lies in the home of one before it                            */
    struct exit_operand operands[EXIT_MOST_OPERANDS];
    uint16_t slots[EXIT_MOST_SLOTS];
};
void exits_read_whole(const uint8_t *operands, uint32_t kind, struct exit_values *out);
/* ... go home, each value being read before another takes its place. */
void exits_go_home_whole(const struct exit_values *v, const struct exit_registers *r, uint64_t *locals);

/* The objects of a row that is EXIT_OBJECTS, one after another. */
struct exit_objects {
    const uint8_t *at;
    uint32_t count;                      /* that are still to be read                                              */
    struct class *class;                 /* of the one at hand                                                     */
    uint32_t fields, monitors;           /* of that which are still to be read                                     */
};
struct exit_objects exits_objects(const uint8_t *operands);
/* False: there are no more. Its fields are read before its monitors, and what is not read is passed over. */
bool exits_next_object(struct exit_objects *o);
bool exits_next_field(struct exit_objects *o, struct exit_field *out);
bool exits_next_monitor(struct exit_objects *o, struct exit_monitor *out);
/* What the field gets; of a virtual object 0. */
uint64_t exits_field_value(const struct exit_field *f, const struct exit_registers *r, const uint64_t *locals);
/* The objects of a row that is EXIT_WHOLE go home, where 0 has been. */
void exits_put_objects(const uint8_t *operands, const uint64_t *objects, uint64_t *locals);

#endif
