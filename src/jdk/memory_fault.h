/* memory_fault.h — mapped files without memory behind a page: cut under their mapping, or on a disk that is full. */
#ifndef VITRINE_JDK_MEMORY_FAULT_H
#define VITRINE_JDK_MEMORY_FAULT_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct os_thread;

/* In the handler of a signal; self: NULL for no thread of the VM's. Whether it was such a page and the thread can go
 * on: it gets an InternalError at its next poll. An access by an address of Java's (thread/foreign_memory.h) has not
 * happened, and reads 0 where it reads into a general register; the VM's own accesses find a page of zeros. */
bool memory_fault_handle(int signo, const siginfo_t *info, void *context, struct os_thread *self);

/* thread_hooks.memory_fault: the InternalError. IN_VM. */
void memory_fault_throw(struct os_thread *self);

/* For tests. The length of the instruction at p, if that accesses memory by an address; otherwise, or if it is none
 * that a C compiler writes, 0. into: which general register it loads, or -1; width: how many of its bytes it changes,
 * from its second one on if is_high. Reads 15 bytes at most. */
struct memory_instruction { int into; unsigned width; bool is_high; };
size_t memory_instruction_length(const uint8_t *p, struct memory_instruction *out);

#endif
