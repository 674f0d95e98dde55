# make install: PREFIX/lib/vitrine (libjvm.so, agents, what lays out images), PREFIX/bin/vitrine, headers, manual pages,
# files for pkg-config and CMake, documents. Everything finds the rest from its own place, so that the tree can be
# moved.
include(GNUInstallDirs)
set(home lib/vitrine)

install(TARGETS jvm ${AGENT_TARGETS} LIBRARY DESTINATION ${home})
install(PROGRAMS scripts/make_image.sh scripts/make_linkable.py DESTINATION ${home})
install(PROGRAMS scripts/vitrine.sh DESTINATION bin RENAME vitrine)

install(FILES include/vitrine.h include/jvmpi.h ${GEN_DIR}/jvmti.h DESTINATION include/vitrine)
if(NOT newest_slot)
    install(FILES ${GEN_DIR}/jni.h DESTINATION include/vitrine)
endif()
set(VITRINE_LIBRARY_DIR "\${pcfiledir}/../vitrine")
set(VITRINE_INCLUDE_DIRS "\${pcfiledir}/../../include/vitrine")
configure_file(cmake/vitrine.pc.in ${CMAKE_BINARY_DIR}/install/vitrine.pc @ONLY)
set(VITRINE_LIBRARY_DIR "\${CMAKE_CURRENT_LIST_DIR}/../../vitrine")
set(VITRINE_INCLUDE_DIRS "\${CMAKE_CURRENT_LIST_DIR}/../../../include/vitrine")
configure_file(cmake/vitrine-config.cmake.in ${CMAKE_BINARY_DIR}/install/vitrine-config.cmake @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/install/vitrine.pc DESTINATION lib/pkgconfig)
install(FILES ${CMAKE_BINARY_DIR}/install/vitrine-config.cmake DESTINATION lib/cmake/vitrine)

function(agent_page name summary source)
    set(page ${CMAKE_BINARY_DIR}/man/vitrine-${name}.7)
    add_custom_command(OUTPUT ${page}
        COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/man
        COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/man/agent_page.py ${name} ${summary}
            ${CMAKE_SOURCE_DIR}/${source} > ${page}
        DEPENDS man/agent_page.py ${source} VERBATIM)
    add_custom_target(page_${name} ALL DEPENDS ${page})
    install(FILES ${page} DESTINATION share/man/man7)
endfunction()
agent_page(hprof "profiler: heap, processor time, monitors" agents/hprof/options.c)
agent_page(histogram "counts objects by class" agents/histogram/options.c)
install(FILES man/vitrine.1 DESTINATION share/man/man1)

file(GLOB documents docs/*.md docs/*.png)
install(FILES README.md LICENSE ${documents} DESTINATION share/doc/vitrine)
install(DIRECTORY examples/embed DESTINATION share/doc/vitrine/examples)
