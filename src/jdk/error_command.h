/* error_command.h — the shell commands of -XX:OnError and -XX:OnOutOfMemoryError. */
#ifndef VITRINE_JDK_ERROR_COMMAND_H
#define VITRINE_JDK_ERROR_COMMAND_H

#include <stddef.h>

/* Runs the commands of `list` (separated by ';') one after the other through /bin/sh and waits for each; names each on
 * standard output with `ending` behind it. Usable in a signal handler. Caller is not in the VM, or ends it. */
void error_commands_run(const char *list, const char *ending);

#endif
