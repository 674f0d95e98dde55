/* jvmti_layout.h: the rows of the generated jvmti_layout.c, which lists what a jvmti.h fixes in binary form. */
#ifndef JVMTI_LAYOUT_H
#define JVMTI_LAYOUT_H

#include <jvmti.h>

struct layout_row {
    const char *what;                   /* constant, struct.member or sizeof; NULL ends the table */
    long long value;
};

struct layout_bit {
    const char *name;                   /* NULL ends the table      */
    jvmtiCapabilities capabilities;     /* all clear but this flag  */
};

#define LAYOUT_NAME_(a, b) a##b
#define LAYOUT_NAME(a, b) LAYOUT_NAME_(a, b)

#endif
