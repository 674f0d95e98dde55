/* extension.c: the Extension Mechanism chapter: what we offer beyond the specification, as two tables. docs/jvmti.md
 * describes it. */
#include "jvmti/extension.h"

#include "base/options.h"
#include "jvmti_gen.h"

struct extension_param {
    const char *name;
    jvmtiParamKind kind;
    jvmtiParamTypes type;
    jboolean null_ok;
};

struct extension_function {
    const char *id, *description;
    jvmtiExtensionFunction function;
    struct extension_param params[4];
    jint param_count;
    jvmtiError errors[5];
    jint error_count;
};

static jvmtiError JNICALL is_class_unloading_enabled(jvmtiEnv *env, ...);

static const struct extension_function functions[] = {
    {"com.sun.hotspot.functions.IsClassUnloadingEnabled",
     "Are classes unloaded (no -Xnoclassgc)?",
     is_class_unloading_enabled,
     {{"is_enabled_ptr", JVMTI_KIND_OUT, JVMTI_TYPE_JBOOLEAN, JNI_FALSE}},
     1,
     {0},
     0},
    {"vitrine.functions.GetCallTrace",
     "The calling thread's stack, from a signal handler at any instruction; frames are vitrineCallFrame",
     jvmti_extension_get_call_trace,
     {{"ucontext", JVMTI_KIND_IN_PTR, JVMTI_TYPE_CVOID, JNI_TRUE},
      {"max_frame_count", JVMTI_KIND_IN, JVMTI_TYPE_JINT, JNI_FALSE},
      {"frame_buffer", JVMTI_KIND_OUT_BUF, JVMTI_TYPE_CVOID, JNI_FALSE},
      {"count_ptr", JVMTI_KIND_OUT, JVMTI_TYPE_JINT, JNI_FALSE}},
     4,
     {JVMTI_ERROR_ILLEGAL_ARGUMENT, JVMTI_ERROR_OPAQUE_FRAME},
     2},
    {"vitrine.functions.SetReflectiveFieldEvents",
     "Are accesses to watched fields by reflection, variable handles and Unsafe reported too?",
     jvmti_extension_set_reflective_field_events,
     {{"enabled", JVMTI_KIND_IN, JVMTI_TYPE_JBOOLEAN, JNI_FALSE}},
     1,
     {0},
     0},
    {"vitrine.functions.SetEventFilters",
     "Functions that are asked, in the VM, whether MethodEntry, MethodExit and SampledObjectAlloc are to be sent; "
     "vitrineEventFilters",
     jvmti_extension_set_event_filters,
     {{"filters", JVMTI_KIND_IN_PTR, JVMTI_TYPE_CVOID, JNI_TRUE}},
     1,
     {0},
     0},
    {"vitrine.functions.FollowObjects",
     "The objects that can be reached, each reported once and as a whole; vitrineObjectCallbacks",
     jvmti_extension_follow_objects,
     {{"first_number", JVMTI_KIND_IN, JVMTI_TYPE_JLONG, JNI_FALSE},
      {"callbacks", JVMTI_KIND_IN_PTR, JVMTI_TYPE_CVOID, JNI_FALSE},
      {"user_data", JVMTI_KIND_IN_PTR, JVMTI_TYPE_CVOID, JNI_TRUE}},
     3,
     {JVMTI_ERROR_MUST_POSSESS_CAPABILITY, JVMTI_ERROR_NULL_POINTER, JVMTI_ERROR_ILLEGAL_ARGUMENT,
      JVMTI_ERROR_OUT_OF_MEMORY},
     4},
};

static jvmtiError JNICALL is_class_unloading_enabled(jvmtiEnv *env, ...) {
    va_list args;
    va_start(args, env);
    jboolean *enabled = va_arg(args, jboolean *);
    va_end(args);
    if (!jvmti_env_is_ours(env) || atomic_load(&((struct jvmti_env *)env)->disposed))
        return JVMTI_ERROR_INVALID_ENVIRONMENT;
    if (enabled == NULL) return JVMTI_ERROR_NULL_POINTER;
    *enabled = vm->options->flags.ClassUnloading ? JNI_TRUE : JNI_FALSE;
    return JVMTI_ERROR_NONE;
}

/* ---- what tools get of the tables: every pointer separately allocated -------------------------------------------- */

static void params_free(jvmtiParamInfo *params, jint count) {
    for (jint i = 0; params != NULL && i < count; i++) tool_free(params[i].name);
    tool_free(params);
}

