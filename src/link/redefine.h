/* redefine.h — new class files for classes that are in use (JVM TI RedefineClasses, RetransformClasses). */
#ifndef VITRINE_LINK_REDEFINE_H
#define VITRINE_LINK_REDEFINE_H

#include "link/link.h"

enum redefine_status {
    REDEFINE_OK,
    REDEFINE_NO_MEMORY,
    REDEFINE_INTERNAL,
    REDEFINE_INVALID_CLASS,              /* its initialisation failed                                                 */
    REDEFINE_UNSUPPORTED_VERSION,
    REDEFINE_INVALID_FORMAT,
    REDEFINE_CIRCULAR,
    REDEFINE_FAILS_VERIFICATION,
    REDEFINE_NAMES_DIFFER,
    REDEFINE_METHOD_ADDED,
    REDEFINE_METHOD_DELETED,
    REDEFINE_METHOD_MODIFIERS,
    REDEFINE_FIELDS,
    REDEFINE_HIERARCHY,
    REDEFINE_CLASS_MODIFIERS,
    REDEFINE_CLASS_ATTRIBUTE             /* NestHost, NestMembers, Record, PermittedSubclasses                        */
};

struct class_redefinition {
    struct class *class;
    const uint8_t *bytes;                /* NULL: retransform, from the class's initial bytes                         */
    size_t length;
};

/* May this class get a new class file at all? Not primitives, arrays and hidden classes. */
bool class_is_modifiable(const struct class *c);

/* Gives all the classes new class files or none. Each file first goes through the class_file_load probe; then
 * everything that can fail is prepared; then all change at one safepoint. Frames go on in the version that they run.
 * Fields keep their values, no initialiser runs. Thread: IN_VM, runs Java code, reaches safepoints, holds no lock; no
 * exception is pending afterwards. */
enum redefine_status classes_redefine(struct os_thread *self, const struct class_redefinition *set, size_t count);

/* ---- redefine_compare.c ------------------------------------------------------------------------------------------ */

/* What of a class a redefinition must leave as it is (JVM TI RedefineClasses). With
 * -XX:+AllowRedefinitionToAddDeleteMethods private methods that are static or final may come and go. */
enum redefine_status redefinition_check(const struct class *c, const struct classfile *fresh);
/* Equal but for the numbering of the constant pool, line numbers and other debug attributes? */
bool code_is_equivalent(const struct method_code *a, const struct method_code *b);

#endif
