# The page of the studio travels inside the program, as the script of reports does, whose packages it shares:
# `studio_text` receives the sources.
set(studio_sources ${CMAKE_CURRENT_LIST_DIR}/page)
set(studio_build ${CMAKE_CURRENT_BINARY_DIR}/studio)

function(embed_studio_text text name)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/studio_page_${name}.c)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DTEXT=${text} -DNAME=studio_page_${name} -DHEADER=src/studio/studio_page.h
      -DOUTPUT=${output} -P ${PROJECT_SOURCE_DIR}/rooms/embed_text.cmake
    DEPENDS ${text} ${PROJECT_SOURCE_DIR}/rooms/embed_text.cmake VERBATIM)
  set(studio_text ${studio_text} ${output} PARENT_SCOPE)
endfunction()

set(studio_text)
embed_studio_text(${studio_sources}/index.html html)
embed_studio_text(${studio_sources}/page.css style)
embed_studio_text(${CMAKE_CURRENT_LIST_DIR}/demo.yaml demo)
if(report_bundled)
  file(GLOB_RECURSE studio_modules CONFIGURE_DEPENDS ${studio_sources}/*.js)
  set(studio_licences)
  foreach(package three preact htm yaml)
    file(READ ${report_build}/node_modules/${package}/LICENSE licence)
    string(REPLACE "*/" "* /" licence "${licence}")
    string(APPEND studio_licences "/*! ${package}\n\n${licence}*/\n")
  endforeach()
  file(CONFIGURE OUTPUT ${studio_build}/licences.js CONTENT "@studio_licences@export const licences = true;\n" @ONLY)
  # Modules are bundled where they lie, since some are those of the report.
  add_custom_command(OUTPUT ${studio_build}/studio.js
    COMMAND ${CMAKE_COMMAND} -E env NODE_PATH=${report_build}/node_modules
      ${NODE_PROGRAM} ${report_build}/node_modules/esbuild/bin/esbuild ${studio_sources}/main.js --bundle --minify
      --format=iife --target=es2020 --inject:${studio_build}/licences.js --legal-comments=eof --log-level=warning
      --outfile=${studio_build}/studio.js
    DEPENDS ${studio_modules} ${report_modules} ${report_stamp} VERBATIM)
  embed_studio_text(${studio_build}/studio.js script)
else()
  list(APPEND studio_text ${CMAKE_CURRENT_LIST_DIR}/studio_page_absent.c)
endif()
