/* link.h — loading, linking, initialisation and look-up of classes; strings; mirrors. Functions that return NULL or
 * false with "throws" leave the exception pending in self. Thread: IN_VM; those that throw may run Java code and
 * collect. */
#ifndef VITRINE_LINK_LINK_H
#define VITRINE_LINK_LINK_H

#include "link/call.h"
#include "link/class.h"
#include "link/holder_roots.h"
#include "link/known.h"

/* ---- start-up ---------------------------------------------------------------------------------------------------- */
/* Opens lib/modules, makes boot loader, primitive classes, loads the known classes, checks every known member against
 * the library found (naming class, member, version of a missing one). False with a malloc'd sentence. vm->library is
 * set. */
bool link_create(struct os_thread *self, char **error);
/* Reserves shape_table and what belongs to it, before compiled code that knows where they lie; they outlive every VM of
 * the process. False: there is no address space. */
bool class_ids_reserve(void) MUST_CHECK;
void link_destroy(void);
/* All threads but the caller, which defines no class, have ended or been left: what they have linked into tables from
 * their stacks goes. */
void link_threads_ended(void);

/* ---- loading (link/loader.c, link/define.c) ---------------------------------------------------------------------- */

/* The class named `name` (internal form; arrays "[Ljava/lang/String;" too) as seen by `loader` (NULL object = boot).
 * Throws NoClassDefFoundError or what the loader threw. class_find_or_null: ClassNotFoundException becomes NULL without
 * exception (boot: no throw). */
struct class *class_load(struct os_thread *self, struct symbol *name, struct loader *loader);
/* As class_load, but what the loader threw (ClassNotFoundException) is left as it is: Class.forName, ClassLoader
 * natives. When the loader just gives none (the boot loader has no such class; loadClass returned null): NULL with
 * nothing pending. */
struct class *class_find(struct os_thread *self, struct symbol *name, struct loader *loader);
struct class *class_find_boot(struct os_thread *self, const char *name);    /* NULL, nothing pending, if absent */
struct class *class_find_loaded(struct loader *loader, struct symbol *name);    /* dictionary only; no throw */
/* Waits while another thread notifies a tool of c, which it has just made. For who came by c without class_find.
 * Objects are not held while blocked. */
void class_report_wait(struct os_thread *self, struct class *c);
struct class *class_array_of(struct os_thread *self, struct class *component);    /* throws only OutOfMemoryError */
struct class *class_primitive(enum basic_type type);
/* Field descriptor "I", "[J", "Ljava/lang/String;" to class. */
struct class *class_of_descriptor(struct os_thread *self, const char *desc, size_t length, struct loader *loader);

struct define_args {
    struct symbol *name;                 /* expected name or NULL                                                     */
    const uint8_t *bytes; size_t length; /* copied unless `bytes_are_mapped`                                          */
    bool bytes_are_mapped;
    struct object *protection_domain;
    const char *source;                  /* for class+load logging                                                    */
    struct class *lookup;                /* hidden classes and Lookup.defineClass: the lookup class                   */
    bool hidden, nestmate, strong, vm_annotations;
    struct object *class_data;
};
/* Defines a class in `loader` (JVMS 5.3.5). Throws LinkageError family. The result is LOADED. */
struct class *class_define(struct os_thread *self, struct loader *loader, const struct define_args *args);
/* The newest major version of class files that the class library knows. */
uint16_t class_newest_major(void);
/* A class file on its way to the parser, for tools that replace it. No exception is pending after they have
 * been asked. */
struct class_file_hook {
    struct loader *loader;
    struct object *protection_domain;
    const char *name;                    /* NULL: defined without a name                                              */
    struct class *redefined;             /* NULL on loading                                                           */
    bool retransform;                    /* only tools that can retransform are asked                                 */
    const uint8_t *bytes; size_t length; /* in: what is defined; out: what is to be parsed                            */
    uint8_t *replaced;                   /* out: the memory of bytes if a tool replaced them; mem_free                */
    /* out: what retransformation starts from if that is not bytes; mem_free */
    uint8_t *initial; size_t initial_length;
};
/* Appends a directory or jar to the boot loader's path (-Xbootclasspath/a, AddToBootstrapClassLoaderSearch). False: out
 * of memory. */
