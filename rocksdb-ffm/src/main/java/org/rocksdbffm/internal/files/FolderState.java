/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.files;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.rocksdbffm.internal.folder.FolderPath;
import org.rocksdbffm.internal.folder.LogFolder;

/**
 * The state of the files that reveal changes of a database: the MANIFEST, to which the writer appends before it deletes
 * a WAL file or table, and the WAL files. A database that is opened read-only while these files do not change shows one
 * point in time. Files are compared by identity, because a replaced folder may have files of the same names and sizes.
 *
 * @param database identifies the database and its folders
 * @param manifest the state of the MANIFEST
 * @param stored the WAL folder that the newest OPTIONS file names
 * @param logs the states of the WAL files by name, for each WAL folder
 * @param reuses whether a WAL file may overwrite an older one, so that its size does not show how much was written
 */
public record FolderState(
    Database database, FileState manifest, Stored stored, List<SortedMap<String, FileState>> logs, boolean reuses) {
  private static final int TYPE_OF_RECORD = 6;
  private static final int LAST_PLAIN_TYPE = 4;
  private static final String CURRENT = "CURRENT";

  /**
   * The folders that an opening names.
   *
   * @param database the database folder
   * @param logs the WAL folder; null if none is named
   * @param replacesStored whether the opening ignores the stored WAL folder
   * @param tables the table folders; empty for the database folder
   */
  public record Folders(Path database, Path logs, boolean replacesStored, List<Path> tables) {}

  /**
   * The identity of a database: its path without links, the identities of its folder and table folders, and the file
   * CURRENT, which a writer replaces with each new MANIFEST.
   */
  private record Database(Path real, List<Object> folders, FileState current, String manifestName, String identity) {}

  /** The newest OPTIONS file, and its WAL folder; null for the database folder. */
  private record Stored(FileState file, Path logs) {}

  /**
   * Reads the current state. An unreadable file counts as missing: the engine reports it.
   *
   * @param before an earlier state, which saves reading the OPTIONS file again; null for none
   */
  public static FolderState of(Folders given, FolderState before) {
    Database database = database(given.database, given.tables);
    Path folder = database.real;
    FileState manifest = FileState.of(folder.resolve(database.manifestName));
    List<String> names = names(folder);
    Stored stored = stored(folder, names, before);
    List<SortedMap<String, FileState>> logs = new ArrayList<>();
    boolean reuses = false;
    for (Path each : logFolders(folder, given.logs, given.replacesStored ? null : stored.logs)) {
      SortedMap<String, FileState> states = new TreeMap<>(byNumber());
      for (String name : each.equals(folder) ? names : names(each)) {
        if (name.endsWith(".log")) {
          Path log = each.resolve(name);
          states.put(name, FileState.of(log));
          reuses |= isReused(log.toFile());
        }
      }
      logs.add(states);
    }
    return new FolderState(database, manifest, stored, logs, reuses);
  }

  private static List<String> names(Path folder) {
    String[] names = folder.toFile().list();
    return names == null ? List.of() : List.of(names);
  }

  /** Compares names with numbers; not by combined comparators, each of which would make a class at JVM start. */
  private static Comparator<String> byNumber() {
    return (a, b) -> a.length() != b.length() ? Integer.compare(a.length(), b.length()) : a.compareTo(b);
  }

  /** Returns the opening's WAL folder, and the stored one if it differs: an opening is refused if rows are there. */
  private static List<Path> logFolders(Path folder, Path given, Path stored) {
    Path opened = given == null ? folder : given;
    boolean isOne = stored == null || stored.equals(opened) || isOfAnother(stored, folder);
    return isOne ? List.of(opened) : List.of(opened, stored);
  }

  private static boolean isOfAnother(Path logs, Path database) {
    try {
      return LogFolder.isOfAnother(logs, database);
    } catch (IOException e) {
      return false;
    }
  }

  private static Stored stored(Path folder, List<String> names, FolderState before) {
    Stream<String> options = names.stream().filter(name -> name.startsWith("OPTIONS-") && !name.endsWith("tmp"));
    String newest = options.max(byNumber()).orElse("");
    FileState file = FileState.of(folder.resolve(newest));
    if (before != null && file != null && file.equals(before.stored.file)) {
      return before.stored;
    }
    try {
      return new Stored(file, LogFolder.stored(folder));
    } catch (IOException e) {
      return new Stored(null, null); // unlike each state of a file, so that it is read again
    }
  }

  private static Database database(Path folder, List<Path> tables) {
    Path real = FolderPath.of(folder).real().path(); // the path passed to the engine
    FileState current = FileState.of(real.resolve(CURRENT));
    return new Database(real, identities(real, tables), current, text(real, CURRENT), text(real, "IDENTITY"));
  }

  private static List<Object> identities(Path folder, List<Path> tables) {
    List<Object> identities = new ArrayList<>();
    identities.add(FileState.ofFolder(folder));
    tables.forEach(each -> identities.add(FileState.ofFolder(each)));
    return identities;
  }

  private static String text(Path folder, String name) {
    try (FileInputStream in = new FileInputStream(folder.resolve(name).toFile())) { // works in interrupted threads
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).strip().replace('\0', '?'); // paths cannot contain it
    } catch (IOException e) {
      return "";
    }
  }

  /** Records of a recyclable WAL file contain its number, and have separate types. */
  private static boolean isReused(File log) {
    try (FileInputStream in = new FileInputStream(log)) {
      return in.skip(TYPE_OF_RECORD) == TYPE_OF_RECORD && in.read() > LAST_PLAIN_TYPE;
    } catch (IOException e) {
      return true; // unknown
    }
  }

  /** Returns the folder of the database, without links. */
  public Path folder() {
    return database.real;
  }

  /**
   * Whether a database opened between this and a later state shows one point in time: only the newest WAL file may have
   * grown.
   */
  public boolean lastsUntil(FolderState later) {
    return parts(logsWithoutGrowth()).equals(later.parts(later.logsWithoutGrowth()));
  }

  /** Returns everything that is compared; the JDK makes some ten classes for the equality of each record type. */
  private List<Object> parts(List<SortedMap<String, FileState>> ofLogs) {
    Database d = database;
    return Arrays.asList(
        d.real, d.folders, d.current, d.manifestName, d.identity, manifest, stored.file, stored.logs, ofLogs);
  }

  private List<SortedMap<String, FileState>> logsWithoutGrowth() {
    List<SortedMap<String, FileState>> same = new ArrayList<>();
    for (SortedMap<String, FileState> logFiles : logs) {
      SortedMap<String, FileState> copy = new TreeMap<>(logFiles);
      if (!copy.isEmpty()) {
        copy.computeIfPresent(copy.lastKey(), (name, newest) -> new FileState(newest.file(), null, null, 0));
      }
      same.add(copy);
    }
    return same;
  }

  /** Whether nothing was written between this and a later state; false if unknown. */
  public boolean isLatest(FolderState later) {
    return !reuses && !later.reuses && parts(logs).equals(later.parts(later.logs));
  }

  /**
   * Whether the path now leads to another database, or to none, or has done so since this state was read: then files
   * that are opened now may belong to the other database.
   */
  public boolean isReplaced(Folders given) {
    Path folder = database.real;
    return !identities(folder, given.tables).equals(database.folders)
        || !Objects.equals(FileState.of(folder.resolve(CURRENT)), database.current);
  }
}
