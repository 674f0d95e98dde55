/* What the class library holds outside the heap when the VM ends, and gives back only through its cleaners: descriptors
 * of files and sockets, streams of zlib, memory of direct buffers, the descriptor of libnio.
 *
 * The cleaners' actions are not run, since they take locks that ended threads may hold; their lists are read, and what
 * they would do is done here. Lists and actions of other cleaners (java.lang.ref.Cleaner.create) belong to the program
 * and are left alone. */
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/os.h"
#include "base/table.h"
#include "exec/exec.h"
#include "heap/heap.h"
#include "jni/jni_room.h"
#include "vm/startup.h"

typedef VEC(int) descriptor_list;

/* Two cleaners may know one descriptor, and its number may be lent again to another thread once it is closed. */
static void close_once(descriptor_list *closed, int fd) {
    if (fd <= STDERR_FILENO) return;
    for (size_t i = 0; i < closed->count; i++)
        if (closed->data[i] == fd) return;
    if (vec_push(closed, fd)) close(fd);
}

static int read_int(struct object *o, const char *name) {
    struct field *f = jni_field_cstr(class_of(o), name, "I");
    return f ? (int)field_load(o, f->offset, T_INT) : -1;
}

static int64_t read_long(struct object *o, const char *name) {
    struct field *f = jni_field_cstr(class_of(o), name, "J");
    return f ? (int64_t)field_load(o, f->offset, T_LONG) : 0;
}

/* A class of the boot loader that has been initialised, or NULL. */
static struct class *used_class(const char *name) {
    struct symbol *s = symbol_lookup_cstr(name);
    struct class *c = s ? class_find_loaded(vm->boot_loader, s) : NULL;
    symbol_release(s);
    return c && class_is_initialized(c) ? c : NULL;
}

static struct object *static_ref(struct class *c, const char *name, const char *desc) {
    struct field *f = jni_field_cstr(c, name, desc);
    return f && f->access_flags & ACC_STATIC ? heap_load_ref(c->statics, f->offset) : NULL;
}

/* Ends the native stream of an Inflater or Deflater. */
static void end_stream(struct os_thread *self, struct object *stream, const char *owner) {
    REQUIRES(IN_VM | MAY_STOP);
    uint64_t args[2] = { (uint64_t)read_long(stream, "address") };   /* a long: two slots */
    struct class *c = used_class(owner);
    if (args[0] && c) java_call_static_named(self, c, "end", "(J)V", args, NULL);
    self->exception = NULL;
}

/* Memory of Unsafe.allocateMemory, by the classes that free it. */
static void free_memory(struct object *action) {
    const char *name = class_of(action)->name->bytes;
    if (strcmp(name, "java/nio/DirectByteBuffer$Deallocator") == 0 ||
        strcmp(name, "sun/nio/fs/NativeBuffer$Deallocator") == 0)
        mem_free((void *)(uintptr_t)read_long(action, "address"));
}

/* Whatever a Runnable of the library's cleaner refers to: memory, a stream of zlib, a descriptor in a field or captured
 * by a lambda. */
static void give_back_action(struct os_thread *self, struct object *action, descriptor_list *closed) {
    REQUIRES(IN_VM | MAY_STOP);
    struct class *c = class_of(action);
    free_memory(action);
    if (strcmp(c->name->bytes, "java/util/zip/Inflater$InflaterZStreamRef") == 0)
        end_stream(self, action, "java/util/zip/Inflater");
    if (strcmp(c->name->bytes, "java/util/zip/Deflater$DeflaterZStreamRef") == 0)
        end_stream(self, action, "java/util/zip/Deflater");
    for (uint32_t i = 0; i < c->field_count; i++) {
        struct field *f = &c->fields[i];
        if (f->access_flags & ACC_STATIC || strcmp(f->desc->bytes, "Ljava/io/FileDescriptor;") != 0) continue;
        struct object *descriptor = heap_load_ref(action, f->offset);
        if (descriptor) close_once(closed, read_int(descriptor, "fd"));
    }
}

static void give_back_cleanable(struct os_thread *self, struct object *cleanable, descriptor_list *closed) {
    REQUIRES(IN_VM | MAY_STOP);
    if (!cleanable) return;
    if (strcmp(class_of(cleanable)->name->bytes, "java/io/FileCleanable") == 0) {
        close_once(closed, read_int(cleanable, "fd"));
        return;
    }
    struct object *action = jni_read_ref(cleanable, "action", "Ljava/lang/Runnable;");
    if (action) give_back_action(self, action, closed);
}