bool boot_path_append(const char *path);
/* The mapped lib/modules, if `path` names it / whether p lies in it. The mapping lives as long as the VM.
 * Any thread. */
bool boot_image_map(const char *path, struct span *out);
bool boot_image_owns(const void *p);
/* Where the boot loader found the classes of a package ("java/lang"): "jrt:/java.base" or a path; NULL: it has read
 * none of it. malloc'd. */
char *boot_package_source(const char *package);
/* The packages of which the boot loader has read classes, until visit returns false. No Java code may run in visit. */
void boot_packages_walk(bool (*visit)(void *arg, const char *name), void *arg);

/* Tools that read the performance data see how much class metadata there is, and may be: without MaxMetaspaceSize the
 * most that there has been, so that it is never less than what there is. */
void metadata_show(void);
/* Bytes of class metadata that there may be (arena_total()): MaxMetaspaceSize. */
size_t metadata_limit(void);

/* Loader record of a java.lang.ClassLoader object, made on first use (NULL object = boot). NULL: out of memory,
 * pending. */
struct loader *loader_of_object(struct os_thread *self, struct object *class_loader);

/* thread_hooks: takes what self's C frames have linked into the tables of loading out of them; wakes who waits for a
 * class. */
void link_stack_goes(struct os_thread *self);
void link_wake_waiters(void);

/* heap_hooks: roots, holders, weak tables and the unloading of classes. link/unload.c */
void link_visit_roots(struct heap_visitor *v);
void link_visit_holder(struct heap_visitor *v, struct class_holder *h);
struct class_holder *link_holder_of(struct object *mirror_or_loader);
void link_clear_weak(bool (*is_live)(struct object *o));
void link_unload(void);
const char *link_class_name(const struct object *o);

/* ---- linking and initialisation (link/init.c) -------------------------------------------------------------------- */

bool class_link(struct os_thread *self, struct class *c);    /* verify + prepare; throws */
bool class_initialize(struct os_thread *self, struct class *c);    /* JVMS 5.5; throws */
static inline bool class_ensure_initialized(struct os_thread *self, struct class *c) {
    return __builtin_expect(class_is_initialized(c), 1) || class_initialize(self, c);
}
/* Makes method_code: private rewritten copy of the bytecode; called by class_link. Registered by exec/ if it needs
 * more. */

/* ---- members (link/lookup.c) -- no exception, no loading --------------------------------------------------------- */

struct method *class_find_method(struct class *c, struct symbol *name, struct symbol *desc);    /* declared in c only */
/* JVMS 5.4.3.3 order: supers, then interfaces */
struct method *class_lookup_method(struct class *c, struct symbol *name, struct symbol *desc);
struct method *class_lookup_interface_method(struct class *c, struct symbol *name, struct symbol *desc);
struct field *class_find_field(struct class *c, struct symbol *name, struct symbol *desc);
struct field *class_lookup_field(struct class *c, struct symbol *name, struct symbol *desc);    /* JVMS 5.4.3.2 */
struct method *class_method_cstr(struct class *c, const char *name, const char *desc);    /* declared, then supers */
/* Selection (JVMS 5.4.6): the method that a call of `m` on an instance of `c` runs. */
struct method *class_select_virtual(struct class *c, struct method *m);
/* The vtable entry of c for an interface method that no class above declares; its vtable_index is c's slot. NULL: there
 * is none, or an exception is pending. */
struct method *class_miranda(struct os_thread *self, struct class *c, struct symbol *name, struct symbol *desc);
/* NULL when c does not implement the interface (caller throws IncompatibleClassChangeError). Entry may be
 * ABSTRACT/CONFLICT. */
struct method *class_select_interface(struct class *c, struct method *m);

/* ---- access (link/access.c) -------------------------------------------------------------------------------------- */
bool class_can_access_class(struct class *from, struct class *to);
bool class_can_access_member(struct os_thread *self, struct class *from, struct class *resolved,
                             struct class *declaring, uint16_t access_flags, bool *threw);
