/* jdk_internal_invoke_NativeEntryPoint.c — the incubating foreign linker of 17. Where an argument lies on the stack, or
 * a result in two registers, its Java code reads and writes a buffer of registers (BufferLayout); all other calls go
 * the ways of 25's. */
#include "base/alloc.h"
#include "jdk/foreign.h"
#include "jdk/natives.h"
#include "jdk/upcall_stub.h"

#if FOREIGN_LINKER

/* ---- NativeEntryPoint -------------------------------------------------------------------------------------------- */

/* (int type, int index)long */
static void storage_of(struct os_thread *self, struct method *m, uint64_t *args, uint64_t *result) {
    REQUIRES(IN_VM);
    (void)self;
    foreign_entry_point_17(foreign_field(m->holder, "argMoves", "[J"), foreign_field(m->holder, "returnMoves", "[J"),
                           foreign_field(m->holder, "methodType", "Ljava/lang/invoke/MethodType;"));
    *result = (uint64_t)foreign_storage_17(arg_int(args, 0), arg_int(args, 1));
}

/* ---- buffers of registers ---------------------------------------------------------------------------------------- */

/* Offsets in a buffer. The library has one ABI for this machine, with the registers in the C convention's order. */
struct buffer_layout {
    int64_t size, target, stack_bytes, stack, general, vector, general_result, vector_result;
};

static int64_t long_of(struct object *o, const char *name) {
    int64_t value;
    memcpy(&value, (char *)o + foreign_field(class_of(o), name, "J"), sizeof value);
    return value;
}

/* NULL: exception pending. */
static struct buffer_layout *read_layout(struct os_thread *self, struct object *o) {
    REQUIRES(IN_VM | NO_PENDING);
    struct buffer_layout *l = mem_alloc(sizeof *l);
    if (l == NULL) {
        throw_out_of_memory(self, "foreign function");
        return NULL;
    }
    const int64_t *in = array_data(heap_load_ref(o, foreign_field(class_of(o), "input_type_offsets", "[J")));
    const int64_t *out = array_data(heap_load_ref(o, foreign_field(class_of(o), "output_type_offsets", "[J")));
    *l = (struct buffer_layout){.size = long_of(o, "size"), .target = long_of(o, "arguments_next_pc"),
                                .stack_bytes = long_of(o, "stack_args_bytes"), .stack = long_of(o, "stack_args"),
                                .general = in[STORAGE_INTEGER], .vector = in[STORAGE_VECTOR],
                                .general_result = out[STORAGE_INTEGER], .vector_result = out[STORAGE_VECTOR]};
    return l;
}

/* Copies one kind of registers from or to a buffer, where each has `bytes`. */
static void copy_registers(uint64_t *registers, uint8_t *buffer, unsigned count, size_t bytes, bool to_buffer) {
    for (unsigned i = 0; i < count; i++, buffer += bytes)
        if (to_buffer) memcpy(buffer, &registers[i], sizeof(uint64_t));
        else memcpy(&registers[i], buffer, sizeof(uint64_t));
}

/* ---- ProgrammableInvoker ----------------------------------------------------------------------------------------- */

/* (ABIDescriptor, BufferLayout)long: once for each ABI, which the library keeps. */
static void make_adapter(struct os_thread *self, struct method *m, uint64_t *args, uint64_t *result) {
    REQUIRES(IN_VM | NO_PENDING);
    (void)m;
    *result = (uint64_t)(uintptr_t)read_layout(self, arg_object(args, 1));
}

/* (long adapter, long buffer)void */
static void invoke_native(struct os_thread *self, struct method *m, uint64_t *args, uint64_t *result) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    (void)m, (void)result;
    const struct buffer_layout *l = (const void *)(uintptr_t)arg_long(args, 0);
    uint8_t *buffer = (uint8_t *)(uintptr_t)arg_long(args, 2);
    struct foreign_registers r;
    uint64_t stack_bytes;
    void *target;
    const uint64_t *stack;
    memcpy(&target, buffer + l->target, sizeof target);
    memcpy(&stack_bytes, buffer + l->stack_bytes, sizeof stack_bytes);
    memcpy(&stack, buffer + l->stack, sizeof stack);
    copy_registers(r.general, buffer + l->general, GENERAL_ARGUMENTS, GENERAL_BYTES, false);
    copy_registers(r.vector, buffer + l->vector, VECTOR_ARGUMENTS, VECTOR_BYTES, false);
    foreign_invoke(self, target, &r, stack, stack_bytes / sizeof *stack);
    copy_registers(r.general_result, buffer + l->general_result, GENERAL_RESULTS, GENERAL_BYTES, true);
    copy_registers(r.vector_result, buffer + l->vector_result, VECTOR_RESULTS, VECTOR_BYTES, true);
}

