# Embeds files in a program. limber_embed() writes them into a source at build time:
#
#   limber_embed(limber_bench report bench/report page.css page.js)
# defines limber::embedded::report("page.css"), which returns a std::string_view; empty for an unknown name. Run as a
# script (cmake -P), it writes the source.

if(CMAKE_SCRIPT_MODE_FILE)
  set(arrays "")
  set(cases "")
  set(k 0)
  separate_arguments(FILES)
  foreach(file IN LISTS FILES)
    file(READ ${FOLDER}/${file} bytes HEX)
    string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")  # short lines
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
    string(APPEND arrays "constexpr char file_${k}[] = {${bytes}};\n")
    string(APPEND cases "  if (name == \"${file}\") return {file_${k}, sizeof file_${k}};\n")
    math(EXPR k "${k} + 1")
  endforeach()
  file(WRITE ${OUT}
    "#include <string_view>\n\nnamespace limber::embedded {\n\nstd::string_view ${NAME}(std::string_view name);\n\n"
    "namespace {\n\n${arrays}\n}  // namespace\n\n"
    "std::string_view ${NAME}(std::string_view name) {\n${cases}  return {};\n}\n\n}  // namespace limber::embedded\n")
  return()
endif()

set(limber_embed_script ${CMAKE_CURRENT_LIST_FILE})

function(limber_embed target name folder)
  set(out ${PROJECT_BINARY_DIR}/embedded/${name}.cpp)
  list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/${folder}/ OUTPUT_VARIABLE files)
  list(JOIN ARGN " " list)
  add_custom_command(OUTPUT ${out} DEPENDS ${files} ${limber_embed_script} VERBATIM
    COMMAND ${CMAKE_COMMAND} -D NAME=${name} -D FOLDER=${PROJECT_SOURCE_DIR}/${folder} "-DFILES=${list}" -D OUT=${out}
            -P ${limber_embed_script}
    COMMENT "Embedding ${folder}")
  target_sources(${target} PRIVATE ${out})
  set_source_files_properties(${out} PROPERTIES SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
