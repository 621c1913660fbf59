# What Debian asks of pages and changelogs: compressed, without times; and of libraries: no symbols but those that are
# needed. Run by cpack when all is installed.
file(GLOB_RECURSE libraries ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/lib/*.so)
foreach(library ${libraries})
  execute_process(COMMAND strip --strip-unneeded ${library} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
file(GLOB pages ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share/man/man1/*.1)
file(COPY ${CPACK_TOPLEVEL_DIRECTORY}/../../../deb/changelog.Debian
     DESTINATION ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share/doc/transept
     FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
execute_process(COMMAND gzip -9nf ${pages} ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share/doc/transept/changelog.Debian
                COMMAND_ERROR_IS_FATAL ANY)
