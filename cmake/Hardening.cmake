# The same source gives the same bytes; what the library lacks is found when it is linked; and its
# tables are read-only once it is loaded.
function(link_reproducibly library)
  if(APPLE)
    # Without its symbols for debuggers, which name the builder's folders.
    target_link_options(${library} PRIVATE -Wl,-undefined,error -Wl,-S -Wl,-x)
    set_target_properties(${library} PROPERTIES INSTALL_NAME_DIR @rpath BUILD_WITH_INSTALL_NAME_DIR ON)
    return()
  endif()
  target_link_options(${library} PRIVATE -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack -Wl,--build-id=none)
  # A sanitizer's runtime is in the executable: its symbols are not found when the library is linked.
  if(NOT ROCKSDB_FFM_SANITIZE)
    target_link_options(${library} PRIVATE -Wl,-z,defs -s)
  endif()
endfunction()
