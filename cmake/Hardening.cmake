# Makes the build reproducible, reports undefined symbols when the library is linked, and makes the
# relocation tables read-only after loading.
function(link_reproducibly library)
  if(APPLE)
    # Removes debug symbols, because they contain the builder's paths.
    target_link_options(${library} PRIVATE -Wl,-undefined,error -Wl,-S -Wl,-x)
    set_target_properties(${library} PROPERTIES INSTALL_NAME_DIR @rpath BUILD_WITH_INSTALL_NAME_DIR ON)
    return()
  endif()
  target_link_options(${library} PRIVATE -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack -Wl,--build-id=none)
  # With sanitizers, symbols are undefined until the executable is linked with their runtime.
  if(NOT ROCKSDB_FFM_SANITIZE)
    target_link_options(${library} PRIVATE -Wl,-z,defs -s)
  endif()
endfunction()
