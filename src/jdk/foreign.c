/* foreign.c — from the class library's description of a call (MethodType, VMStorage, CallRegs) to that of
 * exec/foreign_call.h; up-calls by it. */
#include "jdk/foreign.h"

#include "base/alloc.h"
#include "jdk/natives.h"
#include "jdk/upcall_stub.h"
#include "link/resolve.h"

#if FOREIGN_LINKER

uint32_t foreign_field(struct class *c, const char *name, const char *desc) {
    struct symbol *n = symbol_lookup_cstr(name), *d = symbol_lookup_cstr(desc);
    struct field *f = n != NULL && d != NULL ? class_find_field(c, n, d) : NULL;
    symbol_release(n);
    symbol_release(d);
    if (f == NULL) fatal("%s has no field %s of type %s", c->name->bytes, name, desc);
    return (uint32_t)f->offset;
}

/* A VMStorage is a record of 25's, with bytes on the stack, and a class of 17's, with words there. */
static bool place_of(struct object *storage, bool is_result, struct foreign_move *out) {
    if (storage == NULL) {
        out->place = PLACE_OFFSET;
        return true;
    }
    struct class *c = class_of(storage);
    const char *bytes = (const char *)storage;
    int32_t type, index;
    if (vm->library == LIBRARY_17) {
        memcpy(&type, bytes + foreign_field(c, "type", "I"), sizeof type);
        memcpy(&index, bytes + foreign_field(c, "index", "I"), sizeof index);
    } else {
        type = *(const int8_t *)(bytes + foreign_field(c, "type", "B"));
        memcpy(&index, bytes + foreign_field(c, "indexOrOffset", "I"), sizeof index);
        if (type == STORAGE_STACK) index /= (int32_t)sizeof(uint64_t);
    }
    return foreign_place_of((unsigned)type, (unsigned)index, is_result, out);
}

struct foreign_function *foreign_function_new(struct os_thread *self, struct object *method_type,
                                              struct object *argument_storages, struct object *result_storages) {
    REQUIRES(IN_VM | NO_PENDING);
    struct object *types = heap_load_ref(method_type, known_offset(MethodType_ptypes));
    int32_t arguments = array_length(argument_storages), results = array_length(result_storages);
    if (arguments != array_length(types)) {
        throw_message(self, "java/lang/InternalError", "%d places for %d arguments", arguments, array_length(types));
        return NULL;
    }
    struct foreign_function *f = mem_zalloc(sizeof *f + (size_t)(arguments + results) * sizeof *f->moves);
    if (f == NULL) {
        throw_out_of_memory(self, "foreign function");
        return NULL;
    }
    f->arguments = (uint16_t)arguments;
    f->results = (uint16_t)results;
    bool ok = true;
    for (int32_t i = 0; ok && i < arguments + results; i++) {
        struct foreign_move *move = &f->moves[i];
        bool is_result = i >= arguments;
        ok = place_of(is_result ? heap_array_get(result_storages, i - arguments) : heap_array_get(argument_storages, i),
                      is_result, move);
        move->kind = foreign_kind(is_result ? heap_load_ref(method_type, known_offset(MethodType_rtype))
                                              : heap_array_get(types, i));
        if (move->place == PLACE_STACK) f->stack_words = (uint16_t)MAX(f->stack_words, move->index + 1);
    }
    if (ok) return f;
    mem_free(f);
    throw_message(self, "java/lang/UnsupportedOperationException",
                  "an argument or a result in a register that the C calling convention does not use for it");
    return NULL;
}

/* ---- up-calls ---------------------------------------------------------------------------------------------------- */

struct upcall_signature {
    uint32_t buffer_words;               /* of the buffer for results in several registers                         */
    struct foreign_function *function;
};

