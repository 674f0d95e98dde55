/* agent_command.c — diagnostic commands on agents: those of the tool interfaces, and the library's management agent. */
#include <stdlib.h>

#include "base/options.h"
#include "jdk/boot.h"
#include "jdk/diagnostic_command.h"
#include "jdk/diagnostic_table.h"
#include "jdk/hooks.h"
#include "probe/probe.h"

/* Loads a module of the library that is not there from the start. */
static bool load_module(struct os_thread *self, const char *module) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *modules = class_find_boot(self, "jdk/internal/module/Modules");
    struct object *name = modules ? string_from_cstr(self, module) : NULL;
    uint64_t args[1] = {slot_ref(name)}, result;
    return name != NULL &&
           java_call_static_named(self, modules, "loadModule", "(Ljava/lang/String;)Ljava/lang/Module;", args, &result);
}

bool diagnostic_load_agent(struct os_thread *self, const char *library, bool absolute, const char *options,
                           bool by_command, FILE *out) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    bool asks = !by_command || vm->library != LIBRARY_17; /* as the libraries' own VMs do */
    if (asks && !vm->options->flags.EnableDynamicAgentLoading) {
        fprintf(out, "Dynamic agent loading is not enabled. Use -XX:+EnableDynamicAgentLoading to launch target VM.\n");
        return false;
    }
    if (strcmp(library, "instrument") == 0 && !load_module(self, "java.instrument"))
        return diagnostic_report(self, out);
    jint result = 0;
    char *error = NULL;
    int loaded = jdk_hooks.agent_attach(self, library, absolute, options, &result, &error);
    self->exception = NULL;
    if (loaded == 0) fprintf(out, "return code: %d\n", (int)result);
    else fprintf(out, "%s\n", error ? error : "Out of memory");
    mem_free(error);
    return loaded == 0;
}

bool command_jvmti_agent_load(struct request *r) {
    const char *library = r->arguments[0], *options = r->arguments[1];
    size_t n = strlen(library);
    if (n < 4 || strcmp(library + n - 4, ".jar") != 0) {
        diagnostic_load_agent(r->self, library, true, options, true, r->out);
        return true;
    }
    char *both = options ? mem_printf("%s=%s", library, options) : mem_strdup(library);
    if (both != NULL) diagnostic_load_agent(r->self, "instrument", false, both, true, r->out);
    mem_free(both);
    return true;
}

bool command_jvmti_data_dump(struct request *r) {
    probe_data_dump_request(r->self);
    return true;
}

/* What the library's JDWP agent exports: NULL, or why it has not begun. The texts are its own. */
typedef const char *(JNICALL *start_debugging)(JNIEnv *env, jobject thread, const char **transport,
                                               const char **address, jboolean *first);

bool command_vm_start_java_debugging(struct request *r) {
    start_debugging start = (start_debugging)jdk_hooks.agent_function("jdwp", "debugInit_startDebuggingViaCommand");
    const char *transport = NULL, *address = NULL, *why = "Could not find jdwp agent.";
    jboolean first = JNI_FALSE;
    if (start != NULL) {
        jobject thread = handle_local(r->self, r->self->java->mirror);
        thread_to_native(r->self);
        why = start(thread_env(r->self), thread, &transport, &address, &first);
        thread_from_native(r->self);
    }
    if (why != NULL)
        fprintf(r->out, "Debugging has not been started: %s\n", why);
    else
        fprintf(r->out, "%s\nTransport : %s\nAddress : %s\n",
                first ? "Debugging has been started." : "Debugging is already active.",
                transport != NULL ? transport : "#unknown", address != NULL ? address : "#unknown");
    return true;
}

bool command_vitrine_agents(struct request *r) {
    enum agents_measure measure = r->on[0] ? AGENTS_MEASURE_ON : AGENTS_MEASURE_OFF;
    jdk_hooks.agents_report(r->self, r->out, r->given[0] ? measure : AGENTS_MEASURE_AS_BEFORE);
    return true;
}

/* ---- the management agent (JMX) ---------------------------------------------------------------------------------- */

/* Runs a static method of it; NULL: the answer is none, or an exception is pending. */
static struct object *management_agent(struct os_thread *self, const char *method, const char *desc,
                                       const uint64_t *args) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (!load_module(self, "jdk.management.agent")) return NULL;
    struct class *c = class_find_boot(self, "jdk/internal/agent/Agent");
    uint64_t result = 0;
    bool answers = strchr(desc, ')')[1] != 'V';
    if (c != NULL) java_call_static_named(self, c, method, desc, args, &result);
    return self->exception == NULL && answers ? slot_object(result) : NULL;
}

bool management_agent_start(struct os_thread *self) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (!vm->options->flags.ManagementServer) return true;
    struct class *c = class_find_boot(self, "jdk/internal/agent/Agent");
    if (c != NULL && java_call_static_named(self, c, "startAgent", "()V", NULL, NULL)) return true;
    if (c == NULL && self->exception == NULL)
        throw_message(self, "java/lang/NoClassDefFoundError", "jdk/internal/agent/Agent");
    else if (c != NULL) self->exception = NULL; /* it has printed why */
    return false;
}

/* What was given, as properties: "com.sun.management.jmxremote.port=0,com.sun.management.jdp.name=x". */
static char *agent_options(const struct request *r) {
    char *text = mem_strdup("");
    for (const struct parameter *p = r->command->options; p->name != NULL; p++) {
        size_t i = (size_t)(p - r->command->options);
        if (!r->given[i] || text == NULL) continue;
        char *more = mem_printf("%s%scom.sun.management.%s=%s", text, *text ? "," : "", p->name,
                                r->options[i] != NULL ? r->options[i] : "");
        mem_free(text);
        text = more;
    }
    return text;
}

bool command_managementagent_start(struct request *r) {
    char *text = agent_options(r);
    struct object *options = text != NULL ? string_from_platform(r->self, text) : NULL;
    uint64_t args[1] = {slot_ref(options)};
    mem_free(text);
    if (options != NULL) management_agent(r->self, "startRemoteManagementAgent", "(Ljava/lang/String;)V", args);
    return diagnostic_report(r->self, r->out);
}

bool command_managementagent_start_local(struct request *r) {
    management_agent(r->self, "startLocalManagementAgent", "()V", NULL);
    return diagnostic_report(r->self, r->out);
}

bool command_managementagent_stop(struct request *r) {
    management_agent(r->self, "stopRemoteManagementAgent", "()V", NULL);
    return diagnostic_report(r->self, r->out);
}

bool command_managementagent_status(struct request *r) {
    struct object *status = management_agent(r->self, "getManagementAgentStatus", "()Ljava/lang/String;", NULL);
    char *text = status != NULL ? string_dup_utf8(status) : NULL;
    if (text != NULL) fprintf(r->out, "%s\n", text);
    mem_free(text);
    return diagnostic_report(r->self, r->out);
}
