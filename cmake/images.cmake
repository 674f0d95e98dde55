# image-17, image-25 and image (the newest): laid out again whenever libjvm.so or an agent changes, or the JDK is
# upgraded in its place
# (files keep the date they were packed at, their directory does not).

set(IMAGE_FILES "")
foreach(version ${JDK_VERSIONS})
    set(image ${CMAKE_BINARY_DIR}/image-${version})
    add_custom_command(OUTPUT ${image}/lib/server/vitrine
        COMMAND ${CMAKE_SOURCE_DIR}/scripts/make_image.sh ${JDK_${version}} ${CMAKE_BINARY_DIR} ${image}
        DEPENDS jvm ${AGENT_TARGETS} ${JDK_${version}}/lib ${CMAKE_SOURCE_DIR}/scripts/make_image.sh
        COMMENT "Laying out image-${version}")
    list(APPEND IMAGE_FILES ${image}/lib/server/vitrine)
endforeach()
add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/image
    COMMAND ${CMAKE_COMMAND} -E create_symlink image-${JDK_NEWEST} ${CMAKE_BINARY_DIR}/image
    DEPENDS ${IMAGE_FILES} COMMENT "image is image-${JDK_NEWEST}")
add_custom_target(images ALL DEPENDS ${IMAGE_FILES} ${CMAKE_BINARY_DIR}/image)
