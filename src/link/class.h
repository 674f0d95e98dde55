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
    FIELD_QUICKENED = 4,                 /* some instruction has its cell: a watch has to look for it               */
    FIELD_ASSIGNED = 8                   /* it is final, and JNI assigns it all the same: it is no constant         */
};

/* What entering a method means; method.enter does it. */
enum method_entry {
    ENTRY_UNLINKED,                      /* class not linked yet (never seen after linking)                        */
    ENTRY_BYTECODE,
    ENTRY_NATIVE,                        /* native_code is the bound function or NULL: bind first                  */
    ENTRY_INTRINSIC,                     /* intrinsic: C function called in VM state, see method.intrinsic          */
    ENTRY_ABSTRACT,                      /* AbstractMethodError                                                    */
    ENTRY_CONFLICT,                      /* IncompatibleClassChangeError: conflicting default methods               */
    ENTRY_INVOKE_BASIC,                  /* MethodHandle.invokeBasic                                               */
    ENTRY_LINK_TO_STATIC, ENTRY_LINK_TO_SPECIAL, ENTRY_LINK_TO_VIRTUAL, ENTRY_LINK_TO_INTERFACE, ENTRY_LINK_TO_NATIVE,
    ENTRY_NOT_PUBLIC,    /* IllegalAccessError: implements an interface's method, but is not public */
    ENTRY_INVOKE_GENERIC,                /* MethodHandle.invoke/invokeExact, VarHandle accessors reached reflectively */
    ENTRY_DELETED,                       /* NoSuchMethodError: a redefinition has deleted it                        */
    ENTRY_LIMIT
};

/* A call of m, from bytecode or from C: the arguments stand at `args` on the thread's Java stack, above all that lives.
 * NULL: the call is over; *result is set, last of all, or an exception is pending. Otherwise the method whose bytecode
 * is to run: m itself, or what a method handle leads to. Its arguments are still there; or it has run to where its
 * frame, which is then the thread's youngest, says, and the interpreter goes on with that. Thread IN_VM, the caller's
 * pc and operands current; a safepoint. */
typedef struct method *method_entry_function(struct os_thread *self, struct method *m, uint64_t *args,
                                             uint64_t *result);

/* A VM-implemented native with no JNI bracket: args are the frame's local slots; the result goes to *result,
 * last of all: the collector does not see it there. Thread IN_VM; may throw (pending exception) and collect. */
typedef void (*intrinsic_function)(struct os_thread *self, struct method *m, uint64_t *args, uint64_t *result);
/* What stands in for a method of exec/intrinsic.def, where it may: neither throws nor stops. False: the method's own
 * code is to run. */
typedef bool leaf_function(const uint64_t *args, uint64_t *result);

enum { FRAME_RECORD_SLOTS = 5 };         /* size of struct frame (exec/frame.h) in slots                            */

/* Why entering bytecode is not just pushing a frame. Set when the code is made (define.c). */
enum code_flag {
    CODE_SYNCHRONIZED = 1,
    CODE_UNMAPPED = 2                    /* its stack maps come from data flow, and are not computed yet            */
};

/* How much a method runs before it is hot (docs/architecture.md, "The life of a call"). */
enum { METHOD_BUDGET = 2000, LOOP_COST = 1, METHOD_BUDGETS = 25 };

