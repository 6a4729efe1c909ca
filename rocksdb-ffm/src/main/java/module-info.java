/** RocksDB for Java on the Foreign Function and Memory API. */
@SuppressWarnings("module") // the drop-in is compiled after this
module org.rocksdbffm {
  exports org.rocksdbffm;
  exports org.rocksdbffm.internal to org.rocksdbffm.compat;
  exports org.rocksdbffm.internal.loader to org.rocksdbffm.compat;
}
