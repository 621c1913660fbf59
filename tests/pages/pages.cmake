# Every command of every page; each page is a test of its own.
find_package(Python3 3.11 COMPONENTS Interpreter)
if(NOT Python3_Interpreter_FOUND)
  add_test(NAME pages COMMAND ${CMAKE_COMMAND} -E echo "SKIPPED: no Python 3.11")
  set_tests_properties(pages PROPERTIES SKIP_REGULAR_EXPRESSION "SKIPPED: ")
  return()
endif()
set(run_page ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/run_page $<TARGET_FILE:transept>)
add_test(NAME pages COMMAND ${run_page} --lists)
add_test(NAME page_help COMMAND ${run_page} --help)
execute_process(COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/run_page - --pages
  OUTPUT_VARIABLE pages OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "\n" ";" pages "${pages}")
foreach(page IN LISTS pages)
  string(REGEX REPLACE "[/.]" "_" name ${page})
  add_test(NAME page_${name} COMMAND ${run_page} ${page})
  set_tests_properties(page_${name} PROPERTIES TIMEOUT ${test_limit})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/${page} ${CMAKE_CURRENT_LIST_DIR}/pages.toml)
  # They show octaves from rays.
  if(NOT embree_FOUND AND page MATCHES "^(README|rooms/TUTORIAL|src/manual/rays).md$")
    set_tests_properties(page_${name} PROPERTIES DISABLED ON)
  endif()
endforeach()