bool foreign_is_call(const struct method *m) {
    return m->entry == ENTRY_LINK_TO_NATIVE || (m->entry == ENTRY_INTRINSIC && m->intrinsic == invoke_native);
}

/* ---- ProgrammableUpcallHandler ----------------------------------------------------------------------------------- */

/* By ProgrammableUpcallHandler.invoke(MethodHandle, long buffer). */
static void call_with_buffer(struct os_thread *self, const struct upcall_stub *s, struct object *handle,
                             struct upcall_registers *r) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct buffer_layout l = *(const struct buffer_layout *)s->how; /* what is called may close the stub's scope     */
    _Alignas(16) uint8_t buffer[l.size];
    memset(buffer, 0, (size_t)l.size);
    memcpy(buffer + l.stack, &r->stack, sizeof r->stack);
    copy_registers(r->r.general, buffer + l.general, GENERAL_ARGUMENTS, GENERAL_BYTES, true);
    copy_registers(r->r.vector, buffer + l.vector, VECTOR_ARGUMENTS, VECTOR_BYTES, true);
    uint64_t args[] = {slot_ref(handle), (uint64_t)(uintptr_t)buffer, 0};
    if (!java_call(self, s->method, args, NULL)) return;
    copy_registers(r->r.general_result, buffer + l.general_result, GENERAL_RESULTS, GENERAL_BYTES, false);
    copy_registers(r->r.vector_result, buffer + l.vector_result, VECTOR_RESULTS, VECTOR_BYTES, false);
}

/* (MethodHandle, ABIDescriptor, BufferLayout)long */
static void make_buffer_stub(struct os_thread *self, struct method *m, uint64_t *args, uint64_t *result) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct method *invoke = class_method_cstr(m->holder, "invoke", "(Ljava/lang/invoke/MethodHandle;J)V");
    struct buffer_layout *l = read_layout(self, arg_object(args, 2));
    if (l == NULL) return;
    *result = (uint64_t)(uintptr_t)upcall_stub_make(self, arg_object(args, 0), call_with_buffer, invoke, l);
}

/* (MethodHandle, ABIDescriptor, CallRegs)long */
static void make_stub(struct os_thread *self, struct method *m, uint64_t *args, uint64_t *result) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    (void)m;
    *result = (uint64_t)(uintptr_t)foreign_upcall_new(self, arg_object(args, 0), arg_object(args, 2), 0);
}

static void supports_stubs(struct os_thread *self, struct method *m, uint64_t *args, uint64_t *result) {
    REQUIRES(IN_VM);
    (void)self, (void)m, (void)args;
    *result = 1;
}

#else
#define storage_of native_unsupported
#define make_adapter native_unsupported
#define invoke_native native_unsupported
#define make_buffer_stub native_unsupported
#define make_stub native_unsupported
#define supports_stubs native_nothing

bool foreign_is_call(const struct method *m UNUSED) { return false; }
#endif

static const struct native_binding entry_point[] = {
    {"registerNatives", NULL, native_nothing, IN_BOTH},
    {"vmStorageToVMReg", NULL, storage_of, IN_BOTH},
};
const struct native_class natives_jdk_internal_invoke_NativeEntryPoint = {"jdk/internal/invoke/NativeEntryPoint",
                                                                          entry_point, ARRAY_LEN(entry_point), IN_17};

static const struct native_binding invoker[] = {
    {"registerNatives", NULL, native_nothing, IN_BOTH},
    {"invokeNative", NULL, invoke_native, IN_BOTH},
    {"generateAdapter", NULL, make_adapter, IN_BOTH},
};
const struct native_class natives_jdk_internal_foreign_abi_ProgrammableInvoker = {
    "jdk/internal/foreign/abi/ProgrammableInvoker", invoker, ARRAY_LEN(invoker), IN_17};

static const struct native_binding upcall[] = {
    {"registerNatives", NULL, native_nothing, IN_BOTH},
    {"supportsOptimizedUpcalls", NULL, supports_stubs, IN_BOTH},
    {"allocateOptimizedUpcallStub", NULL, make_stub, IN_BOTH},
    {"allocateUpcallStub", NULL, make_buffer_stub, IN_BOTH},
};
const struct native_class natives_jdk_internal_foreign_abi_ProgrammableUpcallHandler = {
    "jdk/internal/foreign/abi/ProgrammableUpcallHandler", upcall, ARRAY_LEN(upcall), IN_17};
