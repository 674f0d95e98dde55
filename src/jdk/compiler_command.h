/* compiler_command.h — the map of compiled code for Linux perf. */
#ifndef VITRINE_JDK_COMPILER_COMMAND_H
#define VITRINE_JDK_COMPILER_COMMAND_H

/* Where perf looks for what a process has compiled; %p is its id. */
#define PERF_MAP_PATH "/tmp/perf-%p.map"
/* -XX:+DumpPerfMapAtExit. */
void perf_map_at_exit(void);

#endif
