/* The run-time image lib/modules: mapped, read without copying. */
#ifndef VITRINE_BASE_JIMAGE_H
#define VITRINE_BASE_JIMAGE_H

#include "base/base.h"

struct jimage;

/* Maps and checks the image. NULL: *err is a sentence naming the file, caller frees. */
struct jimage *jimage_open(const char *path, char **err);
void           jimage_close(struct jimage *j);     /* NULL is allowed; spans die with it */
const char    *jimage_path(const struct jimage *j);

/* The bytes of /module/name ("java.base", "java/lang/Object.class"). They live as long as the image.
 * False: absent, damaged, or no memory for a compressed one. Any thread. */
bool jimage_find(struct jimage *j, const char *module, const char *name, struct span *out);

/* Module that holds a package ("java/lang" or "java.lang"), NULL when none. Lives as long as the image. */
const char *jimage_package_module(const struct jimage *j, const char *package);

/* Every resource, in table order; visit returns false to stop. parent "" or "java/lang", base "Object", extension
 * "class". */
struct jimage_entry { const char *module, *parent, *base, *extension; uint64_t size; };
void   jimage_iterate(const struct jimage *j, bool (*visit)(const struct jimage_entry *entry, void *arg), void *arg);

/* The whole mapped file. */
struct span jimage_mapping(const struct jimage *j);
/* Whether an address lies in the mapped image (class bytes that need no copy). */
bool jimage_owns(const struct jimage *j, const void *p);

#endif
