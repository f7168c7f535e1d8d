# cmake -DSPIRV_OPT=<spirv-opt> -DFOLDER=<folder> -DSYMBOLS=<symbol>,<symbol>... -P VkprimShorten.cmake
#
# Takes names and functions that nothing calls out of the modules <folder>/binary/<symbol>.comp.spv, a fifth of their size, and writes their
# words as those of an array, <folder>/<symbol>.comp.spv. No instruction that runs is changed: other passes lose NoContraction, and with it
# the order of float operations.
set(passes --strip-debug --eliminate-dead-functions --compact-ids)
string(REPLACE "," ";" symbols "${SYMBOLS}")
foreach(symbol IN LISTS symbols)
    set(module "${FOLDER}/binary/${symbol}.comp.spv")
    set(short "${FOLDER}/binary/${symbol}.short.spv")
    execute_process(COMMAND "${SPIRV_OPT}" ${passes} "${module}" -o "${short}" COMMAND_ERROR_IS_FATAL ANY)
    file(READ "${short}" words HEX)
    string(REGEX REPLACE "(..)(..)(..)(..)" "0x\\4\\3\\2\\1," words "${words}")
    string(REGEX REPLACE "(...........,...........,...........,...........,...........,...........,...........,...........,)" "\\1\n" words "${words}")
    file(WRITE "${FOLDER}/${symbol}.comp.spv" "${words}\n")
endforeach()
