# The style and the templates of reports travel inside the program, and so does their script where Node can bundle it: `report_text`
# receives the sources. The packages are those of package-lock.json, fetched once while configuring.
#
#   TRANSEPT_REPORT_SCRIPT=auto   bundle it where npm is there and finds the packages, else do without (the default)
#   TRANSEPT_REPORT_SCRIPT=on     fail where that does not work
#   TRANSEPT_REPORT_SCRIPT=off    reports keep to static pictures
set(TRANSEPT_REPORT_SCRIPT auto CACHE STRING "bundle the script of reports with Node: auto, on or off")

function(embed_report_text text name output)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DTEXT=${text} -DNAME=${name} -DHEADER=src/present/report/report_text.h -DOUTPUT=${output}
      -P ${PROJECT_SOURCE_DIR}/rooms/embed_text.cmake
    DEPENDS ${text} ${PROJECT_SOURCE_DIR}/rooms/embed_text.cmake VERBATIM)
endfunction()

set(report_sources ${CMAKE_CURRENT_LIST_DIR})
set(report_absent ${CMAKE_CURRENT_LIST_DIR}/../report_script_absent.c)
set(report_build ${CMAKE_CURRENT_BINARY_DIR}/report)
embed_report_text(${report_sources}/page.css report_style ${CMAKE_CURRENT_BINARY_DIR}/report_style.c)
set(report_text ${CMAKE_CURRENT_BINARY_DIR}/report_style.c)
file(GLOB report_templates CONFIGURE_DEPENDS ${report_sources}/../templates/*.html)
foreach(template IN LISTS report_templates)
  get_filename_component(name ${template} NAME_WE)
  embed_report_text(${template} report_${name}_html ${CMAKE_CURRENT_BINARY_DIR}/report_${name}_html.c)
  list(APPEND report_text ${CMAKE_CURRENT_BINARY_DIR}/report_${name}_html.c)
endforeach()

# ---- the packages ----

set(report_because "TRANSEPT_REPORT_SCRIPT is off")
set(report_bundled FALSE)
if(NOT TRANSEPT_REPORT_SCRIPT STREQUAL off)
  find_program(NPM_PROGRAM npm)
  find_program(NODE_PROGRAM NAMES node nodejs)
  if(NOT NPM_PROGRAM OR NOT NODE_PROGRAM)
    set(report_because "node or npm is missing")
  else()
    file(SHA256 ${report_sources}/package-lock.json report_lock)
    set(report_stamp ${report_build}/fetched-${report_lock})
    if(NOT EXISTS ${report_stamp})
      file(COPY ${report_sources}/package.json ${report_sources}/package-lock.json ${report_sources}/.npmrc
           DESTINATION ${report_build})
      execute_process(COMMAND ${NPM_PROGRAM} ci --fetch-retries=1 --fetch-timeout=20000
        WORKING_DIRECTORY ${report_build} TIMEOUT 180
        RESULT_VARIABLE report_status OUTPUT_QUIET ERROR_QUIET)
      if(report_status EQUAL 0)
        file(TOUCH ${report_stamp})
      endif()
    endif()
    if(EXISTS ${report_stamp})
      set(report_bundled TRUE)
    else()
      set(report_because "npm ci could not fetch the packages (${report_status})")
    endif()
  endif()
endif()

set(TRANSEPT_REPORT_BUNDLED ${report_bundled} CACHE INTERNAL "is the script of reports bundled")

# ---- the script ----

if(report_bundled)
  # Modules are bundled where they lie, since those of the room are also the studio's.
  file(GLOB report_modules CONFIGURE_DEPENDS ${report_sources}/*.js ${report_sources}/../../room/*.js)
  # Licences of what is bundled stand at its end, as they ask for.
  set(report_licences)
  foreach(package three)
    file(READ ${report_build}/node_modules/${package}/LICENSE licence)
    string(REPLACE "*/" "* /" licence "${licence}")
    string(APPEND report_licences "/*! ${package}\n\n${licence}*/\n")
  endforeach()
  file(CONFIGURE OUTPUT ${report_build}/licences.js CONTENT "@report_licences@export const licences = true;\n" @ONLY)
  add_custom_command(OUTPUT ${report_build}/bundled/report.js
    COMMAND ${CMAKE_COMMAND} -E env NODE_PATH=${report_build}/node_modules
      ${NODE_PROGRAM} ${report_build}/node_modules/esbuild/bin/esbuild ${report_sources}/main.js --bundle --minify
      --format=iife --target=es2020 --loader:.css=text --inject:${report_build}/licences.js --legal-comments=eof
      --log-level=warning --outfile=${report_build}/bundled/report.js
    DEPENDS ${report_modules} ${report_stamp} VERBATIM)
  embed_report_text(${report_build}/bundled/report.js report_script ${CMAKE_CURRENT_BINARY_DIR}/report_script.c)
  list(APPEND report_text ${CMAKE_CURRENT_BINARY_DIR}/report_script.c)
  message(STATUS "reports: their script is bundled")
elseif(TRANSEPT_REPORT_SCRIPT STREQUAL on)
  message(FATAL_ERROR "TRANSEPT_REPORT_SCRIPT=on, but ${report_because}")
else()
  list(APPEND report_text ${report_absent})
  message(STATUS "reports: static pictures, since ${report_because}")
endif()
