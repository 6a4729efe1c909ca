/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.files;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The state of the files by which a database's folder changes: the MANIFEST, to which its writer appends before it deletes
 * a log or a table, and the logs. A database that is opened for reading while they stay as they are shows one moment.
 *
 * @param manifest the name of the MANIFEST
 * @param size the size of the MANIFEST
 * @param logs the sizes of the logs, by their names
 * @param reuses whether a log may lie over an older one, so that its size does not say how much it has
 */
public record FolderMoment(String manifest, long size, SortedMap<String, Long> logs, boolean reuses) {
  private static final int TYPE_OF_RECORD = 6;
  private static final int LAST_PLAIN_TYPE = 4;

  /** The state now. Files that cannot be read are as none: the engine reports them. */
  public static FolderMoment of(Path folder, Path logFolder) {
    String manifest = current(folder.resolve("CURRENT").toFile());
    SortedMap<String, Long> sizes = new TreeMap<>(Comparator.comparingInt(String::length).thenComparing(Function.identity()));
    boolean reuses = false;
    File[] logs = logFolder.toFile().listFiles((in, name) -> name.endsWith(".log"));
    for (File log : logs == null ? new File[0] : logs) {
      sizes.put(log.getName(), log.length());
      reuses |= isReused(log);
    }
    return new FolderMoment(manifest, new File(folder.toFile(), manifest).length(), sizes, reuses);
  }

  private static String current(File file) {
    try (FileInputStream in = new FileInputStream(file)) { // which an interrupted thread reads, too
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      return "";
    }
  }

  /** Records of a log that may be used again have the log's number, and types of their own. */
  private static boolean isReused(File log) {
    try (FileInputStream in = new FileInputStream(log)) {
      return in.skip(TYPE_OF_RECORD) == TYPE_OF_RECORD && in.read() > LAST_PLAIN_TYPE;
    } catch (IOException e) {
      return true; // in doubt
    }
  }

  /** Whether what was opened between this and a later state shows one moment: the newest log may have grown, and no other. */
  public boolean lastsUntil(FolderMoment later) {
    return withoutNewest().equals(later.withoutNewest()) && logs.keySet().equals(later.logs.keySet());
  }

  private FolderMoment withoutNewest() {
    return new FolderMoment(manifest, size, logs.isEmpty() ? logs : logs.headMap(logs.lastKey()), false);
  }

  /** Whether nothing was written between this and a later state; false in doubt. */
  public boolean isLatest(FolderMoment later) {
    return equals(later) && !reuses;
  }
}
