/* Which JDK we serve: java.home and its version. */
#ifndef VITRINE_BASE_JDK_HOME_H
#define VITRINE_BASE_JDK_HOME_H

#include "base/base.h"

struct jdk_home {
    char *home;                   /* java.home, absolute, no trailing slash             */
    char *modules;                /* home/lib/modules                                   */
    char *libjvm;                 /* the path our library was loaded under              */
    char *version;                /* JAVA_VERSION of `release`: "25.0.1"                */
    char *vendor;                 /* IMPLEMENTOR, or NULL                               */
    char *runtime_version;        /* JAVA_RUNTIME_VERSION or `version`                  */
    int   feature;                /* 17 or 25                                           */
};

/* Finds the JDK: `wanted` (-Djava.home, may be NULL) if it has lib/modules, else around our own library: the path it
 * was loaded under (image layout), the resolved path, then the launcher's, then the environment's VITRINE_JDK; the
 * first with lib/modules. False: *err is a sentence, caller frees. */
bool jdk_home_find(struct jdk_home *out, const char *wanted, char **err);
/* The same for a given directory. */
bool jdk_home_read(struct jdk_home *out, const char *home, char **err);
void jdk_home_free(struct jdk_home *h);

#endif
