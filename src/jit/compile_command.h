/* compile_command.h — -XX:CompileCommand, -XX:CompileCommandFile and -XX:CompileOnly: what is said of which methods.
 *
 * A command is an option of command_options.def, a pattern of methods and a value. Where several speak of one option of
 * one method, the last counts. They are read when the VM starts, and then do not change. */
#ifndef VITRINE_JIT_COMPILE_COMMAND_H
#define VITRINE_JIT_COMPILE_COMMAND_H

#include "base/table.h"
#include "link/class.h"

enum command_option {
#define COMMAND(name, type, library17, library25, effect) COMMAND_##name,
#include "jit/command_options.def"
#undef COMMAND
    COMMAND_COUNT
};

struct compile_command;

struct compile_commands {
    VEC(struct compile_command *) list;  /* those with effect, in the order given; malloc'd                        */
    bool given[COMMAND_COUNT];           /* of any effect                                                          */
    bool quiet;
};

/* Reads what the options of the VM give into *c, which is empty, and prints what HotSpot prints. False: the VM does not
 * start, which only the library of 25 wants when something is wrong; why has been printed. Before there are methods. */
bool commands_read(struct compile_commands *c) MUST_CHECK;
void commands_free(struct compile_commands *c);
/* Is the option, a bool with effect, true for m? Any thread. */
bool command_says(const struct compile_commands *c, enum command_option option, const struct method *m);
/* Is it said to be false? */
bool command_denies(const struct compile_commands *c, enum command_option option, const struct method *m);

#endif
