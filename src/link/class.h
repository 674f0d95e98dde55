/* class.h — run-time classes, methods, fields, class holders and loaders. */
#ifndef VITRINE_LINK_CLASS_H
#define VITRINE_LINK_CLASS_H

#include "base/alloc.h"
#include "base/symbol.h"
#include "classfile/classfile.h"
#include "classfile/opcodes.h"
#include "heap/object.h"
#include "thread/thread.h"

enum class_state {                       /* grows monotonically, except that ERROR is final                       */
    CLASS_LOADED,                        /* parsed, laid out, in its loader's table                                */
    CLASS_LINKED,                        /* verified, prepared, methods ready                                      */
    CLASS_INITIALIZING,                  /* init_thread runs <clinit>                                              */
    CLASS_INITIALIZED,
    CLASS_ERROR                          /* initialisation failed                                                  */
};

struct field {
    struct class *holder;
    struct symbol *name, *desc;          /* borrowed from the class file                                           */
    const struct cf_member *cf;          /* NULL for injected fields                                               */
    uint32_t offset;                     /* bytes from the start of the object, or of the statics object           */
    uint16_t access_flags;
    uint16_t slot;                       /* index in class->fields; stable over redefinition                       */
    uint8_t type;                        /* enum basic_type                                                        */
    _Atomic uint8_t watch;               /* enum field_watch                                                       */
};

/* Set with the world stopped, except FIELD_QUICKENED. exec/patch.c */
enum field_watch {
    FIELD_WATCH_ACCESS = 1, FIELD_WATCH_MODIFICATION = 2,
    FIELD_QUICKENED = 4                  /* some instruction has its cell: a watch has to look for it               */
};

/* How the interpreter enters a method. */
enum method_entry {
    ENTRY_UNLINKED,                      /* class not linked yet (never seen after linking)                        */
    ENTRY_BYTECODE,
    ENTRY_NATIVE,                        /* native_code is the bound function or NULL: bind first                  */
    ENTRY_INTRINSIC,                     /* intrinsic: C function called in VM state, see method.intrinsic          */
    ENTRY_ABSTRACT,                      /* AbstractMethodError                                                    */
    ENTRY_CONFLICT,                      /* IncompatibleClassChangeError: conflicting default methods               */
    ENTRY_INVOKE_BASIC,                  /* MethodHandle.invokeBasic                                               */
    ENTRY_LINK_TO_STATIC, ENTRY_LINK_TO_SPECIAL, ENTRY_LINK_TO_VIRTUAL, ENTRY_LINK_TO_INTERFACE, ENTRY_LINK_TO_NATIVE,
    ENTRY_NOT_PUBLIC,                    /* IllegalAccessError: implements an interface's method, but is not public          */
    ENTRY_INVOKE_GENERIC                 /* MethodHandle.invoke/invokeExact, VarHandle accessors reached reflectively */
};

/* A VM-implemented native with no JNI bracket: args are the frame's local slots; the result goes to *result.
 * Thread IN_VM; may throw (pending exception) and collect. */
typedef void (*intrinsic_function)(struct os_thread *self, struct method *m, uint64_t *args, uint64_t *result);

enum { FRAME_RECORD_SLOTS = 6 };         /* size of struct frame (exec/frame.h) in slots                            */

/* Why entering a method is not just pushing a frame. Set when the code is made (link/init.c). */
enum code_flag {
    CODE_NOT_BYTECODE = 1,               /* look at method.entry                                                    */
    CODE_SYNCHRONIZED = 2
};

/* One version of a method's code. Frames, backtraces and stack maps point here; redefinition makes a new one. */
struct method_code {
    struct method *method;
    struct class_version *owner;         /* the version of the class that it came with                             */
    const struct cf_member *member;      /* NULL for method handle intrinsics, which no class file declares         */
    uint8_t *code;                       /* private copy: operands rewritten to native byte order, see link/init.c  */
    _Atomic uint64_t *cells;             /* the owner's                                                            */
    _Atomic(void *) stack_maps;          /* cache of exec/stack_map.c                                              */
    uint32_t frame_slots;                /* FRAME_SLOTS + max_stack: what stands behind the locals                  */
    uint16_t max_locals, max_stack;
    uint16_t arg_slots;                  /* receiver included                                                      */
    uint8_t uncommon;                    /* enum code_flag: entry must take the slow path; 0 = plain bytecode       */
    bool obsolete;                       /* replaced by different code: its method's plain id does not mean it any more */
};

/* One class file of a class with what resolution made of it. Code resolves in the version that it came with; redefinition makes a new
 * version, and the old one lives on while frames run its code. Made in define.c and redefine.c. */
