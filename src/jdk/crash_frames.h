/* crash_frames.h — where a thread was when it crashed, for its report. As all of that this may run in a signal handler
 * of a broken process: no locks, no allocation, and memory is looked at only where it is mapped. */
#ifndef VITRINE_JDK_CRASH_FRAMES_H
#define VITRINE_JDK_CRASH_FRAMES_H

#include <ucontext.h>

#include "exec/frame_cursor.h"
#include "jdk/report.h"

/* Program counter, stack pointer, frame pointer. */
struct crash_place { uintptr_t pc, sp, fp; };
struct crash_place crash_place_of(const ucontext_t *u);

void crash_put_registers(struct out *o, const ucontext_t *u);
/* In rows of 16, in units of 1 or 8; up to what is not mapped. */
void crash_put_bytes(struct out *o, uintptr_t from, size_t bytes, size_t unit);
/* A line. is_return: the instruction before pc is the one; nothing may stand behind a call that does not return. */
void crash_put_native_frame(struct out *o, uintptr_t pc, bool is_return);
/* The whole stack; is_return: as above, of the youngest. */
void crash_put_native_frames(struct out *o, const struct crash_place *at, bool is_return);
/* The JNI function that native code had called, if it had: what it was given is the likely cause. */
void crash_put_jni_function(struct out *o, const struct crash_place *at);
/* context: the registers that a signal found, NULL: none did. j may be NULL. */
void crash_put_java_frames(struct out *o, const struct java_thread *j, const ucontext_t *context);

#endif
