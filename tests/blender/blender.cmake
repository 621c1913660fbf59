# The add-on of tools/blender: its words without Blender, and all of it in a headless Blender (Debian: blender), without
# which that test reports itself as skipped.
find_program(PYTHON_PROGRAM NAMES python3)
find_program(BLENDER_PROGRAM NAMES blender)
set(blender_build ${CMAKE_CURRENT_BINARY_DIR}/blender)

if(PYTHON_PROGRAM)
  add_test(NAME blender_addon_words
    COMMAND ${PYTHON_PROGRAM} ${CMAKE_CURRENT_LIST_DIR}/addon_words.py $<TARGET_FILE:transept>)
  set_tests_properties(blender_addon_words PROPERTIES TIMEOUT 300)
  # A program of that name, for tools/plant-faults.
  file(GENERATE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/blender_addon_words
    CONTENT "#!/bin/sh\nexec ${PYTHON_PROGRAM} ${CMAKE_CURRENT_LIST_DIR}/addon_words.py $<TARGET_FILE:transept>\n"
    FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  add_custom_target(blender_addon_words DEPENDS transept)
endif()

if(NOT BLENDER_PROGRAM)
  message(STATUS "blender_addon will be skipped: there is no Blender")
  add_test(NAME blender_addon COMMAND ${CMAKE_COMMAND} -E echo "SKIPPED: there is no Blender")
  set_tests_properties(blender_addon PROPERTIES SKIP_REGULAR_EXPRESSION "SKIPPED: ")
else()
  # A folder of its own for Blender's settings, so that those of whoever runs the tests stay as they are.
  file(GENERATE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/addon_in_blender CONTENT
"#!/bin/sh
rm -rf '${blender_build}' && mkdir -p '${blender_build}/settings' || exit 2
export BLENDER_USER_RESOURCES='${blender_build}/settings' OMP_WAIT_POLICY=passive
exec '${BLENDER_PROGRAM}' -b --factory-startup --python '${CMAKE_CURRENT_LIST_DIR}/addon_in_blender.py' -- \\
    '$<TARGET_FILE:transept>' '${TRANSEPT_BLENDER_ADDON}' '${blender_build}' \"$@\"
" FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  add_test(NAME blender_addon COMMAND ${CMAKE_CURRENT_BINARY_DIR}/addon_in_blender)
  # Blender's own status is 0 whatever a script does.
  set_tests_properties(blender_addon PROPERTIES TIMEOUT 600 PASS_REGULAR_EXPRESSION "PASSED: the add-on in Blender")
  add_custom_target(addon_in_blender DEPENDS transept blender_addon)
endif()
