# Makes `cmake --install` create the jar's content: engine and stubs, their checksums, and the licences.
if(NOT ROCKSDB_FFM_ENGINE)
  message(FATAL_ERROR "A package for ${ROCKSDB_FFM_PLATFORM} needs its engine: set ROCKSDB_FFM_ENGINE.")
endif()

set(natives META-INF/native/${ROCKSDB_FFM_PLATFORM})
set(engine_name librocksdb${CMAKE_SHARED_LIBRARY_SUFFIX})
set(stubs_name librocksdb_ffm${CMAKE_SHARED_LIBRARY_SUFFIX})
set(root ${CMAKE_CURRENT_SOURCE_DIR}/..)

install(FILES ${ROCKSDB_FFM_ENGINE} DESTINATION ${natives} RENAME ${engine_name})
install(FILES $<TARGET_FILE:rocksdb_ffm> DESTINATION ${natives} RENAME ${stubs_name})
set(packed ${engine_name} ${stubs_name})
if(cxx_stubs)
  install(FILES $<TARGET_FILE:rocksdb_ffm_cxx> DESTINATION ${natives})
  list(APPEND packed librocksdb_ffm_cxx${CMAKE_SHARED_LIBRARY_SUFFIX})
endif()
install(FILES ${root}/LICENSE ${root}/NOTICE DESTINATION META-INF)
install(DIRECTORY licenses DESTINATION META-INF)

install(CODE "
  set(sums \"\")
  foreach(name IN ITEMS ${packed})
    file(SHA256 \"\${CMAKE_INSTALL_PREFIX}/${natives}/\${name}\" sum)
    string(APPEND sums \"\${sum}  \${name}\\n\")
  endforeach()
  # Written only if it differs, so that an unchanged build does not change the jar.
  file(CONFIGURE OUTPUT \"\${CMAKE_INSTALL_PREFIX}/${natives}/SHA256SUMS\" CONTENT \"\${sums}\" @ONLY)
")
