/* How alike two words are. */
#include "base/similarity.h"

double similarity(const char *a, size_t a_len, const char *b, size_t b_len) {
    size_t shared = 0;
    if (a_len < 2 || b_len < 2) return 0;
    for (size_t i = 0; i + 1 < a_len; i++) {
        size_t k = 0;
        while (k + 1 < b_len && (a[i] != b[k] || a[i + 1] != b[k + 1])) k++;
        shared += k + 1 < b_len;
    }
    return 2.0 * (double)shared / (double)(a_len + b_len);
}