static void call_handle(struct os_thread *self, const struct upcall_stub *s, struct object *handle,
                        struct upcall_registers *r) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    const struct upcall_signature *signature = s->how;
    const struct foreign_function *f = signature->function;
    uint64_t slots[1 + 2 * f->arguments], buffer[signature->buffer_words + 1], result = 0;
    unsigned n = 0;
    slots[n++] = slot_ref(handle);
    for (unsigned i = 0; i < f->arguments; i++) {
        const struct foreign_move *move = &f->moves[i];
        uint64_t value = move->place == PLACE_GENERAL  ? r->r.general[move->index]
                         : move->place == PLACE_VECTOR ? r->r.vector[move->index]
                         : move->place == PLACE_STACK  ? r->stack[move->index]
                                                       : (uint64_t)(uintptr_t)buffer;
        slots[n++] = foreign_narrow(move->kind, value);
        if (move->kind == 'J' || move->kind == 'D') slots[n++] = 0;
    }
    /* What is called may close the stub's arena: from here on nothing of the stub is looked at. */
    unsigned results = f->results;
    struct foreign_move moves[results + 1];
    memcpy(moves, &f->moves[f->arguments], results * sizeof *moves);
    if (!java_call(self, s->method, slots, &result)) return;
    const uint64_t *next = buffer;
    for (unsigned i = 0; i < results; i++) {
        const struct foreign_move *move = &moves[i];
        bool general = move->place == PLACE_GENERAL;
        uint64_t value = results == 1 ? result : *next;
        next += (general ? GENERAL_BYTES : VECTOR_BYTES) / sizeof *next;
        *(general ? &r->r.general_result[move->index] : &r->r.vector_result[move->index]) = value;
    }
}

/* MethodHandle.invokeBasic for these parameters. NULL: exception pending. */
static struct method *invoker(struct os_thread *self, struct object *method_type, const struct foreign_function *f) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    char text[f->arguments + 4], *p = text;
    *p++ = '(';
    for (unsigned i = 0; i < f->arguments; i++) *p++ = f->moves[i].kind;
    *p++ = ')';
    *p++ = foreign_kind(heap_load_ref(method_type, known_offset(MethodType_rtype)));
    struct symbol *name = symbol_intern_cstr("invokeBasic"), *desc = symbol_intern(text, (size_t)(p - text));
    struct method *m = name != NULL && desc != NULL
                           ? polymorphic_method(self, known_class(java_lang_invoke_MethodHandle), name, desc)
                           : NULL;
    symbol_release(name);
    symbol_release(desc);
    if (m == NULL && self->exception == NULL) throw_out_of_memory(self, "up-call");
    return m;
}

const void *foreign_upcall_new(struct os_thread *self, struct object *handle, struct object *call_registers,
                               int64_t buffer_size) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    static const char desc[] = "[Ljdk/internal/foreign/abi/VMStorage;";
    struct class *c = class_of(call_registers);
    struct object *arguments = heap_load_ref(call_registers, foreign_field(c, "argRegs", desc));
    struct object *results = heap_load_ref(call_registers, foreign_field(c, "retRegs", desc));
    struct object *type = heap_load_ref(handle, known_offset(MethodHandle_type));
    struct foreign_function *f = foreign_function_new(self, type, arguments, results);
    if (f == NULL) return NULL;
    struct method *m = invoker(self, type, f);
    /* one block, so that the stub owns it */
    size_t size = sizeof *f + (size_t)(f->arguments + f->results) * sizeof *f->moves;
    struct upcall_signature *how = m != NULL ? mem_alloc(sizeof *how + size) : NULL;
    if (how != NULL) {
        how->buffer_words = (uint32_t)(buffer_size / (int64_t)sizeof(uint64_t));
        how->function = memcpy(how + 1, f, size);
    } else if (m != NULL) {
        throw_out_of_memory(self, "Failed to allocate upcall stub");
    }
    mem_free(f);
    return how != NULL ? upcall_stub_make(self, handle, call_handle, m, how) : NULL;
}

#endif
