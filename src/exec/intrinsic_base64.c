/* intrinsic_base64.c — java.util.Base64: groups of 3 bytes and 4 characters (exec/base64.c), as many as there is
 * room for, and characters of the alphabet. Where the library's code would throw, it runs. */
#include "exec/intrinsic.h"

#include "exec/base64.h"

#define FUNCTION(name) INTRINSIC_FUNCTION(name)
#define INT_ARG(i) ((int32_t)args[i])

enum { LONGEST_GROUPS = 1 << 20 };       /* about a millisecond, without vectors                                    */

/* Of (this, from, first, end, to, at, url ...): two arrays, and offsets in them. */
static bool has_arrays(const uint64_t *args) {
    struct object *from = arg_array(args, 1), *to = arg_array(args, 4);
    int32_t first = INT_ARG(2), end = INT_ARG(3), at = INT_ARG(5);
    return from != NULL && to != NULL && from != to && first >= 0 && first <= end && end <= array_length(from) &&
           at >= 0 && at <= array_length(to);
}
static const uint8_t *source(const uint64_t *args) {
    return (const uint8_t *)array_data(arg_array(args, 1)) + INT_ARG(2);
}
static uint8_t *target(const uint64_t *args) { return (uint8_t *)array_data(arg_array(args, 4)) + INT_ARG(5); }
static int32_t length(const uint64_t *args) { return INT_ARG(3) - INT_ARG(2); }
static int32_t room(const uint64_t *args) { return array_length(arg_array(args, 4)) - INT_ARG(5); }

FUNCTION(base64_encode) {
    if (!has_arrays(args)) return false;
    int32_t groups = length(args) / 3;
    if (length(args) % 3 != 0 || groups > room(args) / 4 || groups > LONGEST_GROUPS) return false;
    base64_encode(source(args), (size_t)groups, target(args), INT_ARG(6) != 0);
    *result = 0;
    return true;
}

/* The caller decodes what is left, or calls again. */
FUNCTION(base64_decode) {
    if (!has_arrays(args)) return false;
    size_t groups = (size_t)length(args) / 4, fit = (size_t)room(args) / 3, most = groups < fit ? groups : fit;
    bool url = INT_ARG(6) != 0;
    size_t done = base64_decode(source(args), most < LONGEST_GROUPS ? most : LONGEST_GROUPS, target(args), url);
    *result = 3 * done;
    uint8_t beyond[3];
    return done < fit || done == groups || base64_decode(source(args) + 4 * done, 1, beyond, url) == 0;
}