/* One version of a method's code. Frames, backtraces and stack maps point here; redefinition makes a new one. */
struct method_code {
    struct method *method;
    struct class_version *owner;         /* the version of the class that it came with                             */
    const struct cf_member *member;      /* NULL for method handle intrinsics, which no class file declares         */
    uint8_t *code;                       /* private copy: operands rewritten to native byte order, see link/init.c  */
    _Atomic uint64_t *cells;             /* the owner's                                                            */
    _Atomic(void *) stack_maps;          /* cache of exec/stack_map.c                                              */
    uint32_t frame_slots;                /* FRAME_SLOTS + max_stack: what stands behind the locals                  */
    uint16_t max_locals, max_stack;      /* without bytecode: arg_slots, 0                                         */
    uint8_t uncommon;                    /* enum code_flag: entry must take the slow path; 0 = plain bytecode       */
    _Atomic bool optimised;              /* frames may run code of it that keeps locals elsewhere, too               */
    uint8_t entered;                     /* so far behind `compiled` a frame has been made                          */
    uint8_t budgets_used;                /* how many times exec_method_is_hot has been called: METHOD_BUDGETS at most */
    int32_t budget;                      /* counts down by calls and backward branches; <= 0: counts no more. Plain
                                          * loads and stores: what races lose, the method is hot later              */
    const void *_Atomic compiled;        /* machine code that C may call, as the stub `enter` does; NULL: none      */
    _Atomic uint64_t id;                 /* what method_code_id answers once it has been asked, or enum code_id     */
};

/* One class file of a class with what resolution made of it. Code resolves in the version that it came with;
 * redefinition makes a new version, and the old one lives on while frames run its code. Made in define.c and
 * redefine.c. */
struct class_version {
    struct class *class;
    struct classfile *cf;
    struct method_code *codes;           /* by method slot; for methods that it does not have, see code_is_missing  */
    _Atomic uint64_t *cells;    /* the class file's: resolution results by constant-pool index; link/resolve.h */
    struct call_site *call_sites;        /* one per invokedynamic instruction                                       */
    struct resolution_error *_Atomic resolution_errors; /* link/resolve.c; objects are holder roots               */
    _Atomic(struct breakpoint *) breakpoints; /* in its codes: exec/patch.c; removed only with the world stopped    */
    struct arena *arena;                 /* of the first version: the class's                                       */
    uint16_t number;                     /* counts from 0, and begins again; no two that exist have the same         */
    uint16_t code_count;                 /* slots of the class in this version, with those of deleted methods        */
    uint32_t call_site_count : 30;       /* each takes five bytes of a class file, which an array holds              */
    bool bytes_mapped : 1;               /* the class file lies in the jimage mapping, not in the arena             */
    bool verified : 1;
    struct class_version *older;
};

/* Do the tables of its class file say what lies in a frame? Older files may fail theirs and pass the older verifier;
 * what was not verified counts only if it is the class library's own. */
static inline bool class_version_has_stack_maps(const struct class_version *v) {
    return v->cf->major > 50 && (v->verified || v->bytes_mapped);
}

/* The class file that the code came with; its original code, NULL for native and abstract methods. No locks. */
static inline const struct classfile *code_cf(const struct method_code *code) { return code->owner->cf; }
static inline const struct cf_code *code_source(const struct method_code *code) {
    return code->member != NULL ? code->member->code : NULL;
}

enum method_flag { /* eight bits                                                              */
                   METHOD_CALLER_SENSITIVE = 1,
                   METHOD_HIDDEN = 2,
                   METHOD_INIT = 4,
                   METHOD_CLINIT = 8,
                   METHOD_SIGNATURE_POLYMORPHIC = 16,
                   METHOD_MIRANDA = 32,
                   METHOD_HAS_JSR = 64,
                   METHOD_SYNTHETIC_VM = 128 /* made by the VM */
};

struct method {
    struct class *holder;
    struct method_code *_Atomic code;    /* current version                                                        */
    method_entry_function *_Atomic enter;/* how it is entered; NULL: by a frame for the code. method_set_entry      */
    const void *_Atomic compiled_entry;  /* how compiled code calls it: its own compiled code, or a stub            */
    struct symbol *name, *desc;          /* borrowed                                                               */
    _Atomic(void *) native_code;
    union {
        intrinsic_function intrinsic;    /* of ENTRY_INTRINSIC                                                     */
        leaf_function *leaf;             /* of methods that exec/intrinsic.def is bound to                         */
    };
    uint16_t access_flags;
    uint16_t slot;                       /* index in class->methods; stable over redefinition                      */
    int32_t vtable_index;    /* >= 0; -1: statically bound (static, private, <init>, final not overriding) */
    int32_t itable_index;                /* interface methods: index in the interface's method table; else -1      */
    uint8_t arg_slots;                   /* receiver included: at most 255                                         */
    uint8_t entry;                       /* enum method_entry                                                      */
    uint8_t return_type;                 /* enum basic_type                                                        */
    uint8_t flags;                       /* enum method_flag                                                       */
    void *native_data;                   /* exec/: call descriptor of native methods                               */
};

