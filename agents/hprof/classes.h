/* classes.h: every class that was met: its number, names, fields, and where each field lies in an instance dump. Lock
 * held, but for class_by_tag(). */
#ifndef HPROF_CLASSES_H
#define HPROF_CLASSES_H

#include <jvmti.h>

#include <stdbool.h>
#include <stdint.h>

#include "packet.h"
#include "table.h"

struct hprof;

/* A mirror is an instance of java.lang.Class that a heap walk has met, of which nothing else is known: it may be that
 * of a class loaded since the classes were listed, or of a primitive type. */
enum known_kind { KNOWN_CLASS = 1, KNOWN_THREAD, KNOWN_MIRROR };
/* What class_info and thread_info begin with: objects that have a number (their tag) for their whole life. */
struct known { enum known_kind kind; uint32_t id; uint32_t met; /* number of the last dump that met it */ };

struct field_info {
    char *name;
    char type;                          /* descriptor character; arrays: 'L'                              */
    bool is_static;
    uint32_t value;                     /* static: offset in statics                                      */
};

/* A field as the heap callbacks count it. */
struct field_slot {
    uint32_t offset;                    /* in the instance dump's values; NOT_AN_INSTANCE_FIELD           */
    char type;
};
enum { NOT_AN_INSTANCE_FIELD = UINT32_MAX };

enum class_shape { SHAPE_INSTANCE, SHAPE_OBJECT_ARRAY, SHAPE_PRIMITIVE_ARRAY };

struct class_info {
    struct known known;
    uint32_t serial;
    char *signature, *name;             /* "[Ljava/lang/String;", "java.lang.String[]"                    */
    enum class_shape shape;
    bool is_interface, unloaded, load_written, laid_out;
    bool seen;                          /* by the last classes_refresh                                    */
    struct class_info *super;
    struct class_info *next_mirror;     /* see dump.mirrors and classes.spare_mirrors                 */
    jweak reference;                    /* heap=sites: made when an allocation is met; goes with the VM   */
    /* set when laid_out */
    struct class_info **interfaces;     /* all of them, inherited ones too                                */
    uint32_t interface_count;
    struct field_info *fields;          /* its own, in the order of GetClassFields                        */
    uint32_t field_count;
    uint32_t first_index;               /* number of its first own field in heap callbacks                */
    struct field_slot *slots;           /* from the first field of Object on: index - slot_base           */
    uint32_t slot_base, slot_count;
    uint32_t data_size;                 /* bytes of an instance dump's values                             */
    uint32_t primitive_count;           /* instance fields of primitive types, inherited ones too         */
    uint32_t statics_size;
    /* what a heap walk has found; reset by the next one */
    unsigned char *statics;             /* values as they are written                                     */
    uint64_t loader, signers, domain;   /* identifiers                                                    */
    int64_t object_size;                /* bytes of an instance, 0: none met                              */
};

struct classes {
    struct stable known;                /* struct known *, by number; shared with threads                 */
    uint32_t known_count;
    uint32_t class_count;
    struct class_info *class_class;     /* of java.lang.Class                                             */
    struct class_info *spare_mirrors;   /* records of mirrors whose numbers no object has any longer      */
};

/* Name of a primitive type. */
const char *type_name(char type);

/* A new number for a known object; 0: out of memory. */
uint32_t known_add(struct hprof *h, struct known *k);
/* The known object with a tag, or NULL. */
struct known *known_by_tag(struct hprof *h, jlong tag);
/* The class with a tag, or NULL. */
struct class_info *class_by_tag(struct hprof *h, jlong tag);
/* A record for a mirror, with a number. No JVM TI. NULL: out of memory. */
struct class_info *mirror_add(struct hprof *h);
/* The record of a class, made when it is new; a class whose mirror has a number keeps it. NULL: out of memory, or it is
 * gone. */
struct class_info *class_of(struct hprof *h, JNIEnv *jni, jclass klass);
/* Takes in all loaded classes, with their layouts as far as they are prepared, and finds those that are gone. In the
 * binary form writes LOAD_CLASS and UNLOAD_CLASS. `count` and `list` give the loaded classes (local references of the
 * caller's frame; the list goes back with hprof_free), unless NULL. */
bool classes_refresh(struct hprof *h, JNIEnv *jni, jint *count, jclass **list);
/* Writes LOAD_CLASS once, in the binary form. */
void class_write(struct hprof *h, struct class_info *c);
/* Works out fields and layout when the class is prepared. False: it is not. */
bool class_lay_out(struct hprof *h, JNIEnv *jni, jclass klass, struct class_info *c);

#endif