struct class_version {
    struct class *class;
    struct classfile *cf;
    struct method_code *codes;           /* by method slot                                                          */
    _Atomic uint64_t *cells;             /* the class file's: resolution results by constant-pool index; link/resolve.h */
    uint32_t call_site_count;
    struct call_site *call_sites;        /* one per invokedynamic instruction                                       */
    struct resolution_error *_Atomic resolution_errors; /* link/resolve.c; objects are holder roots               */
    _Atomic(struct breakpoint *) breakpoints; /* in its codes: exec/patch.c; removed only with the world stopped    */
    struct arena *arena;                 /* of the first version: the class's                                       */
    uint16_t number;                     /* counts from 0                                                           */
    bool bytes_mapped;                   /* the class file lies in the jimage mapping, not in the arena             */
    bool verified;
    struct class_version *older;
};

/* The class file that the code came with; its original code, NULL for native and abstract methods. No locks. */
static inline const struct classfile *code_cf(const struct method_code *code) { return code->owner->cf; }
static inline const struct cf_code *code_source(const struct method_code *code) { return code->member != NULL ? code->member->code : NULL; }

enum method_flag {                       /* eight bits                                                              */
    METHOD_CALLER_SENSITIVE = 1, METHOD_HIDDEN = 2, METHOD_INIT = 4, METHOD_CLINIT = 8,
    METHOD_SIGNATURE_POLYMORPHIC = 16, METHOD_MIRANDA = 32, METHOD_HAS_JSR = 64, METHOD_SYNTHETIC_VM = 128 /* made by the VM */
};

struct method {
    struct class *holder;
    struct method_code *_Atomic code;    /* current version                                                        */
    struct symbol *name, *desc;          /* borrowed                                                               */
    _Atomic(void *) native_code;
    intrinsic_function intrinsic;
    uint16_t access_flags;
    uint16_t slot;                       /* index in class->methods; stable over redefinition                      */
    int32_t vtable_index;                /* >= 0; -1: statically bound (static, private, <init>, final not overriding) */
    int32_t itable_index;                /* interface methods: index in the interface's method table; else -1      */
    uint8_t arg_slots;                   /* receiver included: at most 255                                         */
    uint8_t entry;                       /* enum method_entry                                                      */
    uint8_t return_type;                 /* enum basic_type                                                        */
    uint8_t flags;                       /* enum method_flag                                                       */
    void *native_data;                   /* exec/: call descriptor of native methods                               */
};

/* A vtable entry for an interface's method that no class of the chain declares. */
struct miranda {
    struct miranda *next;                /* in the order of the vtable                                             */
    struct method method;
};

struct itable {                          /* one implemented interface of a class                                   */
    struct class *interface;
    struct method **methods;             /* by itable_index; an entry with ENTRY_ABSTRACT/CONFLICT throws          */
};

struct loader;
struct module_record;
struct package;

struct class {
    struct shape shape;                  /* first: a class is a shape                                              */
    struct symbol *name;                 /* java/lang/String, [I, int; hidden: Outer/0x12 is spelled with '+' as HotSpot: pkg/Name+0x12 */
    struct class *super;                 /* Object for interfaces and arrays; NULL for Object and primitives       */
    struct loader *loader;               /* defining loader                                                        */
    struct object *mirror;
    struct object *statics;              /* statics object; NULL without static fields                             */
    struct shape statics_shape;

    _Atomic uint8_t state;               /* enum class_state                                                       */
    uint8_t basic_type;                  /* primitives: which; others T_OBJECT or T_ARRAY                          */
    bool is_hidden, is_interface, is_abstract, is_final;
    bool verified, has_default_methods;
    uint16_t access_flags;               /* of the class file (array classes: derived)                             */
    uint16_t modifiers;                  /* as Class.getModifiers: InnerClasses flags applied                      */

    /* type tests: supers[depth] display for depth < 8, secondary supers otherwise */
    uint32_t depth;
    struct class *display[8];
    uint32_t secondary_count;
    struct class **secondary;            /* all superinterfaces, and superclasses deeper than the display          */
    _Atomic(struct class *) secondary_cache;

    uint32_t interface_count;
    struct class **interfaces;           /* direct                                                                 */
    uint32_t field_count, method_count;
    struct field *fields;                /* class file order, then injected                                        */
    struct method *methods;              /* class file order; by slot; address stable                              */
    struct miranda *mirandas;            /* vtable entries without a declaration                                    */
    uint32_t vtable_length;
    struct method **vtable;
    uint32_t itable_count;
    struct itable *itables;
    uint32_t itable_methods_count;       /* interfaces: number of methods with an itable_index                     */
    struct method **itable_methods;      /* interfaces: by itable_index                                            */

