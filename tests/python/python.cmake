# The Python package as a user has it: from the build, and installed to a scratch prefix.
if(NOT TRANSEPT_PYTHON_FOUND)
  add_test(NAME python_package COMMAND ${CMAKE_COMMAND} -E echo "SKIPPED: ${TRANSEPT_PYTHON_TROUBLE}")
  set_tests_properties(python_package PROPERTIES SKIP_REGULAR_EXPRESSION "SKIPPED: ")
  return()
endif()

set(python_environment PYTHONPATH=${TRANSEPT_PYTHON_PATH} PYTHONDONTWRITEBYTECODE=1 OMP_WAIT_POLICY=passive
  TRANSEPT_PROGRAM=$<TARGET_FILE:transept> TRANSEPT_EXAMPLES=${PROJECT_SOURCE_DIR}/src/python/examples
  TRANSEPT_BUILD=${PROJECT_BINARY_DIR})
if(TRANSEPT_SANITIZE) # Python itself is built without
  foreach(name asan ubsan)
    execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=lib${name}.so OUTPUT_VARIABLE path
                    OUTPUT_STRIP_TRAILING_WHITESPACE)
    list(APPEND preloaded ${path})
  endforeach()
  list(JOIN preloaded " " preloaded)
  list(APPEND python_environment "LD_PRELOAD=${preloaded}" ASAN_OPTIONS=detect_leaks=0)
endif()
foreach(name mesh engine run refusals examples installed)
  add_test(NAME python_${name} COMMAND ${TRANSEPT_PYTHON_FOUND} ${CMAKE_CURRENT_LIST_DIR}/test_${name}.py -v)
  set_tests_properties(python_${name} PROPERTIES ENVIRONMENT "${python_environment}" TIMEOUT ${test_limit})
  # A program of that name, for tools/plant-faults: NAME -j1 [--filter=CLASS.TEST].
  list(JOIN python_environment "' '" words)
  file(GENERATE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/python_${name}
    CONTENT "#!/bin/sh\nonly=\${2#--filter=}\nexec env '${words}' ${TRANSEPT_PYTHON_FOUND} ${CMAKE_CURRENT_LIST_DIR}/test_${name}.py \$only\n"
    FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  add_custom_target(python_${name} DEPENDS transept python_package)
endforeach()
# They measure how soon something stops.
set_tests_properties(python_run python_engine PROPERTIES RUN_SERIAL ON)
