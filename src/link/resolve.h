/* resolve.h — resolution of constant-pool entries (JVMS 5.4.3) and what the cells hold.
 *
 * cells[i] of a class version, by constant-pool index; 0 = not resolved yet; published with release, read with acquire
 * or relaxed by the interpreter after it has seen the quick opcode: Fieldref          struct field *          (quick
 * opcodes: getfield etc. carry the kind; the offset is read from the field cell) instance fields: offset in the low 32
 * bits | 1<<63 | type<<56   (resolve_field_cell) static fields: address of the static's slot (statics object + offset);
 * never moves (exec/quick.h) Methodref, InterfaceMethodref   struct method *  (resolved, not selected); invokehandle
 * sites: struct call_site * Class             struct class * String, MethodHandle, MethodType    address of the object
 * (the holder's roots keep it alive) Dynamic           address of the object, or of a box for primitives; (1 = resolved
 * to null) Integer, Float    unused (ldc reads the class file) Utf8              the parser's: its symbol
 * (classfile/classfile.h) Errors of resolution are kept per entry and thrown again
 * (JVMS 5.4.3). */
#ifndef VITRINE_LINK_RESOLVE_H
#define VITRINE_LINK_RESOLVE_H

#include "link/link.h"

/* What a linked call site runs: a static adapter method; appendix, unless NULL, is pushed as last
 * argument. Immutable. */
struct call_target {
    struct method *adapter;
    struct object *appendix;             /* root of the class's holder                                          */
};

/* An invokedynamic instruction or an invokehandle entry. */
struct call_site {
    struct call_target *_Atomic target;  /* NULL until linked; the first writer wins                            */
    struct object *_Atomic error;        /* linking failed with this; root of the class's holder                */
    uint16_t cp_index;
};

/* Code resolves in the version of its class that it came with; natives that ask for a class's attributes in the current
 * one. */
struct class *resolve_class(struct os_thread *self, struct class_version *v, uint16_t cp_index);     /* throws */
/* What the field reference `cp_index` names; access checked; for opcode-specific checks see below. */
struct field *resolve_field(struct os_thread *self, struct class_version *v, uint16_t cp_index);
/* Resolution for an instruction: adds the checks of that instruction (static vs. instance, final field outside <init>,
 * abstract, super calls of invokespecial, class initialisation for getstatic/putstatic/invokestatic/new) with HotSpot's
 * messages. `code` is what executes. The caller quickens. For invokespecial the selected method is returned; for
 * invokevirtual/invokeinterface the resolved one. *kind tells invokevirtual on final methods (direct) and
 * invokeinterface on Object methods (virtual). */
struct field *resolve_field_for(struct os_thread *self, struct method_code *code, uint16_t cp_index, uint8_t opcode);
enum invoke_kind { INVOKE_DIRECT, INVOKE_VTABLE, INVOKE_ITABLE, INVOKE_HANDLE };
/* As resolve_method_for, without initialisation: for a MethodHandle constant. */
struct method *resolve_invoked(struct os_thread *self, struct class_version *v, uint16_t cp_index, uint8_t opcode,
                               enum invoke_kind *kind);
struct method *resolve_method_for(struct os_thread *self, struct method_code *code, uint16_t cp_index, uint8_t opcode,
                                  enum invoke_kind *kind);
/* checks abstract/interface; initialised */
struct class *resolve_class_for_new(struct os_thread *self, struct method_code *code, uint16_t cp_index);
/* ldc of String, Class (mirror), MethodHandle, MethodType, Dynamic: false = exception; *value is a slot, *type its
 * basic type. */
bool resolve_constant(struct os_thread *self, struct class_version *v, uint16_t cp_index, uint64_t *value,
                      enum basic_type *type);
/* Links an invokedynamic instruction / an invokehandle entry (upcalls into MethodHandleNatives); throws. */
struct call_site *resolve_call_site(struct os_thread *self, struct class_version *v, uint32_t site_index);
struct call_site *resolve_invoke_handle(struct os_thread *self, struct class_version *v, uint16_t cp_index);
/* MethodType object of a method descriptor (MethodHandleNatives.findMethodHandleType). */
struct object *resolve_method_type(struct os_thread *self, struct class *accessing, struct symbol *desc);

/* ---- link/method_handle.c: MemberName <-> methods and fields ----------------------------------------------------- */
/* Method named by a resolved MemberName (its ResolvedMethodName's injected vmtarget), or NULL. */
struct method *member_name_target(struct object *member_name);
int64_t member_name_vmindex(struct object *member_name);
/* Fills a MemberName from a method (kind bits normalised) or field. False: exception pending. */
bool member_name_init_method(struct os_thread *self, struct object *member_name, struct method *m,
                             struct class *resolved, bool do_dispatch);
bool member_name_init_field(struct os_thread *self, struct object *member_name, struct field *f, bool is_setter);
/* Final, and not even reflection may write it: static, or of a record or hidden class. */
bool field_is_trusted_final(const struct field *f);
/* Does an instance field keep what a constructor has given it, as compilers take it? Those of java.lang.invoke, too. */
bool field_is_trusted(const struct field *f);
/* Is it CallSite.target, which call sites change by MethodHandleNatives? */
bool field_is_site_target(const struct field *f);
/* A new ResolvedMethodName of m; throws OOME. */
struct object *resolved_method_name(struct os_thread *self, struct method *m);

/* The method that a signature-polymorphic reference means for this descriptor: MethodHandle.invokeBasic, linkTo*,
 * invoke, invokeExact, the VarHandle accessors. NULL without exception when `in` has no such method. */
struct method *polymorphic_method(struct os_thread *self, struct class *in, struct symbol *name, struct symbol *desc);


/* access.c: IllegalAccessError with HotSpot's texts; loader constraints of a resolved member (JVMS 5.3.4),
 * LinkageError. */
void throw_illegal_access_field(struct os_thread *self, struct class *from, struct class *resolved, struct field *f);
void throw_illegal_access_method(struct os_thread *self, struct class *from, struct class *resolved, struct method *m);
bool check_field_constraint(struct os_thread *self, struct class *from, struct class *resolved, struct field *f);
bool check_method_constraint(struct os_thread *self, struct class *from, struct class *resolved, struct method *m);

/* resolve.c: the field of that name and type of `in` (JVMS 5.4.3.2) for the class `from`, whose access is not checked;
 * from may be NULL: no constraint then. NULL: NoSuchFieldError or LinkageError is pending. */
struct field *look_up_field(struct os_thread *self, struct class *from, struct class *in, struct symbol *name,
                            struct symbol *desc);

/* resolve.c, invokespecial in class c: the method that runs for m, which a reference to class `in` resolved to: the
 * superclass's when `in` is one (JVMS 6.5 invokespecial). NULL: exception pending, an abstract method's and an indirect
 * superinterface's included. Runs no Java code. */
struct method *method_select_special(struct os_thread *self, struct class *c, struct class *in, struct method *m);

/* names.c: types and methods as HotSpot's messages spell them; malloc'd, NULL: out of memory. */
char *type_external_name(const char *desc, size_t length);    /* "[Ljava/lang/String;" -> java.lang.String[] */
/* void a.B.m(int, java.lang.String) */
char *method_external_name(struct class *holder, struct symbol *name, struct symbol *desc);


#endif
