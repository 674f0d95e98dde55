/* module.h — modules and packages as the VM sees them: readability, exports, and where the boot loader may define
 * classes. */
#ifndef VITRINE_LINK_MODULE_H
#define VITRINE_LINK_MODULE_H

#include "link/class.h"

struct module_record {
    struct symbol *name;                 /* NULL: unnamed */
    struct object *object;    /* java.lang.Module; NULL for java.base and boot's unnamed before they are defined */
    struct loader *loader;
    struct symbol *version, *location;
    bool is_open, can_read_all_unnamed;
    bool reads_for_agents;               /* module_transformed has done its work */
    struct module_record *next;
    struct module_record **reads; uint32_t read_count, read_capacity;
};

#define PACKAGE_NOT_READ (-2)

struct package {
    struct symbol *name;                 /* with slashes; "" for the unnamed package */
    struct module_record *module;
    bool exported_to_all, exported_to_all_unnamed;
    struct module_record **exports; uint32_t export_count, export_capacity;
    /* boot loader: where it has read a class of the package (boot_class.entry), or PACKAGE_NOT_READ. What a program
     * defines to the boot loader, in a module of proxies say, is not read (JVM_GetSystemPackage). */
    _Atomic int32_t boot_entry;
};

/* JVM_DefineModule & co. (JVMS 5.3.6); throw IllegalArgumentException, LayerInstantiation... with HotSpot's texts. */
bool module_define(struct os_thread *self, struct object *module, bool is_open, struct object *version,
                   struct object *location, struct object *packages);
bool module_set_boot_unnamed(struct os_thread *self, struct object *module);
bool module_add_reads(struct os_thread *self, struct object *from, struct object *to);
/* to NULL: everybody */
bool module_add_exports(struct os_thread *self, struct object *from, struct object *package, struct object *to);
bool module_add_exports_to_all_unnamed(struct os_thread *self, struct object *from, struct object *package);
struct object *module_object_of_class(struct class *c);
bool module_reads(struct module_record *from, struct module_record *to);
bool package_exported_to(struct package *p, struct module_record *to);
struct package *package_lookup(struct loader *l, struct symbol *name);
struct package *package_get(struct os_thread *self, struct loader *l, struct symbol *class_name, bool create);
struct module_record *module_of_object(struct object *module);
/* The java.lang.Module of every module, the unnamed ones of all loaders included. World stopped. */
void modules_walk(void (*visit)(void *arg, struct object *module), void *arg);

#endif
