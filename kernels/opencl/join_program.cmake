# Joins headers and kernels to one text in OpenCL C, without #include lines.
#   cmake "-DFILES=a.h|b.cl" -DOUTPUT=program.cl -P join_program.cmake
string(REPLACE "|" ";" files "${FILES}")
file(WRITE ${OUTPUT} "")
foreach(file ${files})
  file(READ ${file} text)
  string(REGEX REPLACE "(^|\n)#include [^\n]*" "\\1" text "${text}")
  file(APPEND ${OUTPUT} "${text}\n")
endforeach()
