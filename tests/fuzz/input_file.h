/* input_file.h — an input of the fuzzer as a file, for what reads files: in memory, the same one each time. */
#ifndef VITRINE_FUZZ_INPUT_FILE_H
#define VITRINE_FUZZ_INPUT_FILE_H

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static int input_descriptor = -1;

/* A descriptor that stands at the begin of the input, and stays the file's. */
static inline int input_file(const uint8_t *data, size_t size) {
    if (input_descriptor < 0) input_descriptor = memfd_create("input", MFD_CLOEXEC);
    if (input_descriptor < 0 || ftruncate(input_descriptor, 0) != 0 ||
        pwrite(input_descriptor, data, size, 0) != (ssize_t)size || lseek(input_descriptor, 0, SEEK_SET) != 0)
        abort();
    return input_descriptor;
}

#endif
