/* layout_dump.c: prints one header's layout table; header_check.py compares the outputs. */
#include <stdio.h>

#include "jvmti_layout.h"

extern const struct layout_row LAYOUT_TABLE[];
extern const struct layout_bit LAYOUT_NAME(LAYOUT_TABLE, _capabilities)[];

int main(void) {
    for (const struct layout_row *r = LAYOUT_TABLE; r->what; r++) printf("%s = %lld\n", r->what, r->value);
    for (const struct layout_bit *b = LAYOUT_NAME(LAYOUT_TABLE, _capabilities); b->name; b++) {
        const unsigned char *bytes = (const unsigned char *)&b->capabilities;
        printf("bits of %s =", b->name);
        for (size_t i = 0; i < sizeof b->capabilities; i++) printf(" %02x", bytes[i]);
        printf("\n");
    }
    return 0;
}
