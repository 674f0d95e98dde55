/* crash_report.h — the report of a fatal error, hs_err_pid<N>.log. */
#ifndef VITRINE_JDK_CRASH_REPORT_H
#define VITRINE_JDK_CRASH_REPORT_H

#include <stdbool.h>

/* Handlers for the signals that would end the process, and the hook of fatal(). As soon as the options are known. */
void crash_report_install(void);
void crash_report_uninstall(void);

struct os_thread;

/* Writes what a report says of the VM and the machine, whatever has happened. Stops the world. IN_VM. */
void crash_report_info(struct os_thread *self, int fd);

/* base_hooks.crash. */
bool crash_report_fatal(const char *file, int line, const char *message);

#endif
