# What Debian asks of pages and changelogs: compressed, without times. Run by cpack when all is installed.
file(GLOB pages ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share/man/man1/*.1)
file(COPY ${CPACK_TOPLEVEL_DIRECTORY}/../../../deb/changelog.Debian
     DESTINATION ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share/doc/transept
     FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
execute_process(COMMAND gzip -9nf ${pages} ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share/doc/transept/changelog.Debian
                COMMAND_ERROR_IS_FATAL ANY)
