/* management_commands.c — diagnostic commands for DiagnosticCommandMBean: JMM's functions about them. */
#include <stdlib.h>

#include "jdk/diagnostic_command.h"
#include "jdk/diagnostic_table.h"
#include "jdk/jmm.h"
#include "link/call.h"

static bool is_seen(const struct command *c) { return !c->hidden_from_beans; }

jobjectArray jmm_GetDiagnosticCommands(JNIEnv *env) {
    NATIVE_ENTRY(env);
    int32_t n = 0, i = 0;
    for (const struct command *c = diagnostic_next(NULL); c != NULL; c = diagnostic_next(c)) n += is_seen(c);
    struct object *names = new_ref_array(self, known_class(java_lang_String), n);
    jobject array = names != NULL ? handle_local(self, names) : NULL;
    for (const struct command *c = diagnostic_next(NULL); c != NULL && array != NULL; c = diagnostic_next(c)) {
        if (!is_seen(c)) continue;
        struct object *name = string_from_cstr(self, c->name);
        if (name == NULL) return NULL;
        heap_array_set(handle_get(array), i++, name);
    }
    return array;
}

static int parameter_count(const struct parameter *rows) {
    int n = 0;
    for (const struct parameter *p = diagnostic_parameter(rows); p != NULL; p = diagnostic_parameter(p + 1)) n++;
    return n;
}

/* The command that a Java string names; NULL: exception pending. */
static const struct command *named(struct os_thread *self, struct object *name) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    char *text = name != NULL ? string_dup_utf8(name) : NULL;
    const struct command *c = text != NULL ? diagnostic_find(text) : NULL;
    mem_free(text);
    if (name == NULL) throw_message(self, "java/lang/NullPointerException", "Command name cannot be null.");
    else if (c == NULL) throw_message(self, "java/lang/IllegalArgumentException", "Unknown diagnostic command");
    return c;
}

static struct jmm_command_info info_of(const struct command *c) {
    struct jmm_command_info info = {.name = c->name, .description = c->description, .impact = c->impact,
                                       .arguments = parameter_count(c->options) + parameter_count(c->arguments),
                                       .enabled = true};
    if (c->permission != NULL) {
        info.permission_class = c->permission->class;
        info.permission_name = c->permission->name;
        info.permission_action = c->permission->action;
    }
    return info;
}

/* `out`: one for each command. */
void jmm_GetDiagnosticCommandInfo(JNIEnv *env, jobjectArray commands, struct jmm_command_info *out) {
    NATIVE_ENTRY(env);
    struct object *names = handle_get(commands);
    if (names == NULL || out == NULL) {
        throw_new(self, "java/lang/NullPointerException");
        return;
    }
    for (int32_t i = 0; i < array_length(names); i++) {
        const struct command *c = named(self, heap_array_get(handle_get(commands), i));
        if (c == NULL) return;
        out[i] = info_of(c);
    }
}

static struct jmm_argument_info argument_info(const struct parameter *p, int position) {
    return (struct jmm_argument_info){.name = p->name, .description = p->description, .type = diagnostic_type_name(p),
                                      .preset = p->preset, .mandatory = p->mandatory, .option = position < 0,
                                      .multiple = false, .position = position};
}

/* Arguments first; options have no position. `count`, which 17 does not hand over, is what the command has. */
void jmm_GetDiagnosticCommandArgumentsInfo(JNIEnv *env, jstring command, struct jmm_argument_info *out, jint count) {
    NATIVE_ENTRY(env);
    (void)count;
    const struct command *c = named(self, handle_get(command));
    int n = 0;
    if (c == NULL || out == NULL) return;
    for (const struct parameter *p = diagnostic_parameter(c->options); p != NULL; p = diagnostic_parameter(p + 1))
        out[n++] = argument_info(p, -1);
    int position = 0;
    for (const struct parameter *p = diagnostic_parameter(c->arguments); p != NULL; p = diagnostic_parameter(p + 1))
        out[n++] = argument_info(p, position++);
}

/* "java.lang.IllegalArgumentException: text" becomes that exception again. */
static void throw_refusal(struct os_thread *self, char *text) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    static const char prefix[] = "java.lang.IllegalArgumentException: ";
    size_t length = strlen(text);
    if (length > 0 && text[length - 1] == '\n') text[length - 1] = '\0';
    if (strncmp(text, prefix, sizeof prefix - 1) == 0) text += sizeof prefix - 1;
    throw_message(self, "java/lang/IllegalArgumentException", "%s", text);
}

jstring jmm_ExecuteDiagnosticCommand(JNIEnv *env, jstring command) {
    NATIVE_ENTRY(env);
    struct object *line = handle_get(command);
    if (line == NULL) {
        throw_message(self, "java/lang/NullPointerException", "Command line cannot be null.");
        return NULL;
    }
    char *asked = string_dup_utf8(line), *text = NULL;
    size_t size = 0;
    FILE *out = asked != NULL ? open_memstream(&text, &size) : NULL;
    bool ok = out != NULL && diagnostic_command(self, asked, out);
    bool written = out != NULL && fclose(out) == 0;
    jstring answer = NULL;
    if (!written) throw_out_of_memory(self, "diagnostic command");
    else if (!ok) throw_refusal(self, text);
    else answer = handle_local(self, string_from_platform(self, text));
    free(text);
    mem_free(asked);
    return answer;
}
