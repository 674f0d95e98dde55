/* foreign.h — what the natives of java.lang.foreign (25) and jdk.incubator.foreign (17) share. */
#ifndef VITRINE_JDK_FOREIGN_H
#define VITRINE_JDK_FOREIGN_H

#include "exec/foreign_call.h"

/* How a function with these parameters is called, whose places are VMStorages (NULL elements: nowhere).
 * first: the parameter that the first storage belongs to. mem_alloc'd; NULL: exception pending. IN_VM. */
struct foreign_function *foreign_function_new(struct os_thread *self, struct object *method_type,
                                              struct object *argument_storages, struct object *result_storages);

/* A C function that calls the method handle, whose arguments and result travel in the registers of a
 * jdk.internal.foreign.abi CallRegs record. buffer_size: of what it returns in more than one, else 0. The address;
 * NULL: exception pending. IN_VM. */
const void *foreign_upcall_new(struct os_thread *self, struct object *handle, struct object *call_registers,
                               int64_t buffer_size);

/* Is m, a method of the VM's own, one that calls foreign functions? */
bool foreign_is_call(const struct method *m);

/* The offset of a field of c, which has it. */
uint32_t foreign_field(struct class *c, const char *name, const char *desc);

#endif
