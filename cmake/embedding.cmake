# What a program that embeds the VM finds it by: build/cmake/vitrine-config.cmake and build/pkgconfig/vitrine.pc.
set(VITRINE_LIBRARY_DIR ${CMAKE_BINARY_DIR})
set(VITRINE_INCLUDE_DIRS ${GEN_DIR})
configure_file(${CMAKE_SOURCE_DIR}/cmake/vitrine-config.cmake.in ${CMAKE_BINARY_DIR}/cmake/vitrine-config.cmake @ONLY)
configure_file(${CMAKE_SOURCE_DIR}/cmake/vitrine.pc.in ${CMAKE_BINARY_DIR}/pkgconfig/vitrine.pc @ONLY)
