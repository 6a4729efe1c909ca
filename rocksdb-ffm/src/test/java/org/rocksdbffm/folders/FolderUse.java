/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.folders;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.rocksdbffm.Backups;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.Repair;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.TableWriter;
import org.rocksdbffm.WriteOptions;

/** A database with its files in four folders, and all calls that could damage these folders. */
public final class FolderUse {
  private static final byte[] FLUSHED = "flushed".getBytes(UTF_8);
  private static final byte[] LOGGED = "logged".getBytes(UTF_8);

  private FolderUse() {}

  /** A folder of the database. */
  enum Place {
    OWN,
    LOGS,
    TABLES,
    MESSAGES;

    Path in(Path base) {
      return base.resolve(name());
    }
  }

  /** A call with a folder of the database; other folders among its arguments are not in use. */
  public enum Call {
    OPEN((folder, other) -> RocksDb.open(folder).close()),
    DESTROY((folder, other) -> RocksDb.destroy(folder)),
    REPAIR((folder, other) -> Repair.of(folder)),
    BACKUPS((folder, other) -> Backups.open(folder).close()),
    TABLE_WRITER((folder, other) -> TableWriter.create(folder.resolve("000123.sst"), FamilyOptions.defaults()).close()),
    PATHS((folder, other) -> RocksDb.at(other).defaults(FamilyOptions.defaults().paths(paths(folder))).open().close()),
    WAL_DIR((folder, other) ->
        RocksDb.at(other).options(DatabaseOptions.defaults().option("wal_dir", folder)).open().close()),
    DB_LOG_DIR((folder, other) ->
        RocksDb.at(other).options(DatabaseOptions.defaults().option("db_log_dir", folder)).open().close()),
    FAMILY_PATHS((folder, other) -> {
      try (RocksDb db = RocksDb.open(other)) {
        db.createFamily("family", FamilyOptions.defaults().paths(paths(folder)));
      }
    }),
    CHECKPOINT((folder, other) -> {
      try (RocksDb db = RocksDb.open(other)) {
        db.files().checkpoint(folder);
      }
    });

    private final Use use;

    Call(Use use) {
      this.use = use;
    }

    public void run(Path folder, Path other) {
      use.run(folder, other);
    }

    /** Whether the call does no harm: info logs of several databases in one folder have different names. */
    boolean isHarmless(Place place) {
      return place == Place.MESSAGES && this == DB_LOG_DIR;
    }

    static List<FamilyOptions.StoragePath> paths(Path folder) {
      return List.of(new FamilyOptions.StoragePath(folder, ByteSize.gib(1)));
    }
  }

  private interface Use {
    void run(Path folder, Path other);
  }

  static RocksDb open(Path base) {
    DatabaseOptions options =
        DatabaseOptions.defaults().option("wal_dir", Place.LOGS.in(base)).option("db_log_dir", Place.MESSAGES.in(base));
    FamilyOptions families = FamilyOptions.defaults().paths(Call.paths(Place.TABLES.in(base)));
    return RocksDb.at(Place.OWN.in(base)).options(options).defaults(families).open();
  }

  static void fill(RocksDb db) {
    db.put(FLUSHED, FLUSHED);
    db.flush();
    db.with(WriteOptions.defaults().sync(true)).put(LOGGED, LOGGED);
  }

  static void requireRows(RocksDb db) {
    assertArrayEquals(FLUSHED, db.get(FLUSHED));
    assertArrayEquals(LOGGED, db.get(LOGGED));
  }

  /** Makes a call with another path of each folder of an open database; the database must have all rows afterwards. */
  static void attack(Path base, Call call, Other other) throws IOException {
    try (RocksDb db = open(base)) {
      fill(db);
      for (Place place : Place.values()) {
        Path path = other.of(place.in(base));
        Path free = base.resolve(call + " of " + place);
        if (call.isHarmless(place)) {
          call.run(path, free);
        } else {
          RuntimeException refused =
              assertThrows(RuntimeException.class, () -> call.run(path, free), () -> call + " of " + path);
          assertTrue(refused instanceof RocksDbException
              || refused instanceof IllegalArgumentException, refused::toString);
        }
        other.undo(place.in(base), path);
      }
      db.put(FLUSHED, FLUSHED);
      db.flush();
      requireRows(db);
    }
    try (RocksDb db = open(base)) {
      requireRows(db);
      db.files().verifyChecksums();
    }
  }

  /** Another path of a folder. */
  public interface Other {
    Path of(Path folder) throws IOException;

    /** Undoes the creation of the other path. */
    default void undo(Path folder, Path other) throws IOException {
      if (!Files.exists(folder)) {
        Files.move(other, folder);
      }
    }
  }

  /** Ways to name a folder. */
  public enum Way implements Other {
    AS_IT_IS(folder -> folder),
    RELATIVE(folder -> Path.of("").toAbsolutePath().relativize(folder)),
    DOT(folder -> folder.resolveSibling(".").resolve(folder.getFileName())),
    DOTS(folder -> folder.resolve("..").resolve(folder.getFileName())),
    LINK(folder -> link(folder.resolveSibling("link to " + folder.getFileName()), folder)),
    BELOW_A_LINK(folder -> link(folder.resolveSibling("link"), folder.getParent()).resolve(folder.getFileName())),
    RENAMED(folder -> Files.move(folder, folder.resolveSibling("renamed " + folder.getFileName())));

    private final Other other;

    Way(Other other) {
      this.other = other;
    }

    @Override
    public Path of(Path folder) throws IOException {
      return other.of(folder);
    }

    private static Path link(Path link, Path folder) throws IOException {
      return Files.isSymbolicLink(link) ? link : Files.createSymbolicLink(link, folder);
    }
  }

  /** Runs in a mount namespace in which the first folder is also mounted at the second. */
  public static void main(String[] folders) throws IOException {
    Path base = Path.of(folders[0]);
    for (Call call : Call.values()) {
      attack(base, call, folder -> Path.of(folders[1]).resolve(folder.getFileName()));
      System.out.println(call);
    }
  }
}