    /* arrays */
    struct class *component, *element;   /* one level down; innermost                                              */
    uint32_t dimensions;
    _Atomic(struct class *) array_class; /* class of arrays of this, made on demand                                */

    /* class file and resolution */
    struct class_version *version;       /* the current one; NULL for arrays and primitives. Changes at safepoints only */
    struct classfile *cf;                /* version->cf                                                             */
    uint8_t *initial_bytes;              /* what retransformation starts from; NULL: the class file itself          */
    size_t initial_length;
    struct os_thread *redefining;        /* under init_lock                                                         */
    const struct classfile *verifying;   /* what the JDK's old verifier sees of the class; NULL: cf                 */
    struct module_record *module;
    struct package *package;
    _Atomic(struct class *) nest_host;   /* resolved                                                               */
    struct object *protection_domain;    /* root; also stored in the mirror on 25                                  */
    struct object *signers;              /* root; 17                                                               */
    struct object *class_data_root;      /* root: class data of a hidden class                                      */

    /* initialisation */
    struct os_thread *_Atomic init_thread;
    struct os_thread *linking;           /* verifies and prepares it now; under init_lock                          */
    struct object *init_error;           /* root: recorded ExceptionInInitializerError cause (as HotSpot: later NoClassDefFoundError's cause) */
    struct class *next_in_holder;
    uint32_t fields_end;                 /* bytes used by instance fields, before rounding to instance_size             */
    struct member_index *_Atomic method_index;           /* link/lookup.c                                         */
    struct method_type_intrinsics *_Atomic polymorphic;  /* MethodHandle: one synthetic method per intrinsic and descriptor */

    struct arena *arena;                 /* metadata of this class; NULL for arrays and primitives. Used by its definer and linker only */
};

/* Complete class_holder: arena and roots of one loader, or of one weak hidden class. */
struct holder_record {
    struct class_holder base;
    struct arena *arena;                 /* all metadata of its classes                                            */
    struct loader *loader;               /* itself for a loader's own holder                                       */
    struct object *object;               /* java.lang.ClassLoader, or the hidden class's mirror                    */
    struct class *classes;               /* list by next_in_holder; grows at the head, read without lock           */
    struct class *failed;                /* classes whose definition failed late, by next_in_holder: only to be freed */
    struct holder_roots *roots;          /* objects that resolution attached: cells hold them                      */
    _Atomic uint32_t defining;           /* definitions in progress: not to be unloaded                             */
};

/* An initiating/defining loader. The boot loader has object NULL. */
struct loader {
    struct holder_record holder;
    struct object *object;               /* java.lang.ClassLoader; NULL: boot                                      */
    struct loader *next;
    struct class_dictionary *dictionary; /* name -> class, for initiating loaders too                              */
    struct module_record *unnamed_module;
    struct package_table *packages;
    struct module_table *modules;
    bool is_parallel_capable, is_boot, is_platform, is_app, is_delegating /* 17: DelegatingClassLoader */;
    void *libraries;                     /* jni/                                                                   */
};

static inline bool field_is_watched(const struct field *f) {
    return atomic_load_explicit(&((struct field *)f)->watch, memory_order_relaxed) & (FIELD_WATCH_ACCESS | FIELD_WATCH_MODIFICATION);
}
static inline struct class *class_of(const struct object *o) { return (struct class *)shape_of(o); }
/* The class whose static fields o, a statics object, holds. */
static inline struct class *class_of_statics(const struct object *o) {
    return (struct class *)((char *)shape_of(o) - offsetof(struct class, statics_shape));
}
static inline bool class_is_array(const struct class *c) { return c->shape.kind == SHAPE_REF_ARRAY || c->shape.kind == SHAPE_PRIM_ARRAY; }
static inline bool class_is_primitive(const struct class *c) { return c->shape.kind == SHAPE_PRIMITIVE; }
static inline bool class_is_initialized(const struct class *c) { return atomic_load_explicit(&c->state, memory_order_acquire) == CLASS_INITIALIZED; }

/* Is `c` `target` or a subtype of it (JVMS 6.5 instanceof)? No loading, no exception, no safepoint. */
bool class_is_subtype_slow(struct class *c, struct class *target);
static inline bool class_is_subtype(struct class *c, struct class *target) {
    if (c == target) return true;
    if (!target->is_interface && !class_is_array(target) && target->depth < 8) return c->display[target->depth] == target;
    return class_is_subtype_slow(c, target);
}
static inline bool object_is_instance(struct object *o, struct class *c) { return class_is_subtype(class_of(o), c); }

