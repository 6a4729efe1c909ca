/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.support;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.rocksdbffm.internal.folder.StoredDatabase;
import org.rocksdbffm.internal.format.DatabaseFile;
import org.rocksdbffm.internal.settings.NativeEncryption;

/** Checks files before their use, because the engine's messages do not say which keys they need. */
public final class EncryptedFiles {
  private static final String OPTION_OF_CORE = "DatabaseOptions.encryption";

  private EncryptedFiles() {}

  /**
   * Throws if a database cannot be read with the configured keys, or without keys if there are none; accepts a folder
   * without a database.
   */
  public static void requireDatabase(String folder) throws RocksDBException {
    try {
      if (Encryption.isOn()) {
        Encryption.during(() -> {
          StoredDatabase.requireKeys(Path.of(folder));
          return null;
        });
      } else {
        StoredDatabase.requireKeys(Path.of(folder));
      }
    } catch (IOException e) {
      throw refused(e);
    }
  }

  /**
   * Throws if a file cannot be read with the configured keys, or without keys if there are none; accepts a missing
   * file.
   */
  public static void requireFile(String file) throws RocksDBException {
    try {
      Encryption.during(() -> {
        DatabaseFile.require(Path.of(file));
        return null;
      });
    } catch (IOException e) {
      throw refused(e);
    }
  }

  /**
   * Throws if backups cannot be read with the configured keys, or without keys if there are none. The engine would
   * report such backups as damaged.
   */
  public static void requireBackups(String folder) throws RocksDBException {
    File[] backups = new File(folder, "meta").listFiles((all, name) -> name.matches("[0-9]+"));
    for (File backup : backups == null ? new File[0] : backups) {
      requireFile(backup.getPath());
    }
  }

  /**
   * Returns an encrypted copy of a plain SST file, in the folder of a database; null if files are not encrypted, or if
   * the given file is encrypted or missing.
   */
  public static Path copyOfPlain(Path file, String folder) throws RocksDBException {
    NativeEncryption encryption = Encryption.keysOrNull();
    if (encryption == null || !Files.isRegularFile(file)) {
      return null;
    }
    try {
      return DatabaseFile.keyOf(file) == null ? encryption.encryptedCopy(file, Path.of(folder)) : null;
    } catch (IOException e) {
      throw refused(e);
    }
  }

  /** Deletes a file IDENTITY that the keys do not decrypt; the engine writes it again. */
  public static void deleteForeignIdentity(String folder) throws RocksDBException {
    try {
      if (Encryption.isOn()) {
        Encryption.keysOrNull().deleteForeignIdentity(Path.of(folder));
      }
    } catch (IOException e) {
      throw refused(e);
    }
  }

  /**
   * Deletes copies that a process has left behind, and encrypts the file IDENTITY with the newest key, in the folder of
   * a database that was opened.
   */
  public static void opened(String folder) {
    if (Encryption.isOn()) {
      NativeEncryption.deleteCopies(Path.of(folder));
      Encryption.keysOrNull().renewIdentity(Path.of(folder));
    }
  }

  private static RocksDBException refused(IOException e) {
    if (e instanceof DatabaseFile.Refusal refusal) {
      String advice = refusal.advice().replace(OPTION_OF_CORE, "-D" + Encryption.PROPERTY + "=<key file>");
      return Errors.of(Status.Code.InvalidArgument, e.getMessage() + " (" + advice + ")");
    }
    return Errors.of(Status.Code.IOError, e.toString());
  }
}
