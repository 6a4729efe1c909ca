/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.files.work;

import java.nio.file.Path;
import org.rocksdbffm.jmh.files.store.FileRows;
import org.rocksdbffm.jmh.files.store.FileStore;
import org.rocksdbffm.jmh.files.store.FileStores;

/** Reads a WAL from its start to its end. */
final class TailWork implements RepeatedFileWork {
  private final String engine;
  private final Path database;
  private final FileRows rows;
  private FileStore store;

  TailWork(String engine, Path folder, int mib, int valueSize) {
    this.engine = engine;
    this.database = folder.resolve("db");
    this.rows = FileRows.ofSize(mib, valueSize);
  }

  @Override
  public void prepare() throws Exception {
    store = FileStores.open(engine, database);
    store.putAll(rows, ApplyWork.BATCH);
  }

  @Override
  public double run() throws Exception {
    return store.tail().bytes() / FolderNames.MIB;
  }

  @Override
  public long checksum() throws Exception {
    FileStore.Tail tail = store.tail();
    return tail.bytes() + tail.sum();
  }

  @Override
  public void close() {
    store.close();
  }
}
