/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.files;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.call.Uninterrupted;
import org.rocksdbffm.internal.folder.FolderPath;
import org.rocksdbffm.internal.format.DatabaseFile;

/**
 * The files of a backup folder: {@code meta} has a list of files for each backup, {@code shared_checksum} and
 * {@code shared} the tables, and {@code private} the other files of each backup. The engine deletes unknown files
 * there.
 */
record BackupFolder(Path folder) {
  private static final String META = "meta";
  private static final String SHARED = "shared_checksum";
  private static final int CHUNK = 1 << 16;

  /** The sub-folders that the engine clears, with the names of the engine's entries. */
  private static final Map<String, Pattern> CLEARED =
      Map.of(
          META, Pattern.compile("\\.?\\d+(\\.tmp)?"),
          "private", Pattern.compile("\\d+(\\.tmp)?"),
          "shared", Pattern.compile("\\.?\\d+\\.(sst|blob)(\\.tmp)?"),
          SHARED, Pattern.compile("\\.?\\d+_\\w+\\.(sst|blob)(\\.tmp)?"));

  /** A file and its checksum; lists of other versions may have further fields between them. */
  private static final Pattern FILE = Pattern.compile("(\\S+) (?:\\S+ \\S+ )*?crc32 (\\d+)(?: .*)?");

  /** A shared table: its number, the session that wrote it, and its size. */
  private static final Pattern TABLE = Pattern.compile("(\\d{1,18})_.*_(\\d+)\\.(sst|blob)");

  /** Refuses a folder in which the engine would delete foreign files. */
  void requireNothingElse() throws IOException {
    for (var cleared : CLEARED.entrySet()) {
      Path inner = folder.resolve(cleared.getKey());
      if (Files.notExists(inner, LinkOption.NOFOLLOW_LINKS)) {
        continue;
      }
      for (Path entry : FolderPath.entries(inner)) {
        if (!cleared.getValue().matcher(entry.getFileName().toString()).matches() || isDatabase(entry)) {
          throw Status.parse(
              "Invalid argument: " + entry + " is of no backup, and would be deleted",
              "opening the backups in " + folder + ": move it away, or take another folder");
        }
      }
    }
  }

  /**
   * Whether a folder was opened as a database: no backup lists it, and it contains LOCK, which the engine creates at an
   * opening and never copies to a backup.
   */
  private boolean isDatabase(Path entry) {
    return Files.exists(entry.resolve("LOCK")) && Files.notExists(folder.resolve(META).resolve(entry.getFileName()));
  }

  /** Reads all files of a backup; throws if one does not match its checksum. */
  void verify(int id) throws IOException {
    String where = "backup " + id + " in " + folder;
    for (var file : files(id, where).entrySet()) {
      Path path = folder.resolve(file.getKey());
      if (Files.notExists(path)) {
        throw Status.parse("Corruption: the file " + path + " is missing", where);
      }
      if (checksum(path) != file.getValue()) {
        throw Status.parse("Corruption: the file " + path + " is not as it was copied", where + ": restore another backup");
      }
    }
  }

  private Map<String, Long> files(int id, String where) throws IOException {
    Map<String, Long> files = new LinkedHashMap<>();
    if (Files.notExists(meta(id))) {
      throw notFound(id);
    }
    for (String line : new String(DatabaseFile.bytes(meta(id)), StandardCharsets.ISO_8859_1).lines().toList()) {
      Matcher file = FILE.matcher(line);
      if (file.matches()) {
        try {
          files.put(file.group(1), Long.parseLong(file.group(2)));
        } catch (NumberFormatException e) {
          throw Status.parse("Corruption: " + meta(id) + " has the checksum " + file.group(2), where);
        }
      }
    }
    return files;
  }

  private static long checksum(Path file) throws IOException {
    CRC32C checksum = new CRC32C();
    byte[] chunk = new byte[CHUNK];
    try (InputStream in = DatabaseFile.open(file)) {
      for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
        checksum.update(chunk, 0, read);
      }
    }
    return checksum.getValue();
  }

  /** Returns the names of the shared tables; empty if absent. */
  private List<String> sharedNames() {
    try {
      return FolderPath.entries(folder.resolve(SHARED)).stream().map(entry -> entry.getFileName().toString()).toList();
    } catch (IOException e) {
      return List.of(); // nothing has been copied yet
    }
  }

  /** Returns a predicate: whether a table with a number and a size is in the folder already, by the file names. */
  BiPredicate<Long, Long> shared() {
    Set<String> known = new HashSet<>();
    for (String name : sharedNames()) {
      Matcher table = TABLE.matcher(name);
      if (table.matches()) {
        known.add(Long.parseLong(table.group(1)) + "_" + table.group(2));
      }
    }
    return (number, size) -> known.contains(number + "_" + size);
  }

  /**
   * Deletes a backup's list of files, which deletes the backup; the engine deletes the files when it clears the folder.
   */
  void deleteList(int id) {
    try {
      if (!Files.deleteIfExists(meta(id))) {
        throw notFound(id);
      }
      Uninterrupted.sync(folder.resolve(META));
    } catch (IOException e) {
      throw Status.parse("IO error: " + e.getMessage(), "deleting backup " + id + " in " + folder);
    }
  }

  RuntimeException notFound(int id) {
    return Status.parse("NotFound: there is no backup " + id, folder + ": list() has those that there are");
  }

  private Path meta(int id) {
    return folder.resolve(META).resolve(Integer.toString(id));
  }
}
