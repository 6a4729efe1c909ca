/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.files.work;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.rocksdbffm.jmh.files.store.FileRows;
import org.rocksdbffm.jmh.files.store.FileStore;
import org.rocksdbffm.jmh.files.store.FileStores;

/** Makes backups: each in a new folder, or all in one folder, with some rows overwritten before each backup. */
final class BackupWork implements RepeatedFileWork {
  private static final int VALUE = 4096;
  private static final int FILES = 16;
  private static final int SHARE = 100;

  private final String engine;
  private final int mib;
  private final boolean first;
  private final Path database;
  private final FolderNames folders;
  private FileStore store;

  BackupWork(String engine, Path folder, int mib, boolean first) {
    this.engine = engine;
    this.mib = mib;
    this.first = first;
    this.database = folder.resolve("db");
    this.folders = new FolderNames(folder);
  }

  /** Creates a database of a size, with several table files. */
  static FileStore written(String engine, Path folder, int mib) throws Exception {
    FileStore store = FileStores.open(engine, folder);
    FileRows rows = FileRows.ofSize(mib, VALUE);
    for (int row = 0; row < rows.count(); row++) {
      store.put(rows.key(row), rows.value(row));
      if (row % (rows.count() / FILES + 1) == 0) {
        store.flush();
      }
    }
    store.flush();
    return store;
  }

  @Override
  public void prepare() throws Exception {
    store = written(engine, database, mib);
    newFolder();
    if (!first) {
      store.backup(folders.last());
    }
  }

  private void newFolder() throws IOException {
    Files.createDirectory(folders.next()); // required by rocksdbjni
  }

  @Override
  public void before() throws Exception {
    if (!first) {
      FileRows rows = FileRows.ofSize(mib, VALUE);
      for (int row = 0; row < rows.count() / SHARE; row++) {
        store.put(rows.key(row), rows.value(row + 1));
      }
      store.flush();
    }
  }

  @Override
  public double run() throws Exception {
    store.backup(folders.last());
    return first ? mib : 1;
  }

  @Override
  public void after() throws IOException {
    if (first) {
      FolderNames.delete(folders.last());
      newFolder();
    }
  }

  @Override
  public long checksum() throws Exception {
    before();
    run();
    Path backups = folders.last();
    Path target = folders.next();
    FileStores.restore(engine, backups, target);
    try (FileStore restored = FileStores.open(engine, target)) {
      return restored.sum();
    }
  }

  @Override
  public void close() {
    store.close();
  }
}
