/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.kill;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.RocksDb;

/** A program that creates databases with separate WAL folders until it is killed, and destroys every third database. */
final class LogFolderKillCases {
  static final int DESTROYED = 3;
  static final String MADE = "made";

  private LogFolderKillCases() {}

  /** Arguments: the folder, and the first number. */
  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]);
    for (int number = Integer.parseInt(arguments[1]); ; number++) {
      try (RocksDb db = RocksDb.at(folder.resolve("db" + number)).options(options(folder, number)).open()) {
        db.put("key".getBytes(UTF_8), Integer.toString(number).getBytes(UTF_8));
        Files.writeString(folder.resolve(MADE), number + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      }
      if (number % DESTROYED == 0) {
        RocksDb.destroy(folder.resolve("db" + number));
      }
    }
  }

  static DatabaseOptions options(Path folder, int number) {
    return DatabaseOptions.defaults().option("wal_dir", folder.resolve("logs" + number));
  }
}
