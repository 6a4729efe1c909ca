/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.folder;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.rocksdbffm.internal.format.Fields.Unreadable;
import org.rocksdbffm.internal.format.LogEnd;
import org.rocksdbffm.internal.format.LogRecords;

/** The newest MANIFEST file of a database, read to its end: which families and logs it says there are. */
public final class Manifest {
  private static final long NONE = VersionEdit.NONE;

  /** A column family; the log number is that of the first log with rows that no table file has. */
  static final class Family {
    final String name;
    String comparator;
    long logNumber;

    private Family(String name) {
      this.name = name;
    }
  }

  private final Path folder;
  final String name;
  final Map<Integer, Family> families = new LinkedHashMap<>();
  private final Set<String> dropped = new HashSet<>();
  private final Set<Long> unknown; // numbers of files that no record so far has
  private final List<VersionEdit> group = new ArrayList<>();
  private long size;
  private boolean hasNextFile; // or it is cut off within its first records
  private long lastTrackedLog = NONE;
  private long minLog = NONE;

  private Manifest(Path folder, String name, Set<Long> files) {
    this.folder = folder;
    this.name = name;
    this.unknown = files;
    families.put(0, new Family("default"));
  }

  /** The names of a database's column families, by their numbers in logs; none where they cannot be read. */
  public static Map<Integer, String> familyNames(Path folder) throws IOException {
    Map<Integer, String> names = new LinkedHashMap<>();
    Manifest manifest = read(folder);
    if (manifest != null) {
      manifest.families.forEach((number, family) -> names.put(number, family.name));
    }
    return names;
  }

  /** Null if there is none, or none that is whole up to its end; the engine will tell. */
  static Manifest read(Path folder) throws IOException {
    String name = currentName(folder);
    return name == null ? null : read(folder, name, new HashSet<>());
  }

  /** The one with the highest number, where CURRENT is lost, which notes what it knows of the files; null likewise. */
  static Manifest readNewest(Path folder, FolderFiles present) throws IOException {
    String current = currentName(folder);
    String[] names = folder.toFile().list();
    String newest =
        names == null || current != null
            ? current
            : Arrays.stream(names)
                .filter(name -> FolderFiles.manifestNumber(name) >= 0)
                .max(Comparator.comparingLong(FolderFiles::manifestNumber))
                .orElse(null);
    return newest == null ? null : read(folder, newest, present.tableAndBlobNumbers());
  }

  private static Manifest read(Path folder, String name, Set<Long> files) throws IOException {
    Manifest manifest = new Manifest(folder, name, files);
    try {
      LogEnd end = LogRecords.read(folder.resolve(name), FolderFiles.manifestNumber(name), manifest::take);
      manifest.size = end.size();
      return manifest.hasNextFile && end.isOfFile() ? manifest : null;
    } catch (NoSuchFileException | Unreadable e) {
      return null;
    }
  }

  /** The name of the newest, if CURRENT has it. */
  static String currentName(Path folder) throws IOException {
    try {
      String text = new String(Files.readAllBytes(folder.resolve(FolderFiles.CURRENT)), StandardCharsets.ISO_8859_1);
      String name = text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
      return FolderFiles.manifestNumber(name) < 0 ? null : name;
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  /** Whether the database has not gone on since: another process may be writing it while it is read. */
  boolean isNewest() throws IOException {
    try {
      return name.equals(currentName(folder)) && Files.size(folder.resolve(name)) == size;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  /** Takes a record; those of a group count when the group is complete. */
  private void take(byte[] bytes, int from, int length) {
    VersionEdit edit = VersionEdit.parse(bytes, from, length);
    if (!edit.inGroup) {
      apply(edit);
      return;
    }
    group.add(edit);
    if (edit.remaining == 0) {
      group.forEach(this::apply);
      group.clear();
    }
  }

  private void apply(VersionEdit edit) {
    if (edit.familyName != null) {
      families.put(edit.family, new Family(edit.familyName));
    }
    Family family = families.get(edit.family);
    if (family == null) {
      throw new Unreadable("a record is of the unknown column family " + edit.family);
    }
    if (edit.comparator != null) {
      family.comparator = edit.comparator;
    }
    family.logNumber = Math.max(family.logNumber, edit.logNumber);
    if (edit.drop) {
      families.remove(edit.family);
      dropped.add(family.name);
    }
    unknown.removeAll(edit.files.keySet());
    if (edit.trackedUntil > lastTrackedLog) {
      lastTrackedLog = NONE;
    }
    lastTrackedLog = Math.max(lastTrackedLog, edit.trackedLog);
    hasNextFile |= edit.nextFile != NONE;
    minLog = Math.max(minLog, edit.minLog);
  }

  long number() {
    return FolderFiles.manifestNumber(name);
  }

  boolean hasDropped(String family) {
    return dropped.contains(family);
  }

  /** Whether it lists logs, which it does where the database is opened with track_and_verify_wals_in_manifest. */
  boolean tracksLogs() {
    return lastTrackedLog != NONE;
  }

  /** The number of the first log that the engine keeps, which may hold transactions that were prepared; below zero if not known. */
  long minLog() {
    return minLog;
  }

  /** The number below which no log is read any more, but for transactions that were prepared. */
  long firstLog() {
    long first = Long.MAX_VALUE;
    for (Family family : families.values()) {
      first = Math.min(first, family.logNumber);
    }
    return Math.max(first, minLog);
  }

  /** Whether it knows all tables and blob files that were there when it was read as the newest. */
  boolean knowsAllFiles() {
    return unknown.isEmpty();
  }
}
