/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.folder;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
import java.util.function.Consumer;
import org.rocksdbffm.internal.format.DatabaseFile;
import org.rocksdbffm.internal.format.Fields.Unreadable;
import org.rocksdbffm.internal.format.LogEnd;
import org.rocksdbffm.internal.format.LogRecords;
import org.rocksdbffm.internal.format.VersionEdit;

/** The newest MANIFEST of a database: its column families and WAL files. */
public final class Manifest {
  private static final long NONE = VersionEdit.NONE;

  /** A column family; {@code logNumber} is the number of the first WAL file with unflushed rows. */
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
  private final Set<Long> unknown; // numbers of files that no record has added so far
  private final List<VersionEdit> group = new ArrayList<>();
  private long size;
  private boolean hasNextFile; // false if the file was cut off within its first records
  private long lastTrackedLog = NONE;
  private long minLog = NONE;

  private final Consumer<VersionEdit> edits;

  private Manifest(Path folder, String name, Set<Long> files, Consumer<VersionEdit> edits) {
    this.folder = folder;
    this.name = name;
    this.unknown = files;
    this.edits = edits;
    families.put(0, new Family("default"));
  }

  /** Returns the names of a database's column families by id; empty if they cannot be read. */
  public static Map<Integer, String> familyNames(Path folder) throws IOException {
    Map<Integer, String> names = new LinkedHashMap<>();
    Manifest manifest = read(folder);
    if (manifest != null) {
      manifest.families.forEach((number, family) -> names.put(number, family.name));
    }
    return names;
  }

  /** Reads the MANIFEST that CURRENT names; returns null if it is missing or incomplete, which the engine reports. */
  static Manifest read(Path folder) throws IOException {
    String name = currentName(folder);
    return name == null ? null : read(folder, name, new HashSet<>());
  }

  /**
   * Reads the complete edits of a MANIFEST.
   *
   * @return how the file ends
   * @throws Unreadable if an edit cannot be understood
   */
  public static LogEnd read(Path file, Consumer<VersionEdit> edits) throws IOException {
    String name = file.getFileName().toString();
    Manifest manifest = new Manifest(file.getParent(), name, new HashSet<>(), edits);
    return LogRecords.read(file, FolderFiles.manifestNumber(name), manifest::take);
  }

  /**
   * As {@link #read}, but if CURRENT is missing reads the MANIFEST with the highest number, and notes which files it
   * knows.
   */
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
    Manifest manifest = new Manifest(folder, name, files, edit -> {});
    try {
      LogEnd end = LogRecords.read(folder.resolve(name), FolderFiles.manifestNumber(name), manifest::take);
      manifest.size = end.size();
      return manifest.hasNextFile && end.isOfFile() ? manifest : null;
    } catch (NoSuchFileException | Unreadable e) {
      return null;
    }
  }

  /** Returns the name of the MANIFEST in CURRENT; null if absent. */
  public static String currentName(Path folder) throws IOException {
    try {
      String text = new String(DatabaseFile.bytes(folder.resolve(FolderFiles.CURRENT)), StandardCharsets.ISO_8859_1);
      String name = text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
      return FolderFiles.manifestNumber(name) < 0 ? null : name;
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  /** Whether the MANIFEST has not changed since it was read: another process may be writing it. */
  boolean isNewest() throws IOException {
    try {
      return name.equals(currentName(folder)) && DatabaseFile.size(folder.resolve(name)) == size;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  /** Applies a record; records of an atomic group are applied when the group is complete. */
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
    edits.accept(edit);
  }

  long number() {
    return FolderFiles.manifestNumber(name);
  }

  boolean hasDropped(String family) {
    return dropped.contains(family);
  }

  /** Whether it lists WAL files, because track_and_verify_wals_in_manifest was set. */
  boolean tracksLogs() {
    return lastTrackedLog != NONE;
  }

  /**
   * Returns the number of the first WAL file that the engine keeps, which may hold prepared transactions; negative if
   * unknown.
   */
  long minLog() {
    return minLog;
  }

  /** Returns the number of the first WAL file that is read, except for prepared transactions. */
  long firstLog() {
    long first = Long.MAX_VALUE;
    for (Family family : families.values()) {
      first = Math.min(first, family.logNumber);
    }
    return Math.max(first, minLog);
  }

  /** Whether it knows all table and blob files that existed when it was read by {@code readNewest}. */
  boolean knowsAllFiles() {
    return unknown.isEmpty();
  }
}
