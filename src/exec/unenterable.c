/* unenterable.c — what calls of methods without code throw, with HotSpot's texts. JVMS 6.5. */
#include "base/alloc.h"
#include "exec/exec_internal.h"
#include "link/resolve.h"

/* HotSpot gives such a class methods of its own in the places of abstract ones of interfaces, which throw. */
static bool inherits_defaults(const struct class *c) {
    for (uint32_t i = 0; i < c->secondary_count; i++) {
        const struct class *above = c->secondary[i];
        for (const struct method *m = NULL; above->is_interface && (m = class_next_method(above, m)) != NULL;)
            if (!(m->access_flags & (ACC_ABSTRACT | ACC_STATIC))) return true;
    }
    return false;
}

static bool fails_by_itself(const struct class *receiver, const struct method *selected) {
    return selected->holder->is_interface && inherits_defaults(receiver);
}

static const char *abstract_text(const struct method *m) { return m->access_flags & ACC_ABSTRACT ? "abstract " : ""; }

/* "'abstract void m()' of interface I"; `in`: the class to name. NULL: no memory. */
static char *method_and_holder(const struct method *m, const struct class *in) {
    char *text = method_external_name(NULL, m->name, m->desc), *holder = class_external_name(in), *all = NULL;
    if (text != NULL && holder != NULL)
        all = mem_printf("'%s%s' of %s %s", in == m->holder ? abstract_text(m) : "", text,
                         in->is_interface ? "interface" : in->is_abstract ? "abstract class" : "class", holder);
    mem_free(text);
    mem_free(holder);
    return all;
}

static void throw_of_its_own(struct os_thread *self, const struct class *receiver, const struct method *m) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    throw_message(self, "java/lang/AbstractMethodError", "Method %s.%s%s is abstract", receiver->name->bytes,
                  m->name->bytes, m->desc->bytes);
}

/* A call of `resolved` through `in` selects `selected`, NULL if HotSpot's tables have nothing there. */
static void throw_unimplemented(struct os_thread *self, const struct class *receiver, const struct method *resolved,
                                const struct class *in, const struct method *selected) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    char *name = class_external_name(receiver), *wanted = method_and_holder(resolved, in), *full = NULL;
    if (selected != NULL && selected->holder != resolved->holder)
        full = method_external_name(selected->holder, selected->name, selected->desc);
    throw_message(self, "java/lang/AbstractMethodError",
                  "Receiver class %s does not define or inherit an implementation of the resolved method %s.%s%s%s%s",
                  name ? name : "?", wanted ? wanted : "?", full ? " Selected method is '" : "",
                  full ? abstract_text(selected) : "", full ? full : "", full ? "'." : "");
    mem_free(name);
    mem_free(wanted);
    mem_free(full);
}

void throw_unimplemented_interface(struct os_thread *self, struct class *receiver, const struct method *resolved,
                                   const struct method *selected) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (fails_by_itself(receiver, selected)) throw_of_its_own(self, receiver, selected);
    else throw_unimplemented(self, receiver, resolved, resolved->holder,
                             selected->holder->is_interface ? NULL : selected);
}

/* The instruction of the calling frame; OP_nop: C calls. */
static uint8_t calling_opcode(const struct frame *f) {
    return f == NULL || f->flags & FRAME_NATIVE ? OP_nop : code_source(f->code)->code[f->pc - f->code->code];
}

/* The class that the calling instruction names, if it calls a method with this name and descriptor; else NULL. */
static struct class *called_class(const struct frame *f, const struct method *m) {
    uint16_t i;
    memcpy(&i, f->pc + 1, sizeof i);
    const struct classfile *cf = code_cf(f->code);
    if (cp_ref_name(cf, i) != m->name || cp_ref_desc(cf, i) != m->desc) return NULL;
    return (struct class *)(uintptr_t)atomic_load_explicit(&f->code->cells[cp_ref_class_index(cf, i)],
                                                           memory_order_acquire);
}

/* What HotSpot resolves a call through `in` to, by a constant for the method m: of several abstract methods of
 * superinterfaces the first. NULL: there is none. */
static const struct method *resolved_through(struct class *in, const struct method *m) {
    struct method *found = in->is_interface ? class_lookup_interface_method(in, m->name, m->desc)
                                            : class_lookup_method(in, m->name, m->desc);
    if (found == NULL || !found->holder->is_interface || found->holder == in) return found;
    if (!(found->access_flags & ACC_ABSTRACT)) return found;
    for (uint32_t i = 0; i < in->secondary_count; i++) {
        struct class *above = in->secondary[i];
        const struct method *first = above->is_interface ? class_find_method(above, m->name, m->desc) : NULL;
        if (first != NULL && !(first->access_flags & (ACC_PRIVATE | ACC_STATIC))) return first;
    }
    return found;
}

