# Every command of every page that has one; each page is a test of its own.
find_package(Python3 3.11 COMPONENTS Interpreter)
set(run_page ${CMAKE_CURRENT_LIST_DIR}/run_page)
if(NOT Python3_Interpreter_FOUND)
  add_test(NAME pages COMMAND ${CMAKE_COMMAND} -E echo "SKIPPED: no Python 3.11")
  set_tests_properties(pages PROPERTIES SKIP_REGULAR_EXPRESSION "SKIPPED: ")
  return()
endif()
add_test(NAME pages COMMAND ${Python3_EXECUTABLE} ${run_page} $<TARGET_FILE:transept> --lists)
add_test(NAME page_help COMMAND ${Python3_EXECUTABLE} ${run_page} $<TARGET_FILE:transept> --help)
file(GLOB pages RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/rooms/*.md ${PROJECT_SOURCE_DIR}/src/manual/*.md)
foreach(page IN LISTS pages)
  file(STRINGS ${PROJECT_SOURCE_DIR}/${page} commands REGEX "^ *```sh|`transept [a-z]+ " LIMIT_COUNT 1)
  if(commands AND NOT page STREQUAL "src/manual/machine.md") # test_machine
    string(REGEX REPLACE "[/.]" "_" name ${page})
    add_test(NAME page_${name} COMMAND ${Python3_EXECUTABLE} ${run_page} $<TARGET_FILE:transept> ${page})
    # They show octaves from rays.
    if(NOT embree_FOUND AND page MATCHES "^(README|rooms/TUTORIAL|src/manual/rays).md$")
      set_tests_properties(page_${name} PROPERTIES DISABLED ON)
    endif()
    set_tests_properties(page_${name} PROPERTIES TIMEOUT ${test_limit})
  endif()
endforeach()
