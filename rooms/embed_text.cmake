# Writes a text file into a C file as an array of characters.
#   cmake -DTEXT=materials.yaml -DNAME=material_text -DHEADER=rooms/materials/material_text.h -DOUTPUT=file.c -P embed_text.cmake
file(READ ${TEXT} digits HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," characters "${digits}")
# A line for every 16 characters.
string(REGEX REPLACE "('[^']*',('[^']*',)?('[^']*',)?('[^']*',)?('[^']*',)?('[^']*',)?('[^']*',)?('[^']*',)?)"
       "\\1\n" characters "${characters}")
file(WRITE ${OUTPUT} "#include \"${HEADER}\"\n\nconst char ${NAME}[] = {\n${characters}};\n"
                     "const size_t ${NAME}_bytes = sizeof ${NAME};\n")
