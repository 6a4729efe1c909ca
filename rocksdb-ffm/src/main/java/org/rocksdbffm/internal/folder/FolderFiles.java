/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.folder;

import java.io.File;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import org.rocksdbffm.internal.format.BatchRecords;
import org.rocksdbffm.internal.format.DatabaseFile;
import org.rocksdbffm.internal.format.Fields.Unreadable;
import org.rocksdbffm.internal.format.LogEnd;
import org.rocksdbffm.internal.format.LogRecords;

/** The files of a folder that have names of the engine, by kind and number. */
final class FolderFiles {
  /** The file with the name of the newest MANIFEST. */
  static final String CURRENT = "CURRENT";

  private static final int MOST_OF_MARKS = 1 << 16;
  private static final String OPTIONS = "OPTIONS-";
  private static final String MANIFEST = "MANIFEST-";
  private static final long NONE = -1;

  final NavigableSet<Long> tables = new TreeSet<>();
  final NavigableSet<Long> blobs = new TreeSet<>();
  final NavigableSet<Long> logs = new TreeSet<>();
  private long newestOptions = NONE;
  private boolean hasManifest;

  private FolderFiles() {}

  /** Lists a folder; a missing folder has no files. */
  static FolderFiles in(Path folder) throws IOException {
    FolderFiles files = new FolderFiles();
    String[] names = folder.toFile().list(); // much faster than a stream of paths at JVM start
    if (names != null) {
      for (String name : names) {
        files.add(name);
      }
    } else if (Files.exists(folder)) {
      throw unreadable(folder);
    }
    return files;
  }

  /**
   * Returns the reason to refuse a folder that cannot be listed; throws other failures, such as a lack of file
   * descriptors.
   */
  private static IOException unreadable(Path folder) throws IOException {
    try (DirectoryStream<Path> _ = Files.newDirectoryStream(folder)) {
      return Refused.io(folder + " cannot be read", "mount its disk again");
    } catch (AccessDeniedException e) {
      return Refused.io(folder + " cannot be read", "let this process list it and read its files (r-x), or mount its disk again");
    }
  }

  /** Refuses a database whose files cannot be read with the keys of the running operation, or without. */
  static void requireKeys(Path folder) throws IOException {
    DatabaseFile.require(folder.resolve(CURRENT));
    String[] names = DatabaseFile.KEYS.isBound() ? folder.toFile().list() : null;
    if (names != null) {
      for (String name : names) {
        if (name.matches("\\d+\\.(sst|blob|log)")) {
          DatabaseFile.require(folder.resolve(name));
        }
      }
    }
  }

  private void add(String name) {
    int dot = name.lastIndexOf('.');
    if (dot > 0) {
      Set<Long> numbers =
          switch (name.substring(dot)) {
            case ".sst" -> tables;
            case ".blob" -> blobs;
            case ".log" -> logs;
            default -> null;
          };
      long number = numbers == null ? NONE : number(name, 0, dot);
      if (number != NONE) {
        numbers.add(number);
      }
    } else if (name.startsWith(OPTIONS)) {
      newestOptions = Math.max(newestOptions, number(name, OPTIONS.length(), name.length()));
    } else if (name.startsWith(MANIFEST)) {
      hasManifest |= number(name, MANIFEST.length(), name.length()) != NONE;
    }
  }

  private static long number(String name, int from, int until) {
    long number = 0;
    for (int i = from; i < until; i++) {
      int digit = name.charAt(i) - '0';
      if (digit < 0 || digit > 9 || number > Long.MAX_VALUE / 10 - 1) {
        return NONE;
      }
      number = 10 * number + digit;
    }
    return from < until ? number : NONE;
  }

  Set<Long> tableAndBlobNumbers() {
    Set<Long> both = new HashSet<>(tables);
    both.addAll(blobs);
    return both;
  }

  boolean hasOptions() {
    return newestOptions != NONE;
  }

  long newestOptions() {
    return newestOptions;
  }

  String newestOptionsName() {
    return OPTIONS + padded(newestOptions);
  }

  boolean hasManifest() {
    return hasManifest;
  }

  static String logName(long number) {
    return padded(number) + ".log";
  }

  /** Returns the first WAL file from a number on that has rows; null if absent. */
  static Path logWithRows(Path folder, long from) throws IOException {
    for (long log : in(folder).logs.tailSet(from)) {
      File file = file(folder, logName(log));
      if (file.length() > MOST_OF_MARKS || file.length() > 0 && hasRows(file.toPath(), log)) {
        return file.toPath();
      }
    }
    return null;
  }

  /** Whether a WAL file has rows, and not only batches without records, which mark the last sequence number. */
  private static boolean hasRows(Path log, long number) throws IOException {
    boolean[] hasRows = {false};
    try {
      LogEnd end = LogRecords.read(log, number, (bytes, from, length) -> hasRows[0] |= length > BatchRecords.HEADER);
      return hasRows[0] || !end.isOfFile();
    } catch (Unreadable compressed) {
      return true;
    }
  }

  /** Returns the number as in file names, with at least six digits. */
  static String padded(long number) {
    String digits = Long.toString(number);
    return "0".repeat(Math.max(0, 6 - digits.length())) + digits;
  }

  static long manifestNumber(String name) {
    return name.startsWith(MANIFEST) ? number(name, MANIFEST.length(), name.length()) : NONE;
  }

  static File file(Path folder, String name) {
    return new File(folder.toFile(), name);
  }
}
