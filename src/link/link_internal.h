/* link_internal.h — what the files of link/ share. */
#ifndef VITRINE_LINK_LINK_INTERNAL_H
#define VITRINE_LINK_LINK_INTERNAL_H

#include "base/alloc.h"
#include "base/base.h"
#include "base/jimage.h"
#include "base/lock.h"
#include "base/options.h"
#include "base/table.h"
#include "base/zip.h"
#include "link/hooks.h"
#include "link/link.h"
#include "thread/probe_point.h"
#include "link/module.h"
#include "link/resolve.h"

/* A class that some thread is defining, or asks a loader for that is not parallel capable: finds circularities. On the
 * thread's C stack. */
struct placeholder {
    struct placeholder *next;
    struct os_thread *thread;
    struct loader *loader;
    struct symbol *name;
};
/* Under table_lock. */
void placeholder_add(struct placeholder *mine);
void placeholder_remove(struct placeholder *mine);

/* A class that some thread loads by the boot loader, or waits for because another one does. On the thread's C stack. */
struct boot_load {
    struct boot_load *next;
    struct os_thread *thread;
    struct symbol *name;
    bool waits;
};

/* A class of which a tool is being notified that must know it before anybody uses it. On the C stack of the thread that
 * made it. */
struct class_report {
    struct class_report *next;
    struct os_thread *thread;
    struct class *class;
};

/* A directory or jar of the boot loader: --patch-module of `module`, or (NULL) appended to the boot class path. */
struct boot_entry {
    struct boot_entry *_Atomic next;
    char *path, *module;
    struct zip *zip;                     /* NULL: directory */
    int32_t index;                       /* among the appended ones */
};

/* What the boot loader found. */
struct boot_class {
    struct span bytes;
    bool mapped;                         /* they lie in the image's mapping */
    uint8_t *owned;                      /* to be freed by the caller; NULL otherwise */
    char *source;                        /* "jrt:/java.base" or a path; to be freed by the caller */
    int32_t entry;                       /* index of the appended entry; -1: a module's */
};

/* `name` means one class in all these loaders. */
struct loader_constraint {
    struct symbol *name;
    struct class *class;                 /* NULL: none of them has loaded it yet */
    struct constraint_member *members;
    size_t count;                        /* of members; at least 2 */
    struct loader_constraint *next, **link;  /* of those whose class the same loader has defined */
};

struct link_internal {
    struct lock table_lock;    /* dictionaries, placeholders, constraints, class ids, holders, loaders, boot path */
    struct lock init_lock;    /* linking and initialisation states; init_cond with it */
    struct cond init_cond;
    struct boot_load *boot_loads;    /* under init_lock; init_cond with it */
    struct class_report *_Atomic reports;    /* changed under init_lock; init_cond with it */
    struct lock module_lock;    /* modules and packages */
    struct lock string_lock;    /* the string table */
    struct class_holder *holders;    /* all, by next */
    struct loader *loaders;    /* all but boot, by next */
    struct placeholder *placeholders;
    struct jimage *image;
    struct boot_entry *_Atomic boot_path;
    struct module_record *java_base;
    _Atomic bool java_base_defined;      /* set under module_lock, after its packages                    */
    _Atomic unsigned initialized;    /* numbers the lines of class+init */
    uint64_t loaded, unloaded;    /* classes ever; of holders gone */
    struct string_table *strings;    /* string.c */
    /* of MethodHandle: one synthetic method per intrinsic and descriptor; method_handle.c */
    struct method_type_intrinsics *_Atomic polymorphic;
    _Atomic size_t metadata_mark;    /* metadata.c: bytes of class metadata that ask for a collection */
};

static inline struct link_internal *li(void) { return vm->link->internal; }
static inline struct arena *class_arena(const struct class *c) { return c->arena; }

/* ---- class_id.c -------------------------------------------------------------------------------------------------- */
/* A class id that nothing names; 0: none left. Any thread. */
uint32_t class_id_new(void);
/* One for c, with what its ids of methods and fields begin with. False: none left. Any thread. */
bool class_take_id(struct class *c);
/* No object has this class id (0: none) any more, and no thread will see its class: it may be given again. given: enum
 * ids_given. */
void class_id_retire(uint32_t id, uint8_t given);

/* ---- define.c ---------------------------------------------------------------------------------------------------- */
struct holder_record *holder_new(struct loader *loader, struct object *object);
bool make_mirror(struct os_thread *self, struct class *c);
void fix_up_mirror(struct class *c);
void publish_class(struct class *c);
/* A version of c without code copies: cells, and codes for so many slots, to be filled by method_code_init from the
 * member that declares the method of that slot, or by method_code_init_missing. NULL: out of memory. */
struct class_version *class_version_new(struct class *c, struct classfile *cf, uint32_t slots, struct arena *arena,
                                        uint16_t number);
void method_code_init(struct class_version *v, uint32_t slot, const struct cf_member *cf);
void method_code_init_missing(struct class_version *v, uint32_t slot);
/* Fills in the method of that slot, which is all zero, from the member that declares it; all but its code. */
void method_init(struct class *c, uint32_t slot, const struct classfile *in, const struct cf_member *cf);
/* The checks of the parser for a class file of `loader`. */
struct cf_parse_args class_parse_args(struct loader *loader, struct span bytes, struct symbol *name);
bool classes_bootstrap(struct os_thread *self, char **error);

/* ---- loader.c: reports of new classes ---------------------------------------------------------------------------- */
/* Until class_report_end other threads wait in class_report_wait for `class`. The caller keeps *mine. */
void class_report_begin(struct os_thread *self, struct class_report *mine, struct class *class);
void class_report_end(struct class_report *mine);

