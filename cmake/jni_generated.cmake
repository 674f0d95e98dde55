# The list of JNI functions and the layer that watches calls, generated from spec/jni.def. After jvmti_generated.

set(JNI_GENERATOR ${CMAKE_SOURCE_DIR}/spec/gen_jni.py)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${JNI_GENERATOR})
execute_process(COMMAND ${Python3_EXECUTABLE} ${JNI_GENERATOR} --outputs
                OUTPUT_VARIABLE names OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "\n" ";" names "${names}")
list(TRANSFORM names PREPEND ${GEN_DIR}/ OUTPUT_VARIABLE JNI_GENERATED_FILES)
add_custom_command(OUTPUT ${JNI_GENERATED_FILES}
    COMMAND ${Python3_EXECUTABLE} ${JNI_GENERATOR} ${CMAKE_SOURCE_DIR}/spec/jni.def ${GEN_DIR}
    DEPENDS ${JNI_GENERATOR} ${CMAKE_SOURCE_DIR}/spec/jni.def
    COMMENT "Generating the watched JNI table from spec/jni.def")
add_custom_target(generated_jni DEPENDS ${JNI_GENERATED_FILES})
add_dependencies(generated generated_jni)
list(APPEND GENERATED_SOURCES ${GEN_DIR}/jni_watch_gen.c ${GEN_DIR}/jni_gen.h)