/* jdk.internal.ref.CleanerFactory's cleaner: 17 has a ring of cleanables, 25 a list of arrays. */
static void give_back_cleanables(struct os_thread *self, descriptor_list *closed) {
    REQUIRES(IN_VM | MAY_STOP);
    struct class *factory = used_class("jdk/internal/ref/CleanerFactory");
    struct object *cleaner = factory ? static_ref(factory, "commonCleaner", "Ljava/lang/ref/Cleaner;") : NULL;
    struct object *impl = cleaner ? jni_read_ref(cleaner, "impl", "Ljdk/internal/ref/CleanerImpl;") : NULL;
    if (!impl) return;
    static const char ring_desc[] = "Ljdk/internal/ref/PhantomCleanable;",
                      node_desc[] = "Ljdk/internal/ref/CleanerImpl$CleanableList$Node;";
    struct object *ring = jni_read_ref(impl, "phantomCleanableList", ring_desc);
    for (struct object *o = ring ? jni_read_ref(ring, "next", ring_desc) : NULL; o && o != ring;
         o = jni_read_ref(o, "next", ring_desc))
        give_back_cleanable(self, o, closed);
    struct object *list = jni_read_ref(impl, "activeList", "Ljdk/internal/ref/CleanerImpl$CleanableList;");
    for (struct object *node = list ? jni_read_ref(list, "head", node_desc) : NULL; node;
         node = jni_read_ref(node, "next", node_desc)) {
        struct object *cleanables = jni_read_ref(node, "arr", "[Ljdk/internal/ref/PhantomCleanable;");
        int n = cleanables ? MIN(read_int(node, "size"), array_length(cleanables)) : 0;
        for (int i = 0; i < n; i++) give_back_cleanable(self, heap_array_get(cleanables, i), closed);
    }
}

/* jdk.internal.ref.Cleaner: a list; direct buffers are what it serves. */
static void give_back_buffers(void) {
    struct class *c = used_class("jdk/internal/ref/Cleaner");
    static const char desc[] = "Ljdk/internal/ref/Cleaner;";
    for (struct object *o = c ? static_ref(c, "first", desc) : NULL; o; o = jni_read_ref(o, "next", desc)) {
        struct object *thunk = jni_read_ref(o, "thunk", "Ljava/lang/Runnable;");
        if (thunk) free_memory(thunk);
    }
}

/* libnio keeps one end of a pair of sockets in a static variable and makes descriptors that are about to be closed
 * copies of it. Let it make one, and whatever else is the same socket is that end. */
static void give_back_marker(struct os_thread *self) {
    REQUIRES(IN_VM | MAY_STOP);
    struct class *c = used_class(vm->library == LIBRARY_17 ? "sun/nio/ch/FileDispatcherImpl"
                                                           : "sun/nio/ch/UnixDispatcher");
    struct class *descriptor_class = used_class("java/io/FileDescriptor");
    struct object *descriptor = c && descriptor_class ? jni_allocate(self, descriptor_class) : NULL;
    struct field *number = descriptor ? jni_field_cstr(descriptor_class, "fd", "I") : NULL;
    int fd = number ? open("/dev/null", O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0) return;
    struct stat before, copy, other;
    uint64_t args[1] = { slot_ref(descriptor) };
    bool ok = fstat(fd, &before) == 0;
    field_store(descriptor, number->offset, T_INT, (uint32_t)fd);
    ok = ok && java_call_static_named(self, c, "preClose0", "(Ljava/io/FileDescriptor;)V", args, NULL);
    self->exception = NULL;
    if (ok && fstat(fd, &copy) == 0 && S_ISSOCK(copy.st_mode) &&
        (copy.st_ino != before.st_ino || copy.st_dev != before.st_dev)) {
        DIR *all = opendir("/proc/self/fd");
        for (struct dirent *e; all && (e = readdir(all));) {
            int i = atoi(e->d_name);
            if (i == 0 || i == fd || fstat(i, &other) != 0 || other.st_ino != copy.st_ino ||
                other.st_dev != copy.st_dev)
                continue;
            close(i);
            break;
        }
        if (all) closedir(all);
    }
    close(fd);
}

void library_resources_end_thread(struct os_thread *self) {
    REQUIRES(IN_VM | MAY_STOP);
    struct class *c = used_class("jdk/internal/misc/TerminatingThreadLocal");
    if (c) java_call_static_named(self, c, "threadTerminated", "()V", NULL, NULL);
    self->exception = NULL;
}

void library_resources_give_back(struct os_thread *self) {
    REQUIRES(IN_VM | MAY_STOP);
    descriptor_list closed = { 0 };
    self->exception = NULL;
    give_back_cleanables(self, &closed);
    give_back_buffers();
    give_back_marker(self);
    vec_free(&closed);
}