/* Methods that redefinitions have added to a class (-XX:+AllowRedefinitionToAddDeleteMethods), in blocks that stay
 * where they are; each is twice as large as the one before. */
enum { FIRST_ADDED_METHODS = 8, ADDED_METHODS_BLOCKS = 14 };
struct added_methods {
    uint32_t first;                      /* the slot of the first: how many the class was defined with              */
    struct method *blocks[ADDED_METHODS_BLOCKS];
};

/* A method of an interface as a class sees it that has given it a slot of its vtable: a copy with that slot's index. */
struct miranda {
    struct miranda *next;
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
    /* what compiled code looks at: in the first 128 bytes, which short instructions reach */
    struct method **vtable;              /* this and the itables may be the superclass's                           */
    struct class *component;             /* arrays: one level down                                                 */
    _Atomic(struct class *) secondary_cache;
    struct class *display[8];            /* the superclass of each depth, and the class itself                     */
    /* java/lang/String, [I, int; hidden: Outer/0x12 is spelled with '+' as HotSpot: pkg/Name+0x12 */
    struct symbol *name;
    struct class *super;                 /* Object for interfaces and arrays; NULL for Object and primitives       */
    struct loader *loader;               /* defining loader                                                        */
    struct object *mirror;
    struct object *statics;              /* statics object; NULL without static fields                             */
    struct shape statics_shape;

    _Atomic uint8_t state;               /* enum class_state                                                       */
    uint8_t basic_type;                  /* primitives: which; others T_OBJECT or T_ARRAY                          */
    bool is_hidden, is_interface, is_abstract, is_final;
    bool verified;
    bool is_inlined;                     /* compiled code has inlined methods of it, or looks for it (jit/compiled.c) */
    _Atomic uint8_t ids_given;           /* enum ids_given                                                         */
    uint16_t access_flags;               /* of the class file (array classes: derived)                             */
    uint16_t modifiers;                  /* as Class.getModifiers: InnerClasses flags applied                      */
    uint16_t interface_count;
    uint64_t method_ids, field_ids;      /* the ids of slot 0, of fields without a place: class id and generation  */

    /* type tests: by the display for depth < 8, by secondary supers otherwise */
    uint32_t depth;
    uint32_t secondary_count;
    /* all superinterfaces, and superclasses deeper than the display; may be the superclass's list, or `interfaces` */
    struct class **secondary;

    struct class **interfaces;           /* direct                                                                 */
    uint32_t field_count, method_count;  /* methods: all slots that were ever given, those of deleted ones too      */
    struct field *fields;                /* class file order, then injected                                        */
    struct method *methods;              /* those of the first class file, in its order; see class_method_at        */
    struct added_methods *added_methods; /* NULL: none                                                             */
    _Atomic(struct miranda *) mirandas;  /* made for conflicts, others when asked for: class_miranda               */
    uint32_t vtable_length, itable_count;
    union {
        struct itable *itables;
        struct method **itable_methods;  /* interfaces: by itable_index                                            */
    };
    uint32_t itable_methods_count;       /* interfaces: number of methods with an itable_index                     */
    uint32_t fields_end;                 /* bytes used by instance fields, before rounding to instance_size        */

    /* arrays */
    _Atomic(struct class *) array_class; /* class of arrays of this, made on demand                                */

