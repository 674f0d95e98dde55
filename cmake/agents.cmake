# add_agent(<name> <output directory> <source>...): lib<name>.so that sees only the public headers.

function(add_agent name directory)
    add_library(${name} SHARED ${ARGN})
    target_link_libraries(${name} PRIVATE warning_flags)
    target_compile_options(${name} PRIVATE -fvisibility=hidden)
    target_include_directories(${name} PRIVATE ${GEN_DIR} ${CMAKE_SOURCE_DIR}/include ${JNI_INCLUDE_DIRS})
    target_link_options(${name} PRIVATE -Wl,-z,relro,-z,now,-z,noexecstack)
    target_link_libraries(${name} PRIVATE pthread)
    set_target_properties(${name} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${directory})
    add_dependencies(${name} generated)
endfunction()
