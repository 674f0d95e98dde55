/* inlining_report.h — what the optimising compiler has made of the calls of a method: -XX:+PrintInlining. */
#ifndef VITRINE_JIT_OPTIMISING_INLINING_REPORT_H
#define VITRINE_JIT_OPTIMISING_INLINING_REPORT_H

#include "base/table.h"
#include "link/class.h"

struct inlining_line {
    const struct method *method;
    uint32_t level;                      /* 0: called by the method itself                                         */
    uint32_t bci;                        /* of the call                                                            */
    const char *what;                    /* HotSpot's words                                                        */
    bool is_inlined;
};

/* In the order of the code, what is inlined before the calls in it. */
struct inlining_report { VEC(struct inlining_line) lines; };

#endif
