/* libFuzzer target: descriptors and names; what is called valid must iterate to its end. */
#include "classfile/descriptor.h"

#define require(condition) ((condition) ? (void)0 : __builtin_trap())

static void check_method(const char *text, size_t size) {
    int slots = desc_arg_slots(text, size), count = desc_arg_count(text, size), seen = 0, width = 0;
    require((slots < 0) == (count < 0));
    require(descriptor_is_valid_method(text, size, false) == (slots >= 0 && slots <= 255));
    if (slots < 0) return;
    struct desc_type t;
    struct desc_iter it = desc_begin(text, size);
    while (desc_next(&it, &t)) {
        require(descriptor_type_length(t.text, t.len, false) == t.len);
        seen++;
        width += desc_kind_slots(t.kind);
    }
    require(seen == count && width == slots && *it.p == ')');
    t = desc_return(text, size);
    require(t.text + t.len == text + size);
    if (t.kind == 'L') require(name_is_valid_class(desc_class_name(t).text, desc_class_name(t).len, false));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *text = (const char *)data;
    if (descriptor_is_valid_field(text, size)) {
        require(desc_first(text, size).len == size);
        require(text[0] != '[' || name_is_valid_class(text, size, true));
    }
    check_method(text, size);
    if (name_is_valid_unqualified(text, size)) require(name_is_valid_class(text, size, false));
    (void)name_is_valid_method(text, size);
    return 0;
}