/* ---- init.c: false with an exception pending --------------------------------------------------------------------- */
bool class_version_verify(struct os_thread *self, struct class_version *v);
/* Waits for init_cond. init_lock held; objects are not held while blocked. */
void class_state_wait(struct os_thread *self);
/* The private copies of the bytecode, and the call sites. */
bool class_version_rewrite(struct os_thread *self, struct class_version *v);

/* ---- constraint.c: false with an exception pending --------------------------------------------------------------- */
/* The loaders of methods of c's tables and of what they override or implement agree on the types of the signature from
 * now on. */
bool class_check_selection(struct os_thread *self, struct class *c);

/* ---- metadata.c -------------------------------------------------------------------------------------------------- */
/* There is going to be this much more class metadata; collects where that is due. False: it would be more than
 * MaxMetaspaceSize, OutOfMemoryError is pending. */
bool metadata_reserve(struct os_thread *self, size_t bytes);
/* Makes that OutOfMemoryError pending, and does what flags and tools want then. */
void metadata_exhausted(struct os_thread *self);
/* How much metadata asks for the next collection, from what there is now. World stopped, or at the start. */
void metadata_set_mark(void);

/* ---- layout.c: false with an exception pending ------------------------------------------------------------------- */
bool layout_fields(struct os_thread *self, struct class *c);
bool layout_methods(struct os_thread *self, struct class *c);

/* ---- loader.c ---------------------------------------------------------------------------------------------------- */

struct class *dictionary_find(struct loader *l, struct symbol *name);                       /* table_lock held */
bool dictionary_add(struct loader *l, struct symbol *name, struct class *c);                 /* table_lock held */
void dictionary_free(struct loader *l);
struct loader *loader_new(struct object *object);
/* "'app'", "com.acme.Loader @1b2c3d", "'bootstrap'": as messages name it. malloc'd. */
/* The class that a constraint demands where l would answer c; NULL: none, c may be entered. table_lock held */
struct class *constraint_conflict(struct loader *l, struct class *c);
/* Enters c, which conflicts with nothing, into the dictionary of l and into a constraint on its name. False: out of
 * memory. table_lock held */
bool dictionary_enter(struct loader *l, struct class *c);
/* LinkageErrors: a constraint demands `other` where l would answer c; l has answered another class before. */
void throw_constraint_violated(struct os_thread *self, struct loader *l, struct class *c, struct class *other);
void throw_duplicate_class(struct os_thread *self, struct loader *l, struct class *c);
/* The class types of desc mean the same in both loaders from now on. False: *culprit (+1 reference) already differs, or
 * memory is short (exception pending). */
bool constraints_for_descriptor(struct os_thread *self, struct symbol *desc, struct loader *a, struct loader *b,
                                struct symbol **culprit);
void constraints_purge(struct loader *l);

/* ---- boot_path.c ------------------------------------------------------------------------------------------------- */
bool boot_path_create(char **error);
void boot_path_destroy(void);
/* Gives the pages of the mapped image back to the system until they are read again. Any thread. */
void boot_image_trim(void);
/* The class file that the boot loader loads for `name`. */
bool boot_path_find(struct symbol *name, struct boot_class *out);
/* Path of an appended entry, malloc'd. */
char *boot_path_entry(int32_t index);

/* ---- access.c, names.c ------------------------------------------------------------------------------------------- */
void throw_illegal_super_access(struct os_thread *self, struct class *c, struct class *super, bool interface);
/* "p.C is in module m of loader 'app'", optionally with ", parent loader 'platform'". malloc'd. */
char *class_in_module_of_loader(const struct class *c, bool with_parent);

/* ---- module.c ---------------------------------------------------------------------------------------------------- */
/* Sets c->package and c->module by its name. False: exception pending. */
bool package_of_class(struct os_thread *self, struct class *c);
/* The records of one loader. */
void module_tables_free(struct loader *l);
void modules_visit(struct heap_visitor *v, struct loader *l);
/* An agent has changed code of m: as a named module it reads the unnamed modules of the boot and the system loader from
 * now on. Runs Java code; an exception of it is dropped. */
void module_transformed(struct os_thread *self, struct module_record *m);
/* "module java.base" or "unnamed module @0x1234". malloc'd. */
char *module_text(const struct module_record *m);

/* ---- lookup.c: index tables of a class with many members. False: out of memory ----------------------------------- */
bool class_index_members(struct class *c);
void method_index_free(struct class *c);
/* Does a class with so many slots for methods have an index? */
bool method_count_has_index(uint32_t slots);
/* An index with room for so many slots, for method_index_replace, or mem_free. NULL: out of memory. */
struct member_index *method_index_new(uint32_t slots);
/* Methods have come or gone: c has `fresh` from now on (NULL: it has few). World stopped. */
void method_index_replace(struct class *c, struct member_index *fresh);

/* ---- string.c, throw.c ------------------------------------------------------------------------------------------- */
bool strings_create(void);
void strings_destroy(void);
void strings_clear_weak(bool (*is_live)(struct object *o));

/* ---- known.c ----------------------------------------------------------------------------------------------------- */
/* A class of the boot loader has been laid out: if known.def lists it, it and its field offsets are remembered. */
void known_note(struct class *c);
/* Injected fields of the class named `name`; fills out[0..max) if not NULL with ids and descriptors. */
struct known_injected { int id; const char *name, *desc; };
uint32_t known_injected(const char *class_name, struct known_injected *out, uint32_t max);
/* Loads all known classes and looks for every known member. False: *error is a sentence. */
bool known_load(struct os_thread *self, char **error);

/* ---- unload.c ---------------------------------------------------------------------------------------------------- */
/* Gives back a version that nothing names any more; the memory of the first one goes with its class. World stopped. */
void class_version_free(struct class_version *v);

#endif
