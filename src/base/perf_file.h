/* perf_file.h — the files of performance counters, /tmp/hsperfdata_<user>/<pid>: ours, and those of other VMs. */
#ifndef VITRINE_BASE_PERF_FILE_H
#define VITRINE_BASE_PERF_FILE_H

#include "base/base.h"

/* Makes this process's file of `size` bytes below `temp` (os_temp_dir()), readable by its user alone, and maps it;
 * files that dead processes of the user have left go. The directory must belong to the user or to root, and be writable
 * to nobody else; neither may be a link. *fd: the file, locked by flock as long as it is open, which tells processes of
 * other containers that it is in use; the caller closes it. *path: malloc'd. NULL: there can be none, and log tag perf
 * says why. */
void *perf_file_create(const char *temp, size_t size, int *fd, char **path);

/* Maps the file of process `pid` below `temp`, which may live in a container of its own. NULL: *exception is the name
 * of a class of exceptions and *message (constant) its text. The caller unmaps *size bytes. */
void *perf_file_attach(const char *temp, int pid, bool writable, size_t *size, const char **exception,
                       const char **message);

#endif
