/* foreign_call.c — calls of C functions by java.lang.foreign: from the arguments of MethodHandle.linkToNative to the
 * registers of the C ABI and back. */
#include "exec/foreign_call.h"

#include <errno.h>

#include "classfile/descriptor.h"
#include "exec/exec_internal.h"
#include "exec/native_call.h"

#if FOREIGN_LINKER

bool foreign_place_of(unsigned type, unsigned index, bool is_result, struct foreign_move *out) {
    /* by the machine's numbers: rax rcx rdx rbx rsp rbp rsi rdi r8 r9 */
    static const int8_t arguments[] = {-1, 3, 2, -1, -1, -1, 1, 0, 4, 5}, results[] = {0, -1, 1};
    int place = -1;
    switch (type) {
    case STORAGE_INTEGER:
        out->place = PLACE_GENERAL;
        if (is_result && index < ARRAY_LEN(results)) place = results[index];
        if (!is_result && index < ARRAY_LEN(arguments)) place = arguments[index];
        if (!is_result && index == 0) {
            out->place = PLACE_NOWHERE;
            place = 0;
        }
        break;
    case STORAGE_VECTOR:
        out->place = PLACE_VECTOR;
        if (index < (is_result ? VECTOR_RESULTS : VECTOR_ARGUMENTS)) place = (int)index;
        break;
    case STORAGE_STACK:
        out->place = PLACE_STACK;
        if (!is_result && index <= UINT8_MAX) place = (int)index;      /* a method has no more parameters          */
        break;
    case STORAGE_PLACEHOLDER:
        out->place = index == LOCATION_TARGET ? PLACE_TARGET : index == LOCATION_STATE ? PLACE_STATE
                                                                                       : PLACE_RETURN_BUFFER;
        place = 0;
        break;
    default: break;
    }
    out->index = (uint16_t)place;
    return place >= 0;
}

char foreign_kind(struct object *mirror) {
    const struct class *c = class_of_mirror(mirror);
    return class_is_primitive(c) ? "ZCFDBSIJ..V"[c->basic_type - T_BOOLEAN] : 'L';
}

uint64_t foreign_narrow(char kind, uint64_t value) {
    switch (kind) {
    case 'Z': return (value & 0xff) != 0;
    case 'B': return (uint32_t)(int8_t)value;
    case 'C': return (uint16_t)value;
    case 'S': return (uint32_t)(int16_t)value;
    case 'I':
    case 'F': return (uint32_t)value;
    default: return value;
    }
}

int foreign_invoke(struct os_thread *self, void *fn, struct foreign_registers *r, const uint64_t *stack,
                   uint64_t words) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (!handle_frame_push_call(self)) {
        throw_out_of_memory(self, "local handles");
        return 0;
    }
    struct c_segment *segment = self->segment;
    uintptr_t base = segment->base;
    segment->base = thread_stack_pointer();              /* what led here is no object, for as long as this takes   */
    thread_to_native(self);
    native_call_registers(fn, r, stack, words);
    int error = errno;
    thread_from_native(self);
    segment->base = base;
    handle_frame_pop_call(self);
    return error;
}

/* ---- linkToNative ------------------------------------------------------------------------------------------------ */

/* Behind the moves of the arguments: stores what several registers returned where the caller wants it. */
static void store_results(const struct foreign_function *f, const struct foreign_registers *r, uint8_t *buffer) {
    for (unsigned i = 0; i < f->results; i++) {
        const struct foreign_move *move = &f->moves[f->arguments + i];
        bool general = move->place == PLACE_GENERAL;
        memcpy(buffer, general ? &r->general_result[move->index] : &r->vector_result[move->index], sizeof(uint64_t));
        buffer += general ? GENERAL_BYTES : VECTOR_BYTES;
    }
}

