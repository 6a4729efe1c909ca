/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.kill;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Random;
import org.rocksdbffm.Backups;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.Scan;

/**
 * A program that repeatedly writes a generation of all rows, and copies the database with every method, until it is
 * killed. The rows of a database are of one generation, or of two if the process was killed during the writes.
 */
final class CopyKillCases {
  static final int ROWS = 40;
  private static final int VALUE = 20_000;

  private CopyKillCases() {}

  /** Options without sync, which a kill of the process does not need. */
  static final Backups.Options BACKUPS = Backups.Options.defaults().sync(false).threads(2);

  /** Arguments: the folder, and the first generation. */
  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]);
    FamilyOptions options = FamilyOptions.defaults().writeBufferSize(ByteSize.kib(256));
    try (RocksDb db = RocksDb.at(folder.resolve("db")).defaults(options).open();
        Backups backups = Backups.open(folder.resolve("backups"), BACKUPS)) {
      for (int generation = Integer.parseInt(arguments[1]); ; generation++) {
        write(db, generation);
        String note = Integer.toString(generation);
        int id = backups.create(db, note).id();
        acknowledge(folder.resolve("backed-up"), id + " " + note);
        Path copy = folder.resolve("copy" + generation);
        db.files().checkpoint(copy);
        acknowledge(folder.resolve("copied"), note);
        backups.restore(id, folder.resolve("restored" + generation));
        acknowledge(folder.resolve("restored"), note);
        backups.keepLatest(4);
      }
    }
  }

  static void write(RocksDb db, int generation) {
    Random random = new Random(generation);
    for (int row = 0; row < ROWS; row++) {
      byte[] value = new byte[VALUE];
      random.nextBytes(value);
      byte[] number = Integer.toString(generation).getBytes();
      System.arraycopy(number, 0, value, 1, number.length);
      value[0] = (byte) number.length;
      db.put(Integer.toString(1000 + row).getBytes(), value);
    }
  }

  private static void acknowledge(Path file, String line) throws Exception {
    Files.writeString(file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  /** Returns the generation of all rows; fails if they are of several generations, or rows are missing. */
  static int generation(Path folder) {
    try (RocksDb db = RocksDb.open(folder);
        Scan scan = db.scan(KeyRange.all())) {
      int rows = 0;
      int generation = -1;
      while (scan.next()) {
        byte[] value = scan.valueBytes();
        int writer =
            Integer.parseInt(new String(Arrays.copyOfRange(value, 1, 1 + value[0]), StandardCharsets.US_ASCII));
        if (value.length != VALUE || rows > 0 && writer != generation) {
          throw new AssertionError(folder + " has rows of the generations " + generation + " and " + writer);
        }
        generation = writer;
        rows++;
      }
      if (rows != ROWS) {
        throw new AssertionError(folder + " has " + rows + " rows");
      }
      return generation;
    } catch (RocksDbException e) {
      throw new AssertionError(folder + " cannot be read", e);
    }
  }

  /**
   * Creates backups up to the process's limit of file sizes, and checks that older backups are preserved. Argument: the
   * folder.
   */
  static final class Full {
    private Full() {}

    public static void main(String[] arguments) {
      Path folder = Path.of(arguments[0]);
      try (RocksDb db = RocksDb.open(folder.resolve("db"));
          Backups backups = Backups.open(folder.resolve("backups"), BACKUPS)) {
        for (int round = 0; round < 3; round++) {
          try {
            backups.create(db, "too large");
            throw new AssertionError("a backup was made of a file above the limit");
          } catch (RocksDbException e) {
            if (e.code() != RocksDbException.Code.IO_ERROR
                || !e.getMessage().contains("older backups are as they were")) {
              throw e;
            }
          }
          backups.list().forEach(each -> backups.verify(each.id()));
          if (backups.list().size() != 1) {
            throw new AssertionError(backups.list().toString());
          }
        }
      }
    }
  }
}
