/* report.h: turns a census into the printed table. */
#ifndef HISTOGRAM_REPORT_H
#define HISTOGRAM_REPORT_H

#include "census.h"
#include "options.h"

/* Writes the table of `c` to malloc'd text; NULL with a sentence on standard error when it cannot be made. */
char *report_text(struct census *c, const struct options *o);

/* Text form of a type signature: pkg.Name, int[], a hidden class with its suffix. malloc'd, NULL = no memory. */
char *report_class_name(const char *signature);

#endif
