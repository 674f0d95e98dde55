/* out_of_memory.c — what -XX:+HeapDumpOnOutOfMemoryError, OnOutOfMemoryError, +ExitOnOutOfMemoryError and
 * +CrashOnOutOfMemoryError ask for. */
#include "jdk/out_of_memory.h"

#include <stdio.h>
#include <unistd.h>

#include "base/options.h"
#include "base/perf_data.h"
#include "jdk/error_command.h"
#include "jdk/heap_dump_file.h"
#include "jdk/jvm.h"
#include "probe/probe.h"
#include "jdk/thread_life.h"

enum { EXIT_OUT_OF_MEMORY = 3 };

/* Once, for the first error that the heap raises; an error for want of threads does not count. */
static void obey_flags(struct os_thread *self, const char *message) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    const struct vm_flags *flags = &vm->options->flags;
    if (atomic_exchange(&thread_life()->out_of_memory_reported, true)) return;
    if (flags->HeapDumpOnOutOfMemoryError) heap_dump_out_of_memory(self, message);
    const char *commands = flags->OnOutOfMemoryError;
    if (commands != NULL && *commands != 0) {
        thread_to_native(self);
        vm_print(false, "#\n# java.lang.OutOfMemoryError: %s\n# -XX:OnOutOfMemoryError=\"%s\"\n", message, commands);
        fflush(stdout);
        error_commands_run(commands, "...");
        thread_from_native(self);
    }
    if (flags->CrashOnOutOfMemoryError) {
        vm_print(false, "Aborting due to java.lang.OutOfMemoryError: %s\n", message);
        fflush(stdout);
        fatal("OutOfMemory encountered: %s", message);
    }
    if (flags->ExitOnOutOfMemoryError) {
        vm_print(false, "Terminating due to java.lang.OutOfMemoryError: %s\n", message);
        fflush(stdout);
        perf_data_end();
        _exit(EXIT_OUT_OF_MEMORY);
    }
}

enum { EXHAUSTED_ERROR = 1, EXHAUSTED_HEAP = 2 };  /* JVM TI: ResourceExhausted */

/* An array longer than arrays can be is no want of memory. */
void out_of_memory(struct os_thread *self, const char *message) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    bool heap = strcmp(message, "Java heap space") == 0;
    if (vm->jdk != NULL && vm->jdk->reports_out_of_memory) {
        probe_resource_exhausted(self, heap ? EXHAUSTED_ERROR | EXHAUSTED_HEAP : EXHAUSTED_ERROR, message);
        obey_flags(self, message);
    }
    throw_out_of_memory(self, message);
}

