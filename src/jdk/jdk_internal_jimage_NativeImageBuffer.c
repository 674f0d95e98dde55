/* jdk_internal_jimage_NativeImageBuffer.c — lends the class library the VM's own mapping of lib/modules, so that the
 * file is mapped once and class bytes that come back from there need no copy (libjimage's function knows only images
 * that libjimage has opened). */
#include "jdk/natives.h"

/* getNativeMap(String path): the mapped image as a direct buffer, or null: then the library maps the file itself. */
static void get_native_map(struct os_thread *self, struct method *m UNUSED, uint64_t *args, uint64_t *result) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (arg_object(args, 0) == NULL) {
        throw_new(self, "java/lang/NullPointerException");
        return;
    }
    char *path = string_dup_utf8(arg_object(args, 0));
    struct span image = {NULL, 0};
    if (path == NULL) throw_out_of_memory(self, "path of the run-time image");
    else if (boot_image_map(path, &image))
        *result = slot_ref(native_direct_buffer(self, (void *)(uintptr_t)image.data, image.size));
    mem_free(path);
}

static const struct native_binding bindings[] = {{"getNativeMap", NULL, get_native_map, IN_BOTH}};
const struct native_class natives_jdk_internal_jimage_NativeImageBuffer = {"jdk/internal/jimage/NativeImageBuffer",
                                                                           bindings, ARRAY_LEN(bindings), IN_BOTH};
