/* hotness.c — how much methods run. A version of a method has a budget, which calls and backward branches spend. Each
 * time that it is used up, exec_method_is_hot is called, and may give the version another; once there is none, calls do
 * not come here any more, and a backward goto is goto_back: what runs much is not slowed by being counted, and threads
 * that run the same methods do not write to the same place for ever. Where there is a compiler, the first budget is the
 * last before the method is compiled, and loops that run on are entered in its compiled code. */
#include "exec/exec_internal.h"

struct method *entry_counted(struct os_thread *self, struct method *m, uint64_t *args UNUSED, uint64_t *result UNUSED) {
    count_call(self, atomic_load_explicit(&m->code, memory_order_acquire));
    return m;
}

/* Compiled before its next call runs. */
struct method *entry_compiling(struct os_thread *self, struct method *m, uint64_t *args, uint64_t *result) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct method_code *code = atomic_load_explicit(&m->code, memory_order_acquire);
    method_entry_function *own = entry_compiling, *enter = exec_hooks.compile(code, own);
    if (enter == NULL) {
        enter = entry_counted;
        atomic_compare_exchange_strong(&m->enter, &own, enter);
    }
    return enter(self, m, args, result);
}

void exec_set_entry_of_compiled(method_entry_function *enter) { vm->exec->entry_of_compiled = enter; }

void exec_method_is_hot(struct os_thread *self UNUSED, struct method_code *code) {
    REQUIRES(IN_VM);
    struct method *m = code->method;
    method_entry_function *counted = entry_counted;
    bool current = atomic_load_explicit(&m->code, memory_order_acquire) == code, more;
    if (code->budgets_used < METHOD_BUDGETS) code->budgets_used++;
    more = code->budgets_used < METHOD_BUDGETS;
    code->budget = more ? METHOD_BUDGET : 0;
    if (current && !code->compiled) exec_hooks.compile(code, entry_counted);
    if (current && !more) atomic_compare_exchange_strong(&m->enter, &counted, NULL);
}
