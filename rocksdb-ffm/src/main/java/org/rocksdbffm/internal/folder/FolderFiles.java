/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.folder;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** The files of a folder that have names of the engine's, by kind and number. */
final class FolderFiles {
  /** Has the name of the newest MANIFEST file. */
  static final String CURRENT = "CURRENT";

  private static final String OPTIONS = "OPTIONS-";
  private static final String MANIFEST = "MANIFEST-";
  private static final long NONE = -1;

  final Numbers tables = new Numbers();
  final Numbers blobs = new Numbers();
  final Numbers logs = new Numbers();
  private long newestOptions = NONE;
  private boolean hasManifest;

  /** Numbers in order. */
  static final class Numbers {
    private long[] sorted = new long[8];
    private int count;

    private void add(long number) {
      if (count == sorted.length) {
        sorted = Arrays.copyOf(sorted, 2 * count);
      }
      sorted[count++] = number;
    }

    private void sort() {
      sorted = Arrays.copyOf(sorted, count);
      Arrays.sort(sorted);
    }

    int count() {
      return count;
    }

    long get(int place) {
      return sorted[place];
    }

    /** The place of a number, or one below zero. */
    int find(long number) {
      return Arrays.binarySearch(sorted, number);
    }

    LongStream stream() {
      return Arrays.stream(sorted, 0, count);
    }
  }

  private FolderFiles() {}

  /** A folder that is not there has none. */
  static FolderFiles in(Path folder) throws IOException {
    FolderFiles files = new FolderFiles();
    String[] names = folder.toFile().list(); // in a JVM that has just started, far less than a stream of paths
    if (names != null) {
      for (String name : names) {
        files.add(name);
      }
    } else if (Files.exists(folder)) {
      Files.newDirectoryStream(folder).close(); // which says why
      throw new IOException(folder + " cannot be read");
    }
    files.tables.sort();
    files.blobs.sort();
    files.logs.sort();
    return files;
  }

  private void add(String name) {
    int dot = name.lastIndexOf('.');
    if (dot > 0) {
      Numbers numbers =
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
    return LongStream.concat(tables.stream(), blobs.stream()).boxed().collect(Collectors.toCollection(HashSet::new));
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

  /** As the engine writes it, which is with six digits at least. */
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
