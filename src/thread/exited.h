/* exited.h — threads that end while they are attached: by pthread_exit or cancelled, in their own code or in a native
 * method. */
#ifndef VITRINE_THREAD_EXITED_H
#define VITRINE_THREAD_EXITED_H

#include "thread/thread.h"

/* The first thing that thread_hooks.exited does, IN_VM: gives back the frames, with their handles and monitors. */
void exited_drop_frames(struct os_thread *self);

/* Before the first thread is bound. False: no key of thread-specific data is left. One VM at a time. */
bool exited_prepare(void);
/* The calling thread has this record from now on, until NULL. */
void exited_bind(struct os_thread *t);

#endif