/* args: the slots of the first argument. */
static void call_foreign(struct os_thread *self, const struct foreign_function *f, const uint64_t *args,
                         uint64_t *result) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct foreign_registers r = {0};
    uint64_t stack[f->stack_words + 1];
    uint64_t target = 0, buffer = 0, state = 0;
    for (unsigned i = 0; i < f->arguments; i++) {
        const struct foreign_move *move = &f->moves[i];
        uint64_t value = *args++;
        switch (move->kind) {
        case 'L': value += *args; break;             /* its offset is the next argument, which goes nowhere        */
        case 'J':
        case 'D': args++; break;
        default: value = (uint32_t)value; break;
        }
        switch (move->place) {
        case PLACE_GENERAL: r.general[move->index] = value; break;
        case PLACE_VECTOR: r.vector[move->index] = value; break;
        case PLACE_STACK: stack[move->index] = value; break;
        case PLACE_TARGET: target = value; break;
        case PLACE_RETURN_BUFFER: buffer = value; break;
        case PLACE_STATE: state = value; break;
        default: break;
        }
    }
    int error = foreign_invoke(self, (void *)(uintptr_t)target, &r, stack, f->stack_words);
    if (self->exception != NULL) return;
    if (f->captures_errno) memcpy((void *)(uintptr_t)state, &error, sizeof error);
    if (f->results > 1) {
        store_results(f, &r, (uint8_t *)(uintptr_t)buffer);
    } else if (f->results == 1) {
        const struct foreign_move *move = &f->moves[f->arguments];
        uint64_t value = move->place == PLACE_GENERAL ? r.general_result[move->index] : r.vector_result[move->index];
        *result = foreign_narrow(move->kind, value);
    }
}

void foreign_entry_point_25(uint32_t stub_offset) {
    atomic_store_explicit(&vm->exec->entry_point[0], stub_offset, memory_order_relaxed);
}

void foreign_entry_point_17(uint32_t arguments_offset, uint32_t results_offset, uint32_t type_offset) {
    atomic_store_explicit(&vm->exec->entry_point[0], arguments_offset, memory_order_relaxed);
    atomic_store_explicit(&vm->exec->entry_point[1], results_offset, memory_order_relaxed);
    atomic_store_explicit(&vm->exec->entry_point[2], type_offset, memory_order_relaxed);
}

static struct object *entry_point_part(struct object *entry_point, unsigned which) {
    return heap_load_ref(entry_point, atomic_load_explicit(&vm->exec->entry_point[which], memory_order_relaxed));
}

/* 17: linkToNative(fallback, address, arguments..., entry point). A storage that is no register of the ABI cannot come
 * from the library's one table of them. */
static void call_of_17(struct os_thread *self, struct method *m, struct object *entry_point, uint64_t *args,
                       uint64_t *result) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct object *arguments = entry_point_part(entry_point, 0), *results = entry_point_part(entry_point, 1);
    uint32_t count = (uint32_t)array_length(arguments);
    size_t size = sizeof(struct foreign_function) + (count + 2) * sizeof(struct foreign_move);
    _Alignas(struct foreign_function) char room[size];
    struct foreign_function *f = (struct foreign_function *)room;
    *f = (struct foreign_function){.arguments = (uint16_t)(count + 1), .results = (uint16_t)array_length(results)};
    struct desc_iter it = desc_begin(m->desc->bytes, m->desc->length);
    struct desc_type t = {0};
    desc_next(&it, &t);
    for (uint32_t i = 0; i <= count && desc_next(&it, &t); i++) {
        struct foreign_move *move = &f->moves[i];
        *move = (struct foreign_move){PLACE_TARGET, t.kind, 0};
        if (i == 0) continue;
        int64_t storage = ((int64_t *)array_data(arguments))[i - 1];
        if (!foreign_place_of((unsigned)(storage >> 32), (unsigned)storage, false, move))
            throw_message(self, "java/lang/InternalError", "argument %u has no register", i);
    }
    if (f->results == 1) {
        int64_t storage = *(int64_t *)array_data(results);
        struct foreign_move *move = &f->moves[f->arguments];
        struct object *type = entry_point_part(entry_point, 2);
        move->kind = foreign_kind(heap_load_ref(type, known_offset(MethodType_rtype)));
        if (!foreign_place_of((unsigned)(storage >> 32), (unsigned)storage, true, move))
            throw_message(self, "java/lang/InternalError", "the result has no register");
    }
    if (self->exception == NULL) call_foreign(self, f, args + 1, result);
}

void foreign_link_to_native(struct os_thread *self, struct method *m, uint64_t *args, uint64_t *result) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct object *entry_point = slot_object(args[m->arg_slots - 1]);
    if (entry_point == NULL) {
        throw_new(self, "java/lang/NullPointerException");
    } else if (vm->library == LIBRARY_17) {
        call_of_17(self, m, entry_point, args, result);
    } else {
        uint32_t offset = atomic_load_explicit(&vm->exec->entry_point[0], memory_order_relaxed);
        call_foreign(self, *(struct foreign_function **)((char *)entry_point + offset), args, result);
    }
}

#else

void foreign_link_to_native(struct os_thread *self, struct method *m, uint64_t *args UNUSED, uint64_t *result UNUSED) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    throw_unenterable(self, m, NULL);
}

#endif
