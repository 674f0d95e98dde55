/* jio_*: printf functions that JDK libraries import from the VM; output goes through the embedder's hook when there is
 * one. */
#include <stdio.h>

#include "base/base.h"
#include "base/options.h"
#include "vm/vm.h"

EXPORT int jio_vsnprintf(char *out, size_t size, const char *format, va_list args) {
    if ((intptr_t)size <= 0) return -1;
    int n = vsnprintf(out, size, format, args);
    return n >= 0 && (size_t)n < size ? n : -1;      /* cut off: -1 and still terminated */
}

EXPORT int jio_snprintf(char *out, size_t size, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int n = jio_vsnprintf(out, size, format, args);
    va_end(args);
    return n;
}

EXPORT int jio_vfprintf(FILE *file, const char *format, va_list args) {
    if (vm && vm->options && vm->options->vfprintf_hook) return vm->options->vfprintf_hook(file, format, args);
    return vfprintf(file, format, args);
}

EXPORT int jio_fprintf(FILE *file, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int n = jio_vfprintf(file, format, args);
    va_end(args);
    return n;
}

EXPORT int jio_printf(const char *format, ...) {
    va_list args;
    va_start(args, format);
    int n = jio_vfprintf(stdout, format, args);
    va_end(args);
    return n;
}
