/** RocksDB for Java on the Foreign Function and Memory API. */
module org.rocksdbffm {
  exports org.rocksdbffm;
}