    /* class file and resolution */
    struct class_version *version;    /* the current one; NULL for arrays and primitives. Changes at safepoints only */
    struct classfile *cf;                /* version->cf                                                             */
    uint8_t *initial_bytes;              /* what retransformation starts from; NULL: the class file itself          */
    uint32_t initial_length;
    uint32_t dimensions;                 /* arrays                                                                 */
    struct os_thread *redefining;        /* under init_lock                                                         */
    struct module_record *module;
    struct package *package;
    _Atomic(struct class *) nest_host;   /* resolved                                                               */
    struct object *protection_domain;    /* root; also stored in the mirror on 25                                  */
    struct object *signers;              /* root; 17                                                               */
    struct object *class_data_root;      /* root: class data of a hidden class                                      */

    /* initialisation */
    struct os_thread *_Atomic init_thread;
    struct os_thread *linking;           /* verifies and prepares it now; under init_lock                          */
    /* root: recorded ExceptionInInitializerError cause (as HotSpot: later NoClassDefFoundError's cause) */
    struct object *init_error;
    struct class *next_in_holder;
    struct member_index *_Atomic method_index;           /* link/lookup.c                                         */

    /* metadata of this class; NULL for arrays and primitives. Used by its definer and linker only */
    struct arena *arena;
};

_Static_assert(offsetof(struct class, display) + sizeof ((struct class *)0)->display <= 128,
               "compiled code reaches it by short instructions");

/* Complete class_holder: arena and roots of one loader, or of one weak hidden class. */
struct holder_record {
    struct class_holder base;
    struct arena *arena;                 /* holder_alloc; a hidden class's: NULL until needed                       */
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
    bool is_exported_to;                 /* some package is exported to one of its modules; under module_lock      */
    void *libraries;                     /* jni/                                                                   */
};

/* What m is from now on. A thread that finds the new `enter` also sees what was written to m before. */
void method_set_entry(struct method *m, enum method_entry entry);

/* The n-th that was added. Block b begins with number FIRST_ADDED_METHODS * (2^b - 1). */
static inline struct method *added_method(const struct added_methods *added, uint32_t n) {
    uint32_t block = 31 - (uint32_t)__builtin_clz(n / FIRST_ADDED_METHODS + 1);
    return &added->blocks[block][n - FIRST_ADDED_METHODS * ((1u << block) - 1)];
}
/* The method with this slot, which may be deleted; its address is stable. slot < method_count. */
static inline struct method *class_method_at(const struct class *c, uint32_t slot) {
    const struct added_methods *added = c->added_methods;
    return LIKELY(added == NULL || slot < added->first) ? &c->methods[slot] : added_method(added, slot - added->first);
}
static inline bool method_is_deleted(const struct method *m) { return m->entry == ENTRY_DELETED; }
/* The methods that c has, by slot, without deleted ones: NULL begins, and ends. */
static inline struct method *class_next_method(const struct class *c, const struct method *m) {
    for (uint32_t slot = m != NULL ? m->slot + 1u : 0; slot < c->method_count; slot++) {
        struct method *next = class_method_at(c, slot);
        if (!method_is_deleted(next)) return next;
    }
    return NULL;
}
/* Does its version of the class not have the method? It is deleted there. */
static inline bool code_is_missing(const struct method_code *code) {
    return code->member == NULL && method_is_deleted(code->method);
}

static inline bool field_is_assigned(const struct field *f) {
    return atomic_load_explicit(&((struct field *)f)->watch, memory_order_relaxed) & FIELD_ASSIGNED;
}
static inline bool field_is_watched(const struct field *f) {
    return atomic_load_explicit(&((struct field *)f)->watch, memory_order_relaxed) &
           (FIELD_WATCH_ACCESS | FIELD_WATCH_MODIFICATION);
}
static inline struct class *class_of(const struct object *o) { return (struct class *)shape_of(o); }
/* The class whose static fields o, a statics object, holds. */
static inline struct class *class_of_statics(const struct object *o) {
    return (struct class *)((char *)shape_of(o) - offsetof(struct class, statics_shape));
}
static inline bool class_is_array(const struct class *c) {
    return c->shape.kind == SHAPE_REF_ARRAY || c->shape.kind == SHAPE_PRIM_ARRAY;
}
/* What is innermost in arrays; other classes themselves. */
static inline struct class *class_element(const struct class *c) {
    while (class_is_array(c)) c = c->component;
    return (struct class *)(uintptr_t)c;
}
static inline bool class_is_primitive(const struct class *c) { return c->shape.kind == SHAPE_PRIMITIVE; }
static inline bool class_is_initialized(const struct class *c) {
    return atomic_load_explicit(&c->state, memory_order_acquire) == CLASS_INITIALIZED;
}

