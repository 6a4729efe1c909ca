# The engine is a published library that is never built here. A wrong path is reported now, instead of
# by the first test that opens the library.
if(ROCKSDB_FFM_ENGINE AND NOT EXISTS "${ROCKSDB_FFM_ENGINE}")
  message(FATAL_ERROR "There is no engine at ${ROCKSDB_FFM_ENGINE}; ROCKSDB_FFM_ENGINE must name a shared librocksdb.")
endif()
if(ROCKSDB_INCLUDE_DIR AND NOT EXISTS "${ROCKSDB_INCLUDE_DIR}/rocksdb/c.h")
  message(FATAL_ERROR "There is no rocksdb/c.h below ${ROCKSDB_INCLUDE_DIR}, which ROCKSDB_INCLUDE_DIR names.")
endif()
