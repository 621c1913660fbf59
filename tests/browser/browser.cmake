# report_in_browser: the pages of `transept report` in a headless Chromium. It needs node, npm, a Chromium (Debian:
# chromium) and the script of reports; where one is missing it reports itself as skipped.
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

if(browser_because)
  message(STATUS "report_in_browser will be skipped: ${browser_because}")
  add_test(NAME report_in_browser COMMAND ${CMAKE_COMMAND} -E echo "SKIPPED: ${browser_because}")
  set_tests_properties(report_in_browser PROPERTIES SKIP_REGULAR_EXPRESSION "SKIPPED: ")
else()
  # Modules are looked for beside the script that asks for them.
  add_custom_command(OUTPUT ${browser_build}/report_page.mjs
    COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_CURRENT_LIST_DIR}/report_page.mjs ${browser_build}/report_page.mjs
    DEPENDS ${CMAKE_CURRENT_LIST_DIR}/report_page.mjs VERBATIM)
  add_custom_target(report_page ALL DEPENDS ${browser_build}/report_page.mjs)
  add_test(NAME report_in_browser
    COMMAND ${NODE_PROGRAM} ${browser_build}/report_page.mjs $<TARGET_FILE:transept> ${CHROMIUM_PROGRAM})
  set_tests_properties(report_in_browser PROPERTIES TIMEOUT 300)
endif()
