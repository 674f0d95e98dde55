/* heap_dump.h: the VM's own heap dumps: the whole heap in the binary HPROF format 1.0.2, as HotSpot lays it out. */
#ifndef VITRINE_INSPECT_HEAP_DUMP_H
#define VITRINE_INSPECT_HEAP_DUMP_H

#include "thread/thread.h"

struct output;

/* Writes every known object, the loaded classes, the roots and the stacks of the visible threads to `out`
 * (hprof/stream.h), with the world stopped. Takes memory for threads and classes, not for objects. Errors in writing
 * are the output's to report. dying: NULL, or the thread whose OutOfMemoryError is the reason: its stack begins with
 * the error's constructor, by which tools find it. False: out of memory, the dump is not complete. Thread: IN_VM; may
 * reach a safepoint. */
bool heap_dump_write(struct os_thread *self, struct output *out, const struct java_thread *dying);

#endif
