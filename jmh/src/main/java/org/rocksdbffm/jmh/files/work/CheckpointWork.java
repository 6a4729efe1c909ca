/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.files.work;

import java.io.IOException;
import java.nio.file.Path;
import org.rocksdbffm.jmh.files.store.FileStore;
import org.rocksdbffm.jmh.files.store.FileStores;

/** Makes checkpoints of a database without concurrent writes. */
final class CheckpointWork implements RepeatedFileWork {
  private final String engine;
  private final int mib;
  private final Path database;
  private final FolderNames copies;
  private FileStore store;

  CheckpointWork(String engine, Path folder, int mib) {
    this.engine = engine;
    this.mib = mib;
    this.database = folder.resolve("db");
    this.copies = new FolderNames(folder);
  }

  @Override
  public void prepare() throws Exception {
    store = BackupWork.written(engine, database, mib);
  }

  @Override
  public double run() throws Exception {
    store.checkpoint(copies.next());
    return 1;
  }

  @Override
  public void after() throws IOException {
    FolderNames.delete(copies.last());
  }

  @Override
  public long checksum() throws Exception {
    run();
    try (FileStore copy = FileStores.open(engine, copies.last())) {
      return copy.sum();
    }
  }

  @Override
  public void close() {
    store.close();
  }
}
