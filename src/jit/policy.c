/* policy.c — see policy.h. */
#include "jit/policy.h"

#include "base/log.h"
#include "base/options.h"
#include "jit/listing.h"

bool policy_create(struct policy *p) { return commands_read(&p->commands); }

void policy_destroy(struct policy *p) {
    commands_free(&p->commands);
    ptr_table_free(&p->excluded);
}

static bool is_excluded(const struct compile_commands *c, const struct method *m) {
    return command_says(c, COMMAND_exclude, m) ||
           (c->given[COMMAND_compileonly] && !command_says(c, COMMAND_compileonly, m));
}

bool policy_allows(struct policy *p, const struct method_code *code) {
    const struct compile_commands *c = &p->commands;
    if (LIKELY(!c->given[COMMAND_exclude] && !c->given[COMMAND_compileonly])) return true;
    if (ptr_table_get(&p->excluded, code) != NULL) return false;
    if (!is_excluded(c, code->method)) return true;
    listing_excluded(c, code->method);
    if (!ptr_table_put(&p->excluded, code, code)) log_debug(jit, "out of memory: exclusions are printed again");
    return false;
}

void policy_forgets(struct policy *p, const struct method_code *code) { ptr_table_remove(&p->excluded, code); }
