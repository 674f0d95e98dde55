# What C memory is for (base/memory.def), by the room that takes it; a file's row comes before its room's.
set(MEMORY_BY_PLACE
    src/base                        INTERNAL
    src/base/flags.c                ARGUMENTS
    src/base/jimage.c               CLASS_LIBRARY
    src/base/log.c                  LOGGING
    src/base/log_config.c           LOGGING
    src/base/options.c              ARGUMENTS
    src/base/options_flag.c         ARGUMENTS
    src/base/options_missed.c       ARGUMENTS
    src/base/options_settle.c       ARGUMENTS
    src/base/options_x.c            ARGUMENTS
    src/base/symbol.c               SYMBOL
    src/base/zip.c                  CLASS_LIBRARY
    src/classfile                   CLASS
    src/exec                        INTERNAL
    src/heap                        GC
    src/hprof                       SERVICEABILITY
    src/inspect                     SERVICEABILITY
    src/jdk                         INTERNAL
    src/jdk/jdk_internal_misc_Unsafe.c OTHER
    src/jdk/upcall_stub.c           CODE
    src/jit                         COMPILER
    src/jit/cache.c                 CODE
    src/jni                         INTERNAL
    src/jvmpi                       SERVICEABILITY
    src/jvmti                       SERVICEABILITY
    src/link                        CLASS
    src/link/module.c               MODULE
    src/link/string.c               SYMBOL
    src/probe                       SERVICEABILITY
    src/thread                      THREAD
    src/thread/monitor.c            OBJECT_MONITORS
    src/thread/monitor_table.c      OBJECT_MONITORS
    src/verify                      CLASS
    src/vm                          INTERNAL)

# Defines MEMORY_OF, which base/alloc.h reads, for each of the sources.
function(set_memory_categories)
    list(LENGTH MEMORY_BY_PLACE count)
    math(EXPR last "${count} / 2 - 1")
    foreach(i RANGE ${last})
        math(EXPR at "${i} * 2")
        math(EXPR next "${at} + 1")
        list(GET MEMORY_BY_PLACE ${at} place)
        list(GET MEMORY_BY_PLACE ${next} category)
        set(category_of_${place} ${category})
        if(NOT EXISTS ${CMAKE_SOURCE_DIR}/${place})
            message(FATAL_ERROR "cmake/memory.cmake: there is no ${place}")
        endif()
    endforeach()
    foreach(source ${ARGN})
        file(RELATIVE_PATH path ${CMAKE_SOURCE_DIR} ${source})
        if(NOT path MATCHES "^(src/[a-z]+)/.*[.]c$")
            continue()
        endif()
        set(category ${category_of_${path}})
        if(NOT category)
            set(category ${category_of_${CMAKE_MATCH_1}})
        endif()
        if(NOT category)
            message(FATAL_ERROR "cmake/memory.cmake: what is the memory of ${CMAKE_MATCH_1} for?")
        endif()
        set_property(SOURCE ${source} APPEND PROPERTY COMPILE_DEFINITIONS MEMORY_OF=MEMORY_${category})
    endforeach()
endfunction()
