/* service_thread.h — Java threads that the VM makes for its own services. */
#ifndef VITRINE_JDK_SERVICE_THREAD_H
#define VITRINE_JDK_SERVICE_THREAD_H

#include "thread/thread.h"

/* Makes and starts a daemon java.lang.Thread of the system group that runs body(self, arg); a hidden one is not shown
 * to tools and in thread lists. False: exception pending. Thread: IN_VM. */
bool service_thread_start(struct os_thread *self, const char *name, int priority, bool hidden,
                          void (*body)(struct os_thread *self, void *arg), void *arg);

#endif