/* Is `c` `target` or a subtype of it (JVMS 6.5 instanceof)? No loading, no exception, no safepoint. */
bool class_is_subtype_slow(struct class *c, struct class *target);
static inline bool class_is_subtype(struct class *c, struct class *target) {
    if (c == target) return true;
    if (!target->is_interface && !class_is_array(target) && target->depth < 8)
        return c->display[target->depth] == target;
    return class_is_subtype_slow(c, target);
}
static inline bool object_is_instance(struct object *o, struct class *c) { return class_is_subtype(class_of(o), c); }

/* ---- ids that cannot crash ---------------------------------------------------------------------------------------
 * The class in an id is a row of shape_table, which is given again when the class is gone. The row's generation then
 * goes up if ids were given out (class_id.c), so those mean nothing any more.
 *
 * jmethodID = 0 (1) | generation, low bits (5) | class id (26) | slot (16) | generation, high bits (15) | 1
 *             1 (1) | generation, low bits (5) | class id (26) | slot (16) | version + 1 (15) | 1
 * The second form means one version, which is obsolete. It has room for few generations.
 *
 * jfieldID  = generation, high bits (15) | 1 | slot (16) | 0 (4) | generation, low bits (2) | class id (26)
 *             offset (14) | volatile (1) | 1 | slot (16) | type (4) | 0 (2) | class id (26)
 * The second form, of primitive instance fields, tells the place, so that JNI need not look it up: class id and type
 * are looked at in one comparison, as the low half less the type that is wanted is the id of a class only where it has
 * that type. Nobody looks there whether such an id is stale, so the row of a class of which it was given out is not
 * given again. Which form all ids of a class have is decided when the first is given (class_decides_places). */

enum {
    CLASS_ID_BITS = 26, ID_GENERATION_BITS = 17, ID_GENERATIONS = 1 << ID_GENERATION_BITS,
    METHOD_ID_VERSIONS = 0x7fff,         /* numbers of versions */
    METHOD_ID_CLASS_SHIFT = 32, METHOD_ID_SLOT_SHIFT = 16, METHOD_ID_LOW_SHIFT = 58,
    OBSOLETE_GENERATION_BITS = 5, OBSOLETE_GENERATIONS = 1 << OBSOLETE_GENERATION_BITS,
    FIELD_ID_TYPE_SHIFT = 28, FIELD_ID_SLOT_SHIFT = 32, FIELD_ID_MARK_SHIFT = 48, FIELD_ID_VOLATILE_SHIFT = 49,
    FIELD_ID_OFFSET_SHIFT = 50, FIELD_ID_OFFSETS = 1 << 14,
    FIELD_ID_LOW_BITS = FIELD_ID_TYPE_SHIFT - CLASS_ID_BITS
};
#define CLASS_ID_MASK ((1u << CLASS_ID_BITS) - 1)
#define METHOD_ID_OBSOLETE (1ull << 63)
#define METHOD_ID_SLOT (0xffffull << METHOD_ID_SLOT_SHIFT)
#define FIELD_ID_SLOT (0xffffull << FIELD_ID_SLOT_SHIFT)