bool class_same_package(const struct class *a, const struct class *b);
struct class *class_nest_host(struct os_thread *self, struct class *c);    /* resolves; falls back to c */
bool class_are_nestmates(struct os_thread *self, struct class *a, struct class *b);
/* Throws IllegalAccessError with HotSpot's text (modules named). */
void throw_illegal_access_class(struct os_thread *self, struct class *from, struct class *to);

/* ---- mirrors ----------------------------------------------------------------------------------------------------- */
static inline struct object *class_mirror(struct class *c) { return c->mirror; }
struct class *class_of_mirror(struct object *mirror);    /* the class a java.lang.Class stands for */
/* External name "java.lang.String", "[I", "int"; hidden with '/'. malloc'd. */
char *class_external_name(const struct class *c);
const char *class_primitive_name(const struct class *c);    /* "int"; static */
/* " (a is in module x of loader 'app'; ...)" piece of HotSpot's messages: "class X (in module M of loader L)" pieces.
 * malloc'd. */
char *class_module_and_loader(const struct class *c, const struct class *other);

/* Every class of the VM (arrays, hidden and primitives as asked) until visit returns false. Caller holds no lock;
 * classes stay alive. */
void class_walk_all(bool (*visit)(void *arg, struct class *c), void *arg);

/* The boot loader, and every other loader that has been used. visit runs under a lock: it calls nothing of link/ but
 * what is below, and looks at no dictionary that others could change. */
void loaders_walk(struct os_thread *self, void (*visit)(void *arg, struct loader *l), void *arg);
/* metadata.c: how many bytes of class metadata ask for the next collection. */
size_t metadata_mark(void);
/* "'app'", "'bootstrap'", "com.acme.Loader @1f2e"; malloc'd. IN_VM. */
char *loader_name_and_id(struct loader *l);
/* The classes that a loader knows, those of other loaders that it has led to included. In loaders_walk. */
void dictionary_visit(struct loader *l, bool (*visit)(uint64_t symbol, uint64_t class, void *arg), void *arg);
struct table_figures dictionary_figures(const struct loader *l);

/* Classes loaded ever (those unloaded since included), and unloaded. */
void class_counts(uint64_t *loaded, uint64_t *unloaded);

/* ---- strings (link/string.c) ------------------------------------------------------------------------------------- */
struct object *string_from_utf8(struct os_thread *self, const char *modified_utf8, size_t length);    /* throws OOME */
struct object *string_from_platform(struct os_thread *self, const char *utf8);    /* text of the environment: UTF-8 */
struct object *string_from_cstr(struct os_thread *self, const char *modified_utf8);
struct object *string_from_utf16(struct os_thread *self, const jchar *chars, int32_t length);
struct object *string_from_symbol(struct os_thread *self, struct symbol *s, bool slashes_to_dots);
struct object *string_intern(struct os_thread *self, struct object *string);
int32_t string_length(struct object *string);
jchar string_char_at(struct object *string, int32_t i);
size_t string_utf8_length(struct object *string);    /* modified UTF-8 bytes without NUL */
size_t string_to_utf8(struct object *string, char *out, size_t capacity);    /* writes NUL; returns length */
char *string_dup_utf8(struct object *string);    /* malloc'd, NULL: out of memory */
/* +1 reference; NULL: too long / OOM */
struct symbol *symbol_from_string(struct object *string, bool dots_to_slashes);

/* The interned strings, until visit returns false; it reaches no safepoint. The shape of their table. IN_VM. */
void strings_walk(bool (*visit)(void *arg, struct object *s), void *arg);
void strings_figures(struct table_figures *out);

/* ---- boxing ------------------------------------------------------------------------------------------------------ */
struct object *box(struct os_thread *self, enum basic_type type, uint64_t value);    /* throws OOME; no cache needed */
bool unbox(struct object *boxed, enum basic_type *type, uint64_t *value);    /* false: not a box */
enum basic_type basic_type_of_char(char c);    /* 'I' -> T_INT; 'L' T_OBJECT, '[' T_ARRAY, 'V' T_VOID */
size_t basic_type_size(enum basic_type t);

/* Typed field access by offset with Java values in slots (long/double in one slot; sub-int
 * types sign/zero-extended). */
uint64_t field_load(struct object *base, uint32_t offset, enum basic_type type);
void field_store(struct object *base, uint32_t offset, enum basic_type type, uint64_t value);

#endif
