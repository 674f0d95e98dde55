/* unwound.h — a thread ends in foreign code, and its C stack is unwound through the VM. */
#ifndef VITRINE_THREAD_UNWOUND_H
#define VITRINE_THREAD_UNWOUND_H

#include <unwind.h>

/* The personality of code that calls foreign code IN_NATIVE: of the functions with thread_to_native, which name it
 * themselves, and of generated code. */
__attribute__((used, visibility("hidden"))) _Unwind_Reason_Code thread_unwound(int version, _Unwind_Action actions,
                                                                               _Unwind_Exception_Class language,
                                                                               struct _Unwind_Exception *exception,
                                                                               struct _Unwind_Context *context);

#endif
