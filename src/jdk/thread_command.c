/* thread_command.c — diagnostic commands on threads. */
#include <limits.h>
#include <stdlib.h>

#include "base/os.h"
#include "jdk/diagnostic_table.h"
#include "jdk/thread_dump.h"

enum { PRINT_LOCKS, PRINT_EXTENDED };

bool command_thread_print(struct request *r) {
    unsigned more = (r->on[PRINT_LOCKS] ? THREAD_DUMP_LOCKS : 0) | (r->on[PRINT_EXTENDED] ? THREAD_DUMP_EXTENDED : 0);
    char *text = thread_dump_text(r->self, more);
    if (text != NULL) fputs(text, r->out);
    free(text);
    return text != NULL;
}

enum { FILE_OVERWRITE, FILE_FORMAT };

/* The library writes the file, virtual threads included, and answers what there is to say. */
bool command_thread_dump_to_file(struct request *r) {
    const char *format = r->options[FILE_FORMAT];
    bool json = format != NULL && strcmp(format, "json") == 0;    /* anything else is plain text, as with HotSpot */
    char path[PATH_MAX];
    os_expand_process_id(r->arguments[0], path, sizeof path);
    struct object *file = string_from_platform(r->self, path);
    uint64_t args[2] = {slot_ref(file), r->on[FILE_OVERWRITE]};
    if (file == NULL) return false;
    return diagnostic_bytes(r->self, r->out, "jdk/internal/vm/ThreadDumper", json ? "dumpThreadsToJson" : "dumpThreads",
                            "(Ljava/lang/String;Z)[B", args);
}

bool command_thread_vthread_scheduler(struct request *r) {
    return diagnostic_bytes(r->self, r->out, "jdk/internal/vm/JcmdVThreadCommands", "printScheduler", "()[B", NULL);
}

bool command_thread_vthread_pollers(struct request *r) {
    return diagnostic_bytes(r->self, r->out, "jdk/internal/vm/JcmdVThreadCommands", "printPollers", "()[B", NULL);
}
