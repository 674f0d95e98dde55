/* hooks.h: what the base room asks of the rooms above it. A table of constants that vm/hooks.c fills; any thread may
 * call, whether a VM lives or not. */
#ifndef VITRINE_BASE_HOOKS_H
#define VITRINE_BASE_HOOKS_H

#include <stdbool.h>

struct base_hooks {
    /* Called by fatal() before the process ends, with the sentence: writes the crash report. False: none can be
     * written, and fatal() prints the sentence. A failure while it runs calls it again on the same thread: it may jump
     * back into its report. */
    bool (*crash)(const char *file, int line, const char *message);
    /* What is logged has changed. No lock is held. */
    void (*log_changed)(void);
    /* Arenas hold more than arena_watch has asked for. In the thread that allocates, which may hold locks: only wakes
     * somebody. */
    void (*arena_reached)(void);
#ifdef VITRINE_CHECK
    /* Before each block of C memory is taken, arenas' included: is that allowed here? */
    void (*allocates)(void);
#endif
};
extern const struct base_hooks base_hooks;

#endif
