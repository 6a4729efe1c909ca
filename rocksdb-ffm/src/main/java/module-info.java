/** RocksDB for Java on the Foreign Function and Memory API. */
@SuppressWarnings("module") // the modules of the qualified exports are compiled later
module org.rocksdbffm {
  requires static jdk.jfr; // without it, nothing is recorded

  uses org.rocksdbffm.internal.loader.NativeModule; // so the native jars are resolved with this module
  uses org.rocksdbffm.internal.watch.Monitor;

  exports org.rocksdbffm;
  exports org.rocksdbffm.reports;
  exports org.rocksdbffm.internal.c to org.rocksdbffm.compat;
  exports org.rocksdbffm.internal.call to org.rocksdbffm.compat;
  exports org.rocksdbffm.internal.callback to org.rocksdbffm.compat;
  exports org.rocksdbffm.internal.exit to org.rocksdbffm.compat;
  exports org.rocksdbffm.internal.files to org.rocksdbffm.compat, org.rocksdbffm.archive;
  exports org.rocksdbffm.internal.folder to org.rocksdbffm.compat, org.rocksdbffm.archive;
  exports org.rocksdbffm.internal.foreign to org.rocksdbffm.compat, org.rocksdbffm.netty;
  exports org.rocksdbffm.internal.format to org.rocksdbffm.compat, org.rocksdbffm.archive;
  exports org.rocksdbffm.internal.handoff to org.rocksdbffm.netty;
  exports org.rocksdbffm.internal.jfr to org.rocksdbffm.compat;
  exports org.rocksdbffm.internal.leak to org.rocksdbffm.compat;
  exports org.rocksdbffm.internal.lifetime to org.rocksdbffm.compat;
  exports org.rocksdbffm.internal.loader to
      org.rocksdbffm.compat,
      org.rocksdbffm.natives,
      org.rocksdbffm.natives.linux_x86_64,
      org.rocksdbffm.natives.linux_x86_64_musl,
      org.rocksdbffm.natives.linux_aarch_64,
      org.rocksdbffm.natives.linux_aarch_64_musl,
      org.rocksdbffm.natives.linux_riscv64,
      org.rocksdbffm.natives.linux_riscv64_musl,
      org.rocksdbffm.natives.linux_ppcle_64,
      org.rocksdbffm.natives.linux_ppcle_64_musl,
      org.rocksdbffm.natives.linux_s390_64,
      org.rocksdbffm.natives.linux_s390_64_musl,
      org.rocksdbffm.natives.osx_x86_64,
      org.rocksdbffm.natives.osx_aarch_64;
  exports org.rocksdbffm.internal.options to org.rocksdbffm.compat;
  exports org.rocksdbffm.internal.options.table to org.rocksdbffm.compat;
  exports org.rocksdbffm.internal.read to org.rocksdbffm.compat;
  exports org.rocksdbffm.internal.scan to org.rocksdbffm.compat;
  exports org.rocksdbffm.internal.settings to org.rocksdbffm.compat;
  exports org.rocksdbffm.internal.watch to org.rocksdbffm.compat, org.rocksdbffm.metrics, org.rocksdbffm.archive;
}
