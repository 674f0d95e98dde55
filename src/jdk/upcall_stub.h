/* upcall_stub.h — C functions that call method handles, for java.lang.foreign (x86-64). */
#ifndef VITRINE_JDK_UPCALL_STUB_H
#define VITRINE_JDK_UPCALL_STUB_H

#include "exec/foreign_call.h"

/* What a stub's common code leaves of its caller's registers, and loads for it. */
struct upcall_registers {
    struct foreign_registers r;
    uint64_t *stack;                     /* the arguments there                                                    */
};

struct upcall_stub;
/* Passes the arguments to the handle, and its result to the caller's registers. IN_VM; an exception that is pending
 * behind it ends the process. */
typedef void upcall_function(struct os_thread *self, const struct upcall_stub *s, struct object *handle,
                             struct upcall_registers *r);
/* One stub; its code passes this record's address. */
struct upcall_stub {
    jobject handle;                      /* global; NULL: nothing is called here (any more)                        */
    upcall_function *call;
    struct method *method;               /* what `call` calls                                                      */
    const void *how;                     /* ... and how; mem_alloc'd and the stub's                                */
    const void *code;                    /* where the stub begins                                                  */
    struct upcall_stub *next_free;
};

/* The address of a function that calls `handle` by `call`; owns `how` from now on, even if it fails. NULL: exception
 * pending. Any thread, any foreign one too, may call it until it is freed. IN_VM. */
const void *upcall_stub_make(struct os_thread *self, struct object *handle, upcall_function *call,
                             struct method *method, void *how);
/* False: no stub has that address. Nobody runs it. */
bool upcall_stub_free(const void *address);
/* With the VM. What foreign code may still call stays, and leads nowhere. */
void upcall_stubs_destroy(void);

#endif