static inline uint64_t method_ids_from(uint32_t class_id, uint32_t generation) {
    return (uint64_t)(generation % OBSOLETE_GENERATIONS) << METHOD_ID_LOW_SHIFT |
           (uint64_t)class_id << METHOD_ID_CLASS_SHIFT | generation >> OBSOLETE_GENERATION_BITS << 1 | 1;
}
static inline uint64_t field_ids_from(uint32_t class_id, uint32_t generation) {
    uint32_t low = generation & ((1u << FIELD_ID_LOW_BITS) - 1);
    return (uint64_t)(generation >> FIELD_ID_LOW_BITS) << (FIELD_ID_MARK_SHIFT + 1) | 1ull << FIELD_ID_MARK_SHIFT |
           low << CLASS_ID_BITS | class_id;
}

/* What has been given out of a class, and what has been decided about places. */
enum ids_given { IDS_GIVEN = 1, OBSOLETE_IDS_GIVEN = 2, PLACES_GIVEN = 4, PLACES_REFUSED = 8 };
static inline void note_ids_given(struct class *c, uint8_t given) {
    if ((atomic_load_explicit(&c->ids_given, memory_order_relaxed) & given) == given) return;
    atomic_fetch_or(&c->ids_given, given);
}

static inline jmethodID method_id(const struct method *m) {
    note_ids_given(m->holder, IDS_GIVEN);
    return (jmethodID)(uintptr_t)(m->holder->method_ids | (uint64_t)m->slot << METHOD_ID_SLOT_SHIFT);
}
/* method_code.id while no id of the version has been given out. Ids are odd. */
enum code_id { CODE_ID_NOT_GIVEN = 0, CODE_ID_OBSOLETE = 2 };
/* Has different code replaced it, so that its method's plain id does not mean it any more? Once so, always. */
static inline bool method_code_is_obsolete(const struct method_code *code) {
    uint64_t id = atomic_load_explicit(&code->id, memory_order_relaxed);
    return id == CODE_ID_OBSOLETE || id & METHOD_ID_OBSOLETE;
}
jmethodID method_code_id_slow(struct method_code *code);
/* The id of one version: while it is not obsolete, its method's. Otherwise one that means this version only. From a
 * signal handler too. */
static inline jmethodID method_code_id(struct method_code *code) {
    uint64_t id = atomic_load_explicit(&code->id, memory_order_relaxed);
    return LIKELY(id & 1) ? (jmethodID)(uintptr_t)id : method_code_id_slow(code);
}
/* The place part of the id; 0 for fields of hidden classes that are unloaded alone, of which there may be any number,
 * and all others that have none. */
static inline uint64_t field_place(const struct field *f) {
    if (f->type >= T_OBJECT || f->access_flags & ACC_STATIC || f->offset >= FIELD_ID_OFFSETS) return 0;
    if (f->holder->shape.holder != &f->holder->loader->holder.base) return 0;
    return (uint64_t)f->offset << FIELD_ID_OFFSET_SHIFT |
           (uint64_t)((f->access_flags & (ACC_VOLATILE | ACC_FINAL)) != 0) << FIELD_ID_VOLATILE_SHIFT |
           (uint64_t)f->type << FIELD_ID_TYPE_SHIFT;
}
static inline uint64_t field_place_id(const struct field *f, uint64_t place) {
    return place | 1ull << FIELD_ID_MARK_SHIFT | (uint64_t)f->slot << FIELD_ID_SLOT_SHIFT | f->holder->shape.id;
}
/* Do the ids of c's fields tell places? c has a field with a place. Any thread; the first answer holds. class_id.c */
bool class_decides_places(struct class *c);
static inline jfieldID field_id(const struct field *f) {
    struct class *c = f->holder;
    uint64_t place = field_place(f);
    if (place != 0) {
        uint8_t given = atomic_load_explicit(&c->ids_given, memory_order_relaxed);
        if (given & PLACES_GIVEN || (!(given & PLACES_REFUSED) && class_decides_places(c)))
            return (jfieldID)(uintptr_t)field_place_id(f, place);
    }
    note_ids_given(c, IDS_GIVEN);
    return (jfieldID)(uintptr_t)(c->field_ids | (uint64_t)f->slot << FIELD_ID_SLOT_SHIFT);
}
/* The code of the same method in the next older version that still exists; NULL: none. No locks; versions go at
 * safepoints. */