/* The name of what the calling instruction calls, if that is invokestatic; else NULL. */
static const struct symbol *statically_called(const struct frame *f, uint8_t op) {
    if (op != OP_invokestatic) return NULL;
    uint16_t i;
    memcpy(&i, f->pc + 1, sizeof i);
    return cp_ref_name(code_cf(f->code), i);
}

static bool calls_link_to_interface(const struct frame *f, uint8_t op) {
    const struct symbol *name = statically_called(f, op);
    return name != NULL && strcmp(name->bytes, "linkToInterface") == 0;
}

/* m is what has been selected. Of a call by a method handle or by C HotSpot knows no more than that, and of one through
 * an interface nothing. */
static void throw_abstract(struct os_thread *self, const struct method *m, struct class *receiver) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    const struct frame *f = self->java->frame;
    uint8_t op = calling_opcode(f);
    bool is_call = op == OP_invokevirtual || op == OP_invokeinterface;
    struct class *in = is_call ? called_class(f, m) : NULL;
    const struct method *resolved = in != NULL ? resolved_through(in, m) : NULL;
    bool by_interface = op == OP_invokeinterface || calls_link_to_interface(f, op);
    /* 17's tables of interfaces do not have the methods that fail by themselves */
    bool tables_lack_it = by_interface && vm->library == LIBRARY_17;
    if (receiver != NULL && !tables_lack_it && fails_by_itself(receiver, m)) throw_of_its_own(self, receiver, m);
    else if (resolved != NULL && receiver != NULL) {
        bool in_its_place = tables_lack_it && resolved->access_flags & ACC_ABSTRACT && inherits_defaults(in);
        const struct class *named = in_its_place ? in : resolved->holder;
        throw_unimplemented(self, receiver, resolved, named,
                            by_interface && m->holder->is_interface ? NULL : m);
    } else if (by_interface) throw_new(self, "java/lang/AbstractMethodError");
    else {
        char *wanted = method_and_holder(m, m->holder);
        throw_message(self, "java/lang/AbstractMethodError", "Missing implementation of resolved method %s.",
                      wanted ? wanted : "?");
        mem_free(wanted);
    }
}

/* A method handle goes on to mean the method that it was made of, and HotSpot has it call a method that throws. Other
 * calls are resolved anew; those that were resolved while the method went, and C's, come here. */
static void throw_deleted(struct os_thread *self, const struct method *m, const char *text) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    const struct frame *f = self->java->frame;
    const struct symbol *called = statically_called(f, calling_opcode(f));
    bool by_handle = called != NULL && called != m->name;
    struct class *unsafe = by_handle ? class_find_boot(self, "jdk/internal/misc/Unsafe") : NULL;
    struct method *thrower = unsafe != NULL ? class_method_cstr(unsafe, "throwNoSuchMethodError", "()V") : NULL;
    if (thrower != NULL) java_call(self, thrower, NULL, NULL);
    else if (self->exception == NULL) throw_message(self, "java/lang/NoSuchMethodError", "'%s'", text);
}

void throw_unenterable(struct os_thread *self, struct method *m, struct class *receiver_class) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    char *full = method_external_name(m->holder, m->name, m->desc), *holder = class_external_name(m->holder);
    switch (m->entry) {
    case ENTRY_ABSTRACT: throw_abstract(self, m, receiver_class); break;
    case ENTRY_CONFLICT:
        throw_message(self, "java/lang/IncompatibleClassChangeError", "Conflicting default methods: %s",
                      m->native_data ? (const char *)m->native_data : "?");
        break;
    case ENTRY_NOT_PUBLIC:               /* HotSpot names the receiver's class, wherever the method stands */
        mem_free(full);
        full = method_external_name(receiver_class ? receiver_class : m->holder, m->name, m->desc);
        throw_message(self, "java/lang/IllegalAccessError", "'%s'", full ? full : "?");
        break;
    case ENTRY_INVOKE_GENERIC:
        throw_message(self, "java/lang/UnsupportedOperationException", "%s.%s cannot be invoked reflectively",
                      strstr(m->holder->name->bytes, "VarHandle") ? "VarHandle" : "MethodHandle", m->name->bytes);
        break;
    case ENTRY_LINK_TO_NATIVE:
        throw_message(self, "java/lang/UnsupportedOperationException", "the foreign linker is not supported");
        break;
    case ENTRY_DELETED: throw_deleted(self, m, full ? full : "?"); break;
    default:
        throw_message(self, "java/lang/InternalError", "method %s of class %s is not linked", m->name->bytes,
                      holder ? holder : "?");
        break;
    }
    mem_free(full);
    mem_free(holder);
}