/* False: out of memory, nothing is left allocated. No parameters: NULL. */
static bool params_copy(const struct extension_param *from, jint count, jvmtiParamInfo **out) {
    *out = NULL;
    if (count == 0) return true;
    jvmtiParamInfo *params = tool_alloc((size_t)count * sizeof *params);
    if (params == NULL) return false;
    bool ok = true;
    for (jint i = 0; i < count; i++) {
        params[i] = (jvmtiParamInfo){tool_strdup(from[i].name), from[i].kind, from[i].type, from[i].null_ok};
        ok &= params[i].name != NULL;
    }
    if (!ok) params_free(params, count);
    else *out = params;
    return ok;
}

static void function_free(jvmtiExtensionFunctionInfo *f) {
    tool_free(f->id);
    tool_free(f->short_description);
    params_free(f->params, f->param_count);
    tool_free(f->errors);
}

static bool function_copy(const struct extension_function *from, jvmtiExtensionFunctionInfo *out) {
    *out = (jvmtiExtensionFunctionInfo){from->function,
                                        tool_strdup(from->id),
                                        tool_strdup(from->description),
                                        from->param_count,
                                        NULL,
                                        from->error_count,
                                        NULL};
    bool ok = out->id != NULL && out->short_description != NULL &&
              params_copy(from->params, from->param_count, &out->params);
    if (ok && from->error_count != 0) {
        out->errors = tool_alloc((size_t)from->error_count * sizeof *out->errors);
        ok = out->errors != NULL;
        for (jint i = 0; ok && i < from->error_count; i++) out->errors[i] = from->errors[i];
    }
    if (!ok) function_free(out);
    return ok;
}

jvmtiError jvmti_get_extension_functions(struct jvmti_env *env, struct os_thread *self, jint *extension_count_ptr,
                                         jvmtiExtensionFunctionInfo **extensions) {
    (void)env, (void)self;
    jint count = ARRAY_LEN(functions);
    jvmtiExtensionFunctionInfo *list = tool_alloc((size_t)count * sizeof *list);
    if (list == NULL) return JVMTI_ERROR_OUT_OF_MEMORY;
    for (jint i = 0; i < count; i++) {
        if (function_copy(&functions[i], &list[i])) continue;
        while (i-- > 0) function_free(&list[i]);
        tool_free(list);
        return JVMTI_ERROR_OUT_OF_MEMORY;
    }
    *extension_count_ptr = count;
    *extensions = list;
    return JVMTI_ERROR_NONE;
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

struct extension_event {
    jint index;                          /* HotSpot's                                                             */
    const char *id, *description;
    struct extension_param params[2];
    jint param_count;
    jvmtiError (*set_callback)(struct jvmti_env *env, struct os_thread *self, jvmtiExtensionEvent callback);
};

static const struct extension_event events[] = {
    {49, "com.sun.hotspot.events.ClassUnload", "CLASS_UNLOAD event",
     {{"JNI Environment", JVMTI_KIND_IN_PTR, JVMTI_TYPE_JNIENV, JNI_FALSE},
         {"Class", JVMTI_KIND_IN_PTR, JVMTI_TYPE_CCHAR, JNI_FALSE}}, 2,
     jvmti_set_class_unload_callback},
};

static void event_free(jvmtiExtensionEventInfo *e) {
    tool_free(e->id);
    tool_free(e->short_description);
    params_free(e->params, e->param_count);
}

static bool event_copy(const struct extension_event *from, jvmtiExtensionEventInfo *out) {
    *out = (jvmtiExtensionEventInfo){from->index, tool_strdup(from->id), tool_strdup(from->description),
                                     from->param_count, NULL};
    bool ok = out->id != NULL && out->short_description != NULL &&
              params_copy(from->params, from->param_count, &out->params);
    if (!ok) event_free(out);
    return ok;
}

jvmtiError jvmti_get_extension_events(struct jvmti_env *env, struct os_thread *self, jint *extension_count_ptr,
                                      jvmtiExtensionEventInfo **extensions) {
    (void)env, (void)self;
    jint count = ARRAY_LEN(events);
    jvmtiExtensionEventInfo *list = tool_alloc((size_t)count * sizeof *list);
    if (list == NULL) return JVMTI_ERROR_OUT_OF_MEMORY;
    for (jint i = 0; i < count; i++) {
        if (event_copy(&events[i], &list[i])) continue;
        while (i-- > 0) event_free(&list[i]);
        tool_free(list);
        return JVMTI_ERROR_OUT_OF_MEMORY;
    }
    *extension_count_ptr = count;
    *extensions = list;
    return JVMTI_ERROR_NONE;
}

jvmtiError jvmti_set_extension_event_callback(struct jvmti_env *env, struct os_thread *self, jint extension_event_index,
                                              jvmtiExtensionEvent callback) {
    for (size_t i = 0; i < ARRAY_LEN(events); i++)
        if (events[i].index == extension_event_index) return events[i].set_callback(env, self, callback);
    return JVMTI_ERROR_ILLEGAL_ARGUMENT;
}