struct method_code *method_code_older(const struct method_code *code);
/* m's code. A deleted method's is the last that there was; NULL: that does not exist any more. */
static inline struct method_code *method_last_code(const struct method *m) {
    struct method_code *code = atomic_load_explicit(&((struct method *)m)->code, memory_order_acquire);
    while (code != NULL && code_is_missing(code)) code = method_code_older(code);
    return code;
}
/* The end of the ids given so far (class_id.c); those below it have rows in shape_table, NULL where there is
 * no class. */
extern __attribute__((visibility("hidden"))) _Atomic uint32_t next_class_id;

/* The vtables by class id, so far behind shape_table, for compiled code: a call loads nothing of the class. NULL where
 * there is none. */
extern __attribute__((visibility("hidden"))) struct method ***vtable_table;
static inline int32_t vtable_table_distance(void) {
    return (int32_t)((uintptr_t)vtable_table - (uintptr_t)shape_table);
}

/* NULL for stale or invented ids. No locks. */
static inline struct class *class_of_id(uint32_t id) {
    if (id == 0 || id >= atomic_load_explicit(&next_class_id, memory_order_relaxed)) return NULL;
    struct shape *s = shape_table[id];
    return s == NULL || s->kind == SHAPE_STATICS ? NULL : (struct class *)s;
}
/* By class id and slot, the lower 16 bits are the caller's: means m only as long as its class is there. */
static inline uint64_t method_position(const struct method *m) {
    return (uint64_t)m->holder->shape.id << METHOD_ID_CLASS_SHIFT | (uint64_t)m->slot << METHOD_ID_SLOT_SHIFT;
}
static inline struct method *method_at_position(uint64_t position) {
    struct class *c = class_of_id((uint32_t)(position >> METHOD_ID_CLASS_SHIFT) & CLASS_ID_MASK);
    uint32_t slot = (uint32_t)(position >> METHOD_ID_SLOT_SHIFT) & 0xffff;
    return c != NULL && slot < c->method_count ? class_method_at(c, slot) : NULL;
}
/* Obsolete versions' ids lead to their method as well. */
static inline struct method *method_of_id(jmethodID id) {
    uint64_t v = (uint64_t)(uintptr_t)id;
    struct method *m = method_at_position(v);
    if (m == NULL) return NULL;
    uint64_t differs = (v ^ m->holder->method_ids) & ~METHOD_ID_SLOT;
    if (LIKELY(differs == 0)) return m;
    return v & METHOD_ID_OBSOLETE && (differs & ~(METHOD_ID_OBSOLETE | 0xfffe)) == 0 ? m : NULL;
}
/* The version that an id means: the current one, or an obsolete one that still exists. */
static inline struct method_code *method_code_of_id(jmethodID id) {
    uint64_t v = (uint64_t)(uintptr_t)id;
    struct method *m = method_of_id(id);
    struct method_code *code = m ? method_last_code(m) : NULL;
    if (v & METHOD_ID_OBSOLETE)
        while (code != NULL && code->owner->number + 1u != (v >> 1 & 0x7fff)) code = method_code_older(code);
    return code;
}
struct field *field_of_id(jfieldID id);
/* Only ids that do not tell a place, as those of static fields; NULL for others. */
static inline struct field *field_without_place(jfieldID id) {
    uint64_t v = (uint64_t)(uintptr_t)id;
    struct class *c = class_of_id((uint32_t)v & CLASS_ID_MASK);
    uint32_t slot = (uint32_t)(v >> FIELD_ID_SLOT_SHIFT) & 0xffff;
    return c != NULL && (v & ~FIELD_ID_SLOT) == c->field_ids && slot < c->field_count ? &c->fields[slot] : NULL;
}

#endif
