/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.ingest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.call.Uninterrupted;
import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.folder.FolderPath;
import org.rocksdbffm.internal.format.DatabaseFile;

/**
 * The table files to ingest into a database. For an encrypted database, plain files are replaced by encrypted copies,
 * which are deleted when this is closed.
 */
final class EncryptedTables implements AutoCloseable {
  private final Map<NativeFamily, List<FolderPath>> files = new LinkedHashMap<>();
  private final List<Path> plain = new ArrayList<>();
  private final List<Path> copies = new ArrayList<>();
  private final String tried;

  private EncryptedTables(String tried) {
    this.tried = tried;
  }

  static EncryptedTables of(Database database, Map<NativeFamily, List<FolderPath>> given, String tried) {
    EncryptedTables tables = new EncryptedTables(tried);
    try {
      for (var ofFamily : given.entrySet()) {
        List<FolderPath> readable = new ArrayList<>();
        for (FolderPath file : ofFamily.getValue()) {
          readable.add(tables.readable(database, file));
        }
        tables.files.put(ofFamily.getKey(), readable);
      }
      return tables;
    } catch (IOException e) {
      tables.close();
      throw Status.of(e, tried);
    } catch (Throwable e) {
      tables.close();
      throw e;
    }
  }

  private FolderPath readable(Database database, FolderPath file) throws IOException {
    if (database.encryption() == null || DatabaseFile.keyOf(file.path()) != null) {
      return file;
    }
    plain.add(file.path());
    Path copy = Uninterrupted.run(() -> database.encryption().encryptedCopy(file.path(), database.folder()));
    copies.add(copy);
    return FolderPath.of("files", copy);
  }

  /** Returns the files of each family that the engine can read, in the given order. */
  Map<NativeFamily, List<FolderPath>> files() {
    return files;
  }

  /** Whether each of the files is a copy, which the engine may move. */
  boolean areCopies(List<FolderPath> files) {
    return files.stream().allMatch(file -> copies.contains(file.path()));
  }

  /** Deletes the plain files, which were ingested and should be moved. */
  void deletePlain() {
    plain.forEach(file -> delete(file, tried));
  }

  private static void delete(Path file, String tried) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw Status.of(e, tried);
    }
  }

  @Override
  public void close() {
    copies.forEach(copy -> delete(copy, tried));
  }
}
