# The pages of `transept report` and `transept studio` in a headless Chromium. These tests need node, npm, a Chromium (Debian: chromium) and
# the script of reports; where one is missing they report themselves as skipped.
find_program(CHROMIUM_PROGRAM NAMES chromium chromium-browser google-chrome)
set(browser_build ${CMAKE_CURRENT_BINARY_DIR}/browser)
set(browser_because)
if(NOT TRANSEPT_REPORT_BUNDLED)
  set(browser_because "the script of reports is not bundled")
elseif(NOT CHROMIUM_PROGRAM)
  set(browser_because "there is no Chromium")
else()
  file(SHA256 ${CMAKE_CURRENT_LIST_DIR}/package-lock.json browser_lock)
  if(NOT EXISTS ${browser_build}/fetched-${browser_lock})
    file(COPY ${CMAKE_CURRENT_LIST_DIR}/package.json ${CMAKE_CURRENT_LIST_DIR}/package-lock.json
         ${CMAKE_CURRENT_LIST_DIR}/.npmrc DESTINATION ${browser_build})
    execute_process(COMMAND ${NPM_PROGRAM} ci --fetch-retries=1 --fetch-timeout=20000
      WORKING_DIRECTORY ${browser_build} TIMEOUT 180 RESULT_VARIABLE browser_status OUTPUT_QUIET ERROR_QUIET)
    if(browser_status EQUAL 0)
      file(TOUCH ${browser_build}/fetched-${browser_lock})
    else()
      set(browser_because "npm ci could not fetch its packages (${browser_status})")
    endif()
  endif()
endif()

# Each NAME.mjs here is a test of its own, and trial.mjs is what they share: modules are looked for
# beside the script that asks for them.
file(GLOB browser_scripts RELATIVE ${CMAKE_CURRENT_LIST_DIR} CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.mjs)
set(browser_copies)
if(NOT browser_because)
  foreach(script IN LISTS browser_scripts)
    add_custom_command(OUTPUT ${browser_build}/${script}
      COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_CURRENT_LIST_DIR}/${script} ${browser_build}/${script}
      DEPENDS ${CMAKE_CURRENT_LIST_DIR}/${script} VERBATIM)
    list(APPEND browser_copies ${browser_build}/${script})
  endforeach()
  add_custom_target(report_page ALL DEPENDS ${browser_copies})
endif()

function(browser_test name script)
  if(browser_because)
    message(STATUS "${name} will be skipped: ${browser_because}")
    add_test(NAME ${name} COMMAND ${CMAKE_COMMAND} -E echo "SKIPPED: ${browser_because}")
    set_tests_properties(${name} PROPERTIES SKIP_REGULAR_EXPRESSION "SKIPPED: ")
  else()
    add_test(NAME ${name}
      COMMAND ${NODE_PROGRAM} ${browser_build}/${script} $<TARGET_FILE:transept> ${CHROMIUM_PROGRAM})
    set_tests_properties(${name} PROPERTIES TIMEOUT 300)
    # A program of that name, for tools/plant-faults.
    file(GENERATE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${name}
      CONTENT "#!/bin/sh\nexec ${NODE_PROGRAM} ${browser_build}/${script} $<TARGET_FILE:transept> ${CHROMIUM_PROGRAM}\n"
      FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
    add_custom_target(${name} DEPENDS transept ${browser_copies})
  endif()
endfunction()

browser_test(report_in_browser report_page.mjs)
browser_test(leak_paths_in_browser leak_paths.mjs)
browser_test(room_in_browser room_view.mjs)
browser_test(access_in_browser access.mjs)
browser_test(two_runs_in_browser two_runs.mjs)
browser_test(curves_in_browser curves.mjs)
browser_test(abx_in_browser abx.mjs)
set_tests_properties(abx_in_browser PROPERTIES ENVIRONMENT ABX_TOOLS=${PROJECT_SOURCE_DIR}/tools)
if(MICROHTTPD_FOUND)
  browser_test(studio_in_browser studio_page.mjs)
  set_tests_properties(studio_in_browser PROPERTIES TIMEOUT 900)
  browser_test(studio_room_in_browser studio_room.mjs)
  browser_test(studio_access_in_browser studio_access.mjs)
  browser_test(studio_results_in_browser studio_results.mjs)
  set_tests_properties(studio_room_in_browser studio_access_in_browser studio_results_in_browser PROPERTIES TIMEOUT 600)
endif()
