/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.rocksdbffm.compat.support.EncryptedFiles;
import org.rocksdbffm.compat.support.Errors;

/**
 * SST files to be ingested. If the database's files are encrypted, plain files are replaced by encrypted copies, which
 * are deleted when this is closed.
 */
final class IngestedTables implements AutoCloseable {
  private final String[] paths;
  private final List<Path> plain = new ArrayList<>();
  private final List<Path> copies = new ArrayList<>();

  private IngestedTables(String[] paths) {
    this.paths = paths;
  }

  /** Copies plain files into the folder of a database. */
  static IngestedTables of(String[] files, String folder) throws RocksDBException {
    IngestedTables tables = new IngestedTables(files.clone());
    try {
      for (int i = 0; i < files.length; i++) {
        Path file = Path.of(files[i]);
        Path copy = EncryptedFiles.copyOfPlain(file, folder);
        if (copy != null) {
          tables.plain.add(file);
          tables.copies.add(copy);
          tables.paths[i] = copy.toString();
        }
      }
      return tables;
    } catch (Throwable e) {
      tables.close();
      throw e;
    }
  }

  /** Returns the files that the engine can read, in the given order. */
  String[] paths() {
    return paths;
  }

  /** Deletes the plain files, after an ingestion that moves files. */
  void deletePlain() throws RocksDBException {
    delete(plain);
  }

  private static void delete(List<Path> files) throws RocksDBException {
    try {
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw Errors.of(Status.Code.IOError, e.toString());
    }
  }

  @Override
  public void close() throws RocksDBException {
    delete(copies);
  }
}
