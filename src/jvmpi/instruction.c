/* instruction.c: INSTRUCTION_START, with what conditional branches and switches are about to do. */
#include "jvmpi/jvmpi_internal.h"

#include <string.h>

/* Operands of the class file's code: big-endian. */
static int32_t read_s4(const uint8_t *p) { return (int32_t)cf_u4(p); }

static bool is_branch_on_int(uint8_t op, const uint64_t *sp, bool *taken) {
    bool two = op >= OP_if_icmpeq && op <= OP_if_icmple;
    if (!two && !(op >= OP_ifeq && op <= OP_ifle)) return false;
    int32_t b = two ? (int32_t)(sp[-1]) : 0, a = (int32_t)(sp[two ? -2 : -1]);
    switch (op - (two ? OP_if_icmpeq : OP_ifeq)) {
    case 0: *taken = a == b; break;
    case 1: *taken = a != b; break;
    case 2: *taken = a < b; break;
    case 3: *taken = a >= b; break;
    case 4: *taken = a > b; break;
    default: *taken = a <= b; break;
    }
    return true;
}

static bool is_branch_on_reference(uint8_t op, const uint64_t *sp, bool *taken) {
    switch (op) {
    case OP_ifnull: *taken = sp[-1] == 0; return true;
    case OP_ifnonnull: *taken = sp[-1] != 0; return true;
    case OP_if_acmpeq: *taken = sp[-1] == sp[-2]; return true;
    case OP_if_acmpne: *taken = sp[-1] != sp[-2]; return true;
    default: return false;
    }
}

/* Where the operands of a switch begin: the next multiple of four behind the opcode. */
static const uint8_t *switch_operands(const uint8_t *code, int32_t bci) { return code + ((bci + 4) & ~3); }

static void describe_lookup(const uint8_t *operands, int32_t key, JVMPI_Event *e) {
    int32_t pairs = read_s4(operands + 4), low = 0, high = pairs;
    while (low < high) {
        int32_t middle = low + (high - low) / 2, match = read_s4(operands + 8 + 8 * (ptrdiff_t)middle);
        if (match < key) low = middle + 1;
        else high = middle;
    }
    bool found = low < pairs && read_s4(operands + 8 + 8 * (ptrdiff_t)low) == key;
    e->u.instruction.u.lookupswitch_info.chosen_pair_index = found ? low : pairs;
    e->u.instruction.u.lookupswitch_info.is_default = !found;
}

static void describe(const struct frame_cursor *c, int32_t bci, JVMPI_Event *e) {
    const uint8_t *code = code_source(cursor_code(c))->code;
    const uint64_t *sp = cursor_operands_end(c);
    uint8_t op = code[bci];
    bool taken;
    if (is_branch_on_int(op, sp, &taken) || is_branch_on_reference(op, sp, &taken)) {
        e->u.instruction.u.if_info.is_true = taken;
    } else if (op == OP_tableswitch) {
        const uint8_t *operands = switch_operands(code, bci);
        e->u.instruction.u.tableswitch_info.key = (int32_t)sp[-1];
        e->u.instruction.u.tableswitch_info.low = read_s4(operands + 4);
        e->u.instruction.u.tableswitch_info.hi = read_s4(operands + 8);
    } else if (op == OP_lookupswitch) {
        describe_lookup(switch_operands(code, bci), (int32_t)sp[-1], e);
    }
}

void jvmpi_on_instruction(struct os_thread *self, struct frame *f) {
    REQUIRES(IN_VM);
    if (!jvmpi_wants(self, JVMPI_EVENT_INSTRUCTION_START) || f->flags & FRAME_NATIVE) return;
    JVMPI_Event e;
    memset(&e, 0, sizeof e);
    e.event_type = JVMPI_EVENT_INSTRUCTION_START;
    e.u.instruction.method_id = method_code_id(f->code);
    e.u.instruction.offset = frame_bci(f);
    struct frame_cursor c = frame_first(self->java);
    describe(&c, cursor_bci(&c), &e);
    jvmpi_notify(self, &e, false);
}
