/* How alike two words are, for "Did you mean". */
#ifndef VITRINE_BASE_SIMILARITY_H
#define VITRINE_BASE_SIMILARITY_H

#include "base/base.h"

/* Share of letter pairs of a that also occur in b, 0 to 1 (the measure HotSpot's suggestions rest on). */
double similarity(const char *a, size_t a_len, const char *b, size_t b_len);

#endif
