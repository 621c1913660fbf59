# The Debian package: `cpack -G DEB` in the build folder. It holds all that `cmake --install` installs, whatever its
# component, below /usr; what each library needs is found by dpkg-shlibdeps.
set(TRANSEPT_MAINTAINER "the authors of transept <authors@transept.invalid>" CACHE STRING
  "Who answers for the Debian package: NAME <ADDRESS>")

# Pages keep their places in the tree, so that their links lead on.
install(FILES ${PROJECT_SOURCE_DIR}/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${PROJECT_SOURCE_DIR}/tests/ACCURACY.md DESTINATION ${CMAKE_INSTALL_DOCDIR}/tests)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/manual DESTINATION ${CMAKE_INSTALL_DOCDIR}/src FILES_MATCHING PATTERN "*.md")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/rooms/examples ${PROJECT_SOURCE_DIR}/rooms/pictures
  DESTINATION ${CMAKE_INSTALL_DOCDIR}/rooms)
install(FILES ${PROJECT_SOURCE_DIR}/rooms/TUTORIAL.md ${PROJECT_SOURCE_DIR}/rooms/PROJECT.md
  ${PROJECT_SOURCE_DIR}/rooms/BLENDER.md ${PROJECT_SOURCE_DIR}/rooms/STUDIO.md ${PROJECT_SOURCE_DIR}/rooms/materials.yaml
  DESTINATION ${CMAKE_INSTALL_DOCDIR}/rooms)
install(FILES ${CMAKE_CURRENT_LIST_DIR}/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME transept)
set(CPACK_PACKAGE_CONTACT "${TRANSEPT_MAINTAINER}")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "sound in rooms, from a mesh to impulse responses")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"Transept lets architects and acousticians hear a church before it is built.
It reads a room as an OBJ or glTF mesh with named materials, cuts it into
cells, and solves the wave equation in it by finite differences. The results
are calibrated impulse responses as WAV, SOFA or HDF5 files, the figures of
ISO 3382-1, sounds to listen to, and one page to send to a client. It runs
on the processors or, where it was built with CUDA, on an NVIDIA GPU.")
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
if(TARGET transept_library)
  set(CPACK_DEBIAN_PACKAGE_DEPENDS "python3 (>= 3.9)")
  set(CPACK_DEBIAN_PACKAGE_RECOMMENDS python3-numpy)
endif()
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_STRIP_FILES ON)
# Installed by DESTDIR: what asks for the prefix while it is installed sees /usr.
set(CPACK_SET_DESTDIR ON)
set(CPACK_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/compress.cmake)
# The day of the last change: the same sources give the same package.
execute_process(COMMAND git log -1 --format=%aD WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE TRANSEPT_DATE
                OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  string(TIMESTAMP TRANSEPT_DATE "%a, %d %b %Y %H:%M:%S +0000" UTC)
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/changelog.in ${PROJECT_BINARY_DIR}/deb/changelog.Debian @ONLY)
include(CPack)