/* ---- ids that cannot crash: jmethodID = class id (32) | slot (16) | version (15) | 1 ------------------------------- */

static inline jmethodID method_id(const struct method *m) {
    return (jmethodID)(uintptr_t)((uint64_t)m->holder->shape.id << 32 | (uint64_t)m->slot << 16 | 1u);
}
/* The id of one version: while it is not obsolete, its method's. Otherwise one that means this version only. */
static inline jmethodID method_code_id(const struct method_code *code) {
    uint64_t id = (uint64_t)(uintptr_t)method_id(code->method);
    return (jmethodID)(uintptr_t)(code->obsolete ? id | (uint64_t)(code->owner->number + 1u) << 1 : id);
}
/* jfieldID = offset (14) | volatile (1) | 1 | slot (16) | type (4) | class id (28). Offset, volatile and type tell the place of a primitive
 * instance field, so that JNI need not look it up; they are 0 for all others. Class id and type are looked at in one comparison: less the
 * type that is wanted, the low half is the id of a class only where it has that type. */
enum {
    FIELD_ID_TYPE_SHIFT = 28, FIELD_ID_CLASS_IDS = 1 << FIELD_ID_TYPE_SHIFT, FIELD_ID_SLOT_SHIFT = 32, FIELD_ID_MARK_SHIFT = 48, FIELD_ID_VOLATILE_SHIFT = 49,
    FIELD_ID_OFFSET_SHIFT = 50, FIELD_ID_OFFSETS = 1 << 14
};
static inline uint64_t field_place(const struct field *f) {
    if (f->type >= T_OBJECT || f->access_flags & ACC_STATIC || f->offset >= FIELD_ID_OFFSETS) return 0;
    return (uint64_t)f->offset << FIELD_ID_OFFSET_SHIFT | (uint64_t)((f->access_flags & ACC_VOLATILE) != 0) << FIELD_ID_VOLATILE_SHIFT |
           (uint64_t)f->type << FIELD_ID_TYPE_SHIFT;
}
static inline jfieldID field_id(const struct field *f) {
    return (jfieldID)(uintptr_t)(field_place(f) | 1ull << FIELD_ID_MARK_SHIFT | (uint64_t)f->slot << FIELD_ID_SLOT_SHIFT | f->holder->shape.id);
}
/* The code of the same method in the next older version that still exists; NULL: none. No locks; versions go at safepoints. */
struct method_code *method_code_older(const struct method_code *code);
/* The id that the next class gets (class_id.c); those below it have rows in shape_table, NULL for a class that is gone. */
extern __attribute__((visibility("hidden"))) _Atomic uint32_t next_class_id;

/* NULL for stale or invented ids. No locks. */
static inline struct class *class_of_id(uint32_t id) {
    if (id == 0 || id >= atomic_load_explicit(&next_class_id, memory_order_relaxed)) return NULL;
    struct shape *s = shape_table[id];
    return s == NULL || s->kind == SHAPE_STATICS ? NULL : (struct class *)s;
}
static inline struct method *method_of_id(jmethodID id) {
    uint64_t v = (uint64_t)(uintptr_t)id;
    struct class *c = v & 1 ? class_of_id((uint32_t)(v >> 32)) : NULL;
    uint32_t slot = (uint32_t)(v >> 16) & 0xffff;
    return c != NULL && slot < c->method_count ? &c->methods[slot] : NULL;
}
/* The version that an id means: the current one, or an obsolete one that still exists. */
static inline struct method_code *method_code_of_id(jmethodID id) {
    struct method *m = method_of_id(id);
    uint16_t version = (uint16_t)((uintptr_t)id >> 1 & 0x7fff);
    struct method_code *code = m ? atomic_load_explicit(&m->code, memory_order_acquire) : NULL;
    while (version != 0 && code != NULL && code->owner->number != version - 1) code = method_code_older(code);
    return code;
}
struct field *field_of_id(jfieldID id);
static inline struct field *field_of_id_inline(jfieldID id) {
    uint64_t v = (uint64_t)(uintptr_t)id;
    struct class *c = v >> FIELD_ID_MARK_SHIFT & 1 ? class_of_id((uint32_t)v & (FIELD_ID_CLASS_IDS - 1)) : NULL;
    uint32_t slot = (uint32_t)(v >> FIELD_ID_SLOT_SHIFT) & 0xffff;
    return c != NULL && slot < c->field_count ? &c->fields[slot] : NULL;
}

#endif
