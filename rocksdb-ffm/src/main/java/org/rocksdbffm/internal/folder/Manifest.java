/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.folder;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.rocksdbffm.internal.folder.Fields.Unreadable;

/** The newest MANIFEST file of a database, read to its end: which families, files and logs it says there are. */
final class Manifest {
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
  private final String name;
  private final FolderFiles present;
  private final Map<Integer, Family> families = new LinkedHashMap<>();
  private final Set<String> dropped = new HashSet<>();
  private final TreeSet<Long> trackedLogs = new TreeSet<>();
  private final BitSet knownTables = new BitSet(); // by place among those present
  private final BitSet knownBlobs = new BitSet();
  private final List<VersionEdit> group = new ArrayList<>();
  private long size;
  private long nextFile = NONE;
  private long firstNextFile = NONE;
  private long minLog = NONE;
  private long firstMinLog = NONE; // while the first number of a next file holds, which is until files are made

  private Manifest(Path folder, String name, FolderFiles present) {
    this.folder = folder;
    this.name = name;
    this.present = present;
    families.put(0, new Family("default"));
  }

  /** Null if there is none, or none that is whole up to its end; the engine will tell. */
  static Manifest read(Path folder, FolderFiles present) throws IOException {
    String name = currentName(folder);
    return name == null ? null : read(folder, name, present);
  }

  /** The one with the highest number, where CURRENT is lost; null likewise. */
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
    return newest == null ? null : read(folder, newest, present);
  }

  private static Manifest read(Path folder, String name, FolderFiles present) throws IOException {
    Manifest manifest = new Manifest(folder, name, present);
    try {
      manifest.size = LogRecords.read(folder.resolve(name), FolderFiles.manifestNumber(name), manifest::take);
      return manifest.nextFile == NONE ? null : manifest;
    } catch (NoSuchFileException | Unreadable e) {
      return null;
    }
  }

  /** The name of the newest, if CURRENT has it. */
  static String currentName(Path folder) throws IOException {
    try {
      String text = new String(Files.readAllBytes(folder.resolve("CURRENT")), StandardCharsets.ISO_8859_1);
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
    for (int i = 0; i < edit.fileCount(); i++) {
      note(present.tables(), edit.file(i), knownTables);
      note(present.blobs(), edit.file(i), knownBlobs);
    }
    if (edit.trackedUntil != NONE) {
      trackedLogs.headSet(edit.trackedUntil).clear();
    }
    if (edit.trackedLog != NONE) {
      trackedLogs.add(edit.trackedLog);
    }
    nextFile = Math.max(nextFile, edit.nextFile);
    firstNextFile = firstNextFile == NONE ? nextFile : firstNextFile;
    minLog = Math.max(minLog, edit.minLog);
    if (nextFile == firstNextFile) {
      firstMinLog = minLog;
    }
  }

  private static void note(FolderFiles.Numbers present, long number, BitSet known) {
    int place = present.find(number);
    if (place >= 0) {
      known.set(place);
    }
  }

  String name() {
    return name;
  }

  long number() {
    return FolderFiles.manifestNumber(name);
  }

  Map<Integer, Family> families() {
    return families;
  }

  /** Whether families went: a table that was being made of one is left over, and logs go that this file still names. */
  boolean hasDroppedAny() {
    return !dropped.isEmpty();
  }

  boolean hasDropped(String family) {
    return dropped.contains(family);
  }

  /** The logs that it lists, which it does where the database is opened with track_and_verify_wals_in_manifest. */
  boolean tracksLogs() {
    return !trackedLogs.isEmpty();
  }

  /** The number below which no log is read any more. */
  long firstLog() {
    long first = Long.MAX_VALUE;
    for (Family family : families.values()) {
      first = Math.min(first, family.logNumber);
    }
    return Math.max(first, minLog);
  }

  /** A table or blob file that is there and was never one of the database's, as far as this file goes; null if none. */
  String unknownFile() {
    int table = knownTables.nextClearBit(0);
    if (table < present.tables().count()) {
      return FolderFiles.padded(present.tables().get(table)) + ".sst";
    }
    int blob = knownBlobs.nextClearBit(0);
    return blob < present.blobs().count() ? FolderFiles.padded(present.blobs().get(blob)) + ".blob" : null;
  }

  /**
   * Whether a log is gone that the engine deletes only when this file says that it may. The number of the first log to
   * keep is a log's, if the database has made files since this file was begun. Before, it may be a number that was
   * skipped, and the log is any that was made before; older engines do not write the number at all.
   */
  boolean lacksLog(FolderFiles.Numbers logs) {
    return lacksFirstLog(logs) || isBegunAndNotEnded(logs);
  }

  /**
   * Whether what this file begins with is not all there. Before the engine names it in CURRENT, it writes into it which
   * tables it has made of the logs, and afterwards it deletes other unknown files and then the logs, in the order of
   * their numbers, the greatest first. So where those logs are gone, such a table is known.
   */
  private boolean isBegunAndNotEnded(FolderFiles.Numbers logs) {
    return minLog != NONE
        && minLog == firstMinLog
        && !logs.hasWithin(0, number() - 1) // its own first log is that number's
        && (hasUnknownWithin(minLog, number(), present.tables(), knownTables)
            || hasUnknownWithin(minLog, number(), present.blobs(), knownBlobs));
  }

  private static boolean hasUnknownWithin(long from, long until, FolderFiles.Numbers present, BitSet known) {
    for (int i = known.nextClearBit(0); i < present.count(); i = known.nextClearBit(i + 1)) {
      if (present.get(i) >= from && present.get(i) < until) {
        return true;
      }
    }
    return false;
  }

  private boolean lacksFirstLog(FolderFiles.Numbers logs) {
    long first = firstLog();
    if (minLog == NONE) {
      return !logs.hasWithin(first, nextFile);
    }
    return minLog > firstMinLog ? logs.find(minLog) < 0 : !logs.hasWithin(minLog, firstNextFile);
  }
}
