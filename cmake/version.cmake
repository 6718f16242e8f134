# generated/version_generated.hpp: what `unbarred --version` and provenance.json say. The git state is read at every
# build, and the file is rewritten only when it changed.
add_custom_target(unbarred_version ALL
  COMMAND ${CMAKE_COMMAND}
    -DSOURCE_DIR=${CMAKE_SOURCE_DIR} -DOUTPUT=${CMAKE_BINARY_DIR}/generated/git_version.hpp
    -P ${CMAKE_SOURCE_DIR}/cmake/write_git_version.cmake
  BYPRODUCTS ${CMAKE_BINARY_DIR}/generated/git_version.hpp
  COMMENT "Reading the git version")
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/generated)
set_property(SOURCE ${CMAKE_SOURCE_DIR}/src/app/version.cpp APPEND PROPERTY COMPILE_DEFINITIONS
  UNBARRED_VERSION="${PROJECT_VERSION}" UNBARRED_SCOTCH_VERSION="${SCOTCH_VERSION}")
