/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.files.work;

import java.io.IOException;
import java.nio.file.Path;
import org.rocksdbffm.jmh.files.store.FileRows;
import org.rocksdbffm.jmh.files.store.FileStore;
import org.rocksdbffm.jmh.files.store.FileStores;

/** Writes table files for ingestion. */
final class TableWork implements RepeatedFileWork {
  private final String engine;
  private final Path database;
  private final FolderNames files;
  private final FileRows rows;
  private final boolean namesAreSynced;
  private FileStore store;

  TableWork(String engine, Path folder, int mib, int valueSize, boolean namesAreSynced) {
    this.engine = engine;
    this.database = folder.resolve("db");
    this.files = new FolderNames(folder);
    this.rows = FileRows.ofSize(mib, valueSize);
    this.namesAreSynced = namesAreSynced;
  }

  @Override
  public void prepare() throws Exception {
    store = FileStores.open(engine, database);
  }

  @Override
  public double run() throws Exception {
    store.writeTable(files.next(), rows);
    if (namesAreSynced) {
      store.syncName(files.last());
    }
    return rows.count();
  }

  @Override
  public void after() throws IOException {
    FolderNames.delete(files.last());
  }

  @Override
  public long checksum() throws Exception {
    run();
    store.ingest(files.last());
    return store.sum();
  }

  @Override
  public void close() {
    store.close();
  }
}
