/* foreign_call.h — calls of C functions by java.lang.foreign (x86-64 System V): the class library says which argument
 * lies in which register (its VMStorage), and MethodHandle.linkToNative makes the call.
 *
 * Where the machine is another one nothing of this is there: 25's library then takes libfallbackLinker.so. */
#ifndef VITRINE_EXEC_FOREIGN_CALL_H
#define VITRINE_EXEC_FOREIGN_CALL_H

#include "exec/exec.h"

#ifdef __x86_64__
#define FOREIGN_LINKER 1
#else
#define FOREIGN_LINKER 0
#endif

/* jdk.internal.foreign.abi: VMStorage.type, StubLocations, CapturableState. */
enum { STORAGE_INTEGER = 0, STORAGE_VECTOR = 1, STORAGE_STACK = 3, STORAGE_PLACEHOLDER = 4 };
enum { LOCATION_TARGET = 0, LOCATION_RETURN_BUFFER = 1, LOCATION_STATE = 2 };
enum { CAPTURE_ERRNO = 1 << 2 };

/* Argument and result registers in the order of the C ABI: rdi rsi rdx rcx r8 r9, xmm0 to xmm7; rax rdx, xmm0 xmm1. */
enum { GENERAL_ARGUMENTS = 6, VECTOR_ARGUMENTS = 8, GENERAL_RESULTS = 2, VECTOR_RESULTS = 2 };
struct foreign_registers {
    uint64_t general[GENERAL_ARGUMENTS];
    uint64_t vector[VECTOR_ARGUMENTS];   /* their lower halves                                                     */
    uint64_t general_result[GENERAL_RESULTS];
    uint64_t vector_result[VECTOR_RESULTS];
};
/* What a result register takes of a return buffer. */
enum { GENERAL_BYTES = 8, VECTOR_BYTES = 16 };

/* Where a value of the Java side comes from or goes to. */
enum foreign_place {
    PLACE_NOWHERE,                       /* rax, the number of vector registers: the call says 8, which is right, too */
    PLACE_GENERAL, PLACE_VECTOR,         /* index: in the order above                                              */
    PLACE_STACK,                         /* index: word of the stack's arguments                                   */
    PLACE_TARGET, PLACE_RETURN_BUFFER, PLACE_STATE,
    PLACE_OFFSET                         /* to be added to the reference before it                                 */
};
struct foreign_move {
    uint8_t place;                       /* enum foreign_place                                                     */
    char kind;                           /* descriptor letter; L: an array, or null, with its offset behind it      */
    uint16_t index;
};
/* How a function is called, or (upcall_stub.h) calls. */
struct foreign_function {
    uint16_t arguments, results;         /* of moves[]: first the arguments                                        */
    uint16_t stack_words;
    bool captures_errno;
    struct foreign_move moves[];
};

/* The place of a VMStorage that an argument or a result has; false: no register that this machine's ABI has. index:
 * VMStorage's, for the stack a word. */
bool foreign_place_of(unsigned type, unsigned index, bool is_result, struct foreign_move *out) MUST_CHECK;

/* The descriptor letter of a type's mirror; L for every reference. */
char foreign_kind(struct object *mirror);
/* What a register with a value of that kind is in a slot: the C ABI leaves what lies above it undefined. */
uint64_t foreign_narrow(char kind, uint64_t value);

/* Calls fn with the registers and the words of the stack; what it returned is in the registers. Answers with errno as
 * it is right behind the call. IN_VM; the thread is in native meanwhile, with a frame of local handles of its own. An
 * exception may be pending then. */
int foreign_invoke(struct os_thread *self, void *fn, struct foreign_registers *r, const uint64_t *stack,
                   uint64_t words);

/* Where 25's NativeEntryPoint has its foreign_function, and 17's what it is made of; before linkToNative is called. */
void foreign_entry_point_25(uint32_t stub_offset);
void foreign_entry_point_17(uint32_t arguments_offset, uint32_t results_offset, uint32_t type_offset);
/* 17: a VMStorage as NativeEntryPoint keeps it. */
static inline int64_t foreign_storage_17(int32_t type, int32_t index) { return (int64_t)type << 32 | (uint32_t)index; }

/* What MethodHandle.linkToNative, m, does. The collector sees the arguments meanwhile if bytecode has made the call. */
void foreign_link_to_native(struct os_thread *self, struct method *m, uint64_t *args, uint64_t *result);

#endif
