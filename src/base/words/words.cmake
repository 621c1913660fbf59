# Catalogues of GNU gettext travel inside the program: `words_text` receives a source for each.
find_program(MSGFMT_PROGRAM msgfmt)
if(NOT MSGFMT_PROGRAM)
  message(FATAL_ERROR "msgfmt is missing: install the package gettext (tools/install-packages)")
endif()
set(words_build ${CMAKE_CURRENT_BINARY_DIR}/words)
file(MAKE_DIRECTORY ${words_build})
add_custom_command(OUTPUT ${words_build}/words_german.c
  COMMAND ${MSGFMT_PROGRAM} --check-format --output-file=${words_build}/de.mo ${CMAKE_CURRENT_LIST_DIR}/de.po
  COMMAND ${CMAKE_COMMAND} -DTEXT=${words_build}/de.mo -DNAME=words_german -DHEADER=src/base/words/catalogue.h
    -DOUTPUT=${words_build}/words_german.c -P ${PROJECT_SOURCE_DIR}/rooms/embed_text.cmake
  DEPENDS ${CMAKE_CURRENT_LIST_DIR}/de.po ${PROJECT_SOURCE_DIR}/rooms/embed_text.cmake VERBATIM)
set(words_text ${words_build}/words_german.c)
