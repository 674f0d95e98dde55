# jvmti.h, function table, checks, trampolines and name tables, all generated from spec/jvmti.def.

set(JVMTI_GENERATOR ${CMAKE_SOURCE_DIR}/spec/gen_jvmti.py)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${JVMTI_GENERATOR})
execute_process(COMMAND ${Python3_EXECUTABLE} ${JVMTI_GENERATOR} --outputs
                OUTPUT_VARIABLE names OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "\n" ";" names "${names}")
list(TRANSFORM names PREPEND ${GEN_DIR}/ OUTPUT_VARIABLE GENERATED_FILES)
add_custom_command(OUTPUT ${GENERATED_FILES}
    COMMAND ${Python3_EXECUTABLE} ${JVMTI_GENERATOR} ${CMAKE_SOURCE_DIR}/spec/jvmti.def ${GEN_DIR}
    DEPENDS ${JVMTI_GENERATOR} ${CMAKE_SOURCE_DIR}/spec/jvmti.def
    COMMENT "Generating the JVM TI boundary from spec/jvmti.def")
add_custom_target(generated DEPENDS ${GENERATED_FILES})
set(GENERATED_SOURCES ${GEN_DIR}/jvmti_gen.c ${GEN_DIR}/jvmti.h)
