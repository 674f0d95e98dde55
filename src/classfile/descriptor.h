/* Field and method descriptors: validity, iteration over types, argument slots. JVMS 4.3. */
#ifndef VITRINE_CLASSFILE_DESCRIPTOR_H
#define VITRINE_CLASSFILE_DESCRIPTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbol;

/* All functions take modified UTF-8 with an explicit length; nothing is allocated. */

/* Length of the field type at the start of text[0..len) ('V' allowed if `allow_void`), 0 if malformed. Checks
 * array depth <= 255 and that class names are non-empty and legal for class files >= 49
 * ('.', '[', '//' ... are refused). */
size_t descriptor_type_length(const char *text, size_t len, bool allow_void);

bool descriptor_is_valid_field(const char *text, size_t len);
/* Also refuses more than 255 argument slots (`instance`: the receiver counts too). */
bool descriptor_is_valid_method(const char *text, size_t len, bool instance);

/* JVMS 4.2.2 unqualified names. */
bool name_is_valid_unqualified(const char *text, size_t len);
bool name_is_valid_method(const char *text, size_t len); /* <init> and <clinit> included */
/* Internal form of a class name; arrays are accepted if `allow_array`. */
bool name_is_valid_class(const char *text, size_t len, bool allow_array);

/* One type of a descriptor. */
struct desc_type {
    char kind;        /* B C D F I J S Z V, L or [ */
    const char *text; /* start of the type in the descriptor */
    size_t len;       /* whole type: "I", "Ljava/lang/String;", "[[D" */
};

/* Iterates over the parameter types of a *valid* method descriptor, then `desc_return` gives the rest:
 *     for (struct desc_iter it = desc_begin(text, len); desc_next(&it, &t);) ...  */
struct desc_iter {
    const char *p, *end;
};
struct desc_iter desc_begin(const char *text, size_t len);
bool desc_next(struct desc_iter *it, struct desc_type *out);
/* Return type of a valid method descriptor, or the whole of a field descriptor. */
struct desc_type desc_return(const char *text, size_t len);
/* The type at the start of a valid descriptor text. */
struct desc_type desc_first(const char *text, size_t len);

/* Slots of the arguments without receiver; -1 if malformed. */
int desc_arg_slots(const char *text, size_t len);
/* ... of a valid descriptor; *result receives the letter of what it returns. */
int desc_slots(const char *text, size_t len, char *result);
/* Number of parameters (each counts 1); -1 if malformed. */
int desc_arg_count(const char *text, size_t len);

/* 2 for J and D, 0 for V, else 1. */
static inline int desc_kind_slots(char kind) {
    return kind == 'J' || kind == 'D' ? 2 : kind == 'V' ? 0 : 1;
}

/* The name a Class entry would have for type `t`: L-types lose L and ';', arrays stay. Not for primitives. */
struct desc_type desc_class_name(struct desc_type t);

/* Convenience for symbols. */
int desc_symbol_arg_slots(const struct symbol *desc);
char desc_symbol_return_kind(const struct symbol *desc);

#endif
