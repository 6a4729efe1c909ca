/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.world;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.rocksdbffm.Backups;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.DatabaseFiles.Pause;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeyReader;
import org.rocksdbffm.Opening;
import org.rocksdbffm.PinnedValue;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.Scan;

/** Folders that databases and backups share. Only one client uses them at a time, so their contents are known. */
public final class Yard {
  public static final int FOLDERS = 6;

  public final Path base;
  public final Map<Integer, Stored> databases = new TreeMap<>();
  public final Map<Integer, Backups> backups = new HashMap<>();

  /** The rows of each backup, by backup folder. */
  public final Map<Integer, List<NavigableMap<String, String>>> saved = new HashMap<>();

  Yard(Path base) {
    this.base = base;
  }

  public Path folder(int number) {
    return base.resolve(String.valueOf(number));
  }

  /** A database, its folder, and its folders for WALs, tables and info logs, which may be null. */
  public static final class Stored {
    public final int own;
    public final NavigableMap<String, String> rows = new TreeMap<>();
    public List<Integer> named;
    public boolean mustOpen;
    public RocksDb db;
    public PinnedValue pin;

    public Stored(int own, List<Integer> named, boolean mustOpen) {
      this.own = own;
      this.named = named;
      this.mustOpen = mustOpen;
    }

    boolean uses(Integer folder) {
      return (db != null || pin != null) && (folder == own || named.contains(folder));
    }

    /** Whether this database uses a folder only for info logs; several databases may share such a folder. */
    boolean hasMessages(Integer folder) {
      return folder != own && named.indexOf(folder) == 2;
    }

    @Override
    public String toString() {
      return own + " with " + named + (db != null ? ", open" : pin != null ? ", pinned" : "") + ", rows "
          + rows.values();
    }

    /** Whether opening must succeed: false if another database may have taken this database's folder for info logs. */
    public boolean mustOpen() {
      return mustOpen && named.get(2) == null;
    }

    public void check(KeyReader reader, String when) {
      NavigableMap<String, String> found = new TreeMap<>();
      try (Scan scan = reader.scan(KeyRange.all())) {
        while (scan.next()) {
          found.put(new String(scan.keyBytes()), new String(scan.valueBytes()));
        }
      }
      if (!found.equals(rows)) {
        throw new WrongAnswer(when + ", the database in " + this + " has " + found);
      }
    }

    public void close() {
      if (pin != null) {
        pin.close();
        pin = null;
      }
      if (db != null) {
        db.close();
        db = null;
      }
    }
  }

  /**
   * Whether a folder is in use, so that calls must be rejected; several databases may write info logs to one folder.
   */
  public boolean isInUse(Integer folder, boolean forMessages) {
    return folder != null
        && (backups.containsKey(folder)
            || databases.values().stream()
                .anyMatch(each -> each.uses(folder) && !(forMessages && each.hasMessages(folder))));
  }

  /** Whether a database or backups are open in this folder itself. */
  public boolean isOpenIn(Integer folder) {
    Stored stored = databases.get(folder);
    return stored != null && stored.db != null || backups.containsKey(folder);
  }

  public static Opening opening(Path folder, Path logs, Path tables, Path messages) {
    DatabaseOptions options = DatabaseOptions.defaults();
    options = logs == null ? options : options.option("wal_dir", logs);
    options = messages == null ? options : options.option("db_log_dir", messages);
    FamilyOptions families = World.OPTIONS.enableBlobFiles(true).option("min_blob_size", 6);
    families =
        tables == null ? families : families.paths(List.of(new FamilyOptions.StoragePath(tables, ByteSize.gib(1))));
    return RocksDb.at(folder).options(options).defaults(families);
  }

  /** Pauses the flushes and compactions of all open databases. */
  public List<Pause> pauseWork() {
    return databases.values().stream()
        .filter(each -> each.db != null)
        .map(each -> each.db.files().pauseWork(Duration.ofMinutes(10)))
        .toList();
  }

  @Override
  public String toString() {
    return databases.values() + ", backups in " + backups.keySet();
  }

  void closeAll() {
    backups.values().forEach(Backups::close);
    backups.clear();
    databases.values().forEach(Stored::close);
  }

  /** Reopens all databases, and checks their rows. */
  void verify() {
    for (Stored each : databases.values()) {
      List<Path> paths = new ArrayList<>();
      each.named.forEach(number -> paths.add(number == null ? null : folder(number)));
      try (RocksDb db = opening(folder(each.own), paths.get(0), paths.get(1), paths.get(2)).open()) {
        each.check(db, "at the end");
      } catch (RocksDbException e) {
        if (each.mustOpen()) {
          throw new WrongAnswer("at the end, the database in " + each + " is refused: " + e, e);
        }
      }
    }
  }
}
