/* libFuzzer target: what a tool sends to the attach listener. What is a request by the protocol's rules is taken for
 * one, string by string as it was sent; nothing else is. */
#include "input_file.h"

#include "base/base.h"
#include "jdk/attach_request.h"

#define require(condition) ((condition) ? (void)0 : __builtin_trap())

enum { MOST_V1 = 4096, MOST_V2 = 256 * 1024 };       /* bytes: HotSpot's limits                                      */

/* Behind the next string; NULL: it does not end before `end`. */
static const char *behind(const char *at, const char *end) {
    const char *zero = at != NULL && at < end ? memchr(at, 0, (size_t)(end - at)) : NULL;
    return zero != NULL ? zero + 1 : NULL;
}

/* Where the request ends that was sent, by the protocol's rules; NULL: it is none. */
static const char *end_of_request(const char *at, const char *end, int library) {
    const char *head = end - at > MOST_V1 ? at + MOST_V1 : end, *version = at;
    if ((at = behind(at, head)) == NULL) return NULL;
    if (strcmp(version, "1") == 0) {
        for (int strings = 4; strings > 0 && at != NULL; strings--) at = behind(at, head);
        return at;
    }
    const char *length = at, *begin = behind(at, head);
    if (strcmp(version, "2") != 0 || library == 17 || begin == NULL) return NULL;
    char *rest;
    unsigned long bytes = strtoul(length, &rest, 10);
    if (*rest != 0 || bytes == 0 || bytes > MOST_V2 || bytes > (unsigned long)(end - begin)) return NULL;
    return begin[bytes - 1] == 0 ? begin + bytes : NULL;
}

/* The next string of what was sent is this one. */
static void expect(const char **at, const char *text) {
    require(strcmp(*at, text) == 0);
    *at += strlen(text) + 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    for (int library = 17; library <= 25; library += 8) {
        struct attach_request r = { 0 };
        enum attach_reading how = attach_request_read(input_file(data, size), library, &r);
        const char *at = (const char *)data, *end = end_of_request(at, at + size, library);
        require((how == ATTACH_READ) == (end != NULL));
        if (how == ATTACH_READ) {
            for (int strings = *at == '2' ? 2 : 1; strings > 0; strings--) at += strlen(at) + 1;
            expect(&at, r.name);
            for (size_t i = 0; i < r.arguments.count; i++) expect(&at, attach_argument(&r, i));
            require(at == end && *attach_argument(&r, r.arguments.count) == 0);
        }
        attach_request_free(&r);
    }
    return 0;
}
