/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.files.work;

import java.nio.file.Path;
import java.util.List;
import org.rocksdbffm.jmh.files.store.FileRows;
import org.rocksdbffm.jmh.files.store.FileStore;
import org.rocksdbffm.jmh.files.store.FileStores;

/** Writes batches from another database's WAL to an empty database. */
final class ApplyWork implements RepeatedFileWork {
  static final int BATCH = 10;

  private final String engine;
  private final FolderNames folders;
  private final FileRows rows;
  private List<byte[]> batches;
  private FileStore store;

  ApplyWork(String engine, Path folder, int mib, int valueSize) {
    this.engine = engine;
    this.folders = new FolderNames(folder);
    this.rows = FileRows.ofSize(mib, valueSize);
  }

  @Override
  public void prepare() throws Exception {
    Path other = folders.next();
    try (FileStore source = FileStores.open(engine, other)) {
      source.putAll(rows, BATCH);
      batches = source.batches();
    }
    FolderNames.delete(other);
  }

  @Override
  public void before() throws Exception {
    store = FileStores.open(engine, folders.next());
  }

  @Override
  public double run() throws Exception {
    store.apply(batches);
    return batches.size();
  }

  @Override
  public void after() throws Exception {
    store.close();
    store = null;
    FolderNames.delete(folders.last());
  }

  @Override
  public long checksum() throws Exception {
    before();
    run();
    return store.sum();
  }

  @Override
  public void close() {
    if (store != null) {
      store.close();
    }
  }
}
