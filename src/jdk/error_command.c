/* error_command.c — the shell commands of -XX:OnError and -XX:OnOutOfMemoryError. */
#include "jdk/error_command.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/os.h"

enum { COMMAND_MAX = 2000 };

/* The child starts with the signals that a program expects, whatever the calling thread has blocked. */
static void run(const char *command) {
    char *const args[] = {"sh", "-c", (char *)command, NULL};
    posix_spawnattr_t attributes;
    sigset_t none, usual;
    sigemptyset(&none);
    sigfillset(&usual);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    pid_t child;
    int status;
    if (posix_spawn(&child, "/bin/sh", NULL, &attributes, args, os_environ()) == 0)
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    posix_spawnattr_destroy(&attributes);
}

void error_commands_run(const char *list, const char *ending) {
    char command[COMMAND_MAX], expanded[COMMAND_MAX], line[COMMAND_MAX + 64];
    while (*list != 0) {
        list += strspn(list, "; ");
        size_t n = strcspn(list, ";");
        if (n == 0) return;
        snprintf(command, sizeof command, "%.*s", (int)(n < sizeof command ? n : sizeof command - 1), list);
        list += n;
        os_expand_process_id(command, expanded, sizeof expanded);
        int length = snprintf(line, sizeof line, "#   Executing /bin/sh -c \"%s\"%s\n", expanded, ending);
        if (length > 0 && write(STDOUT_FILENO, line, (size_t)length) < 0) {}
        run(expanded);
    }
}
