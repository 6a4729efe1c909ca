/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.folders;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.Opening;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.StoredOptions;
import org.rocksdbffm.internal.folder.FolderPath;
import org.rocksdbffm.tools.LiveObjectsCheck;

/** Tests that the engine gets a database's path unchanged, and that only the database is deleted. */
@ExtendWith(LiveObjectsCheck.class)
final class FolderTest {
  @TempDir Path temporary;

  @Test
  void aPathOfAnotherFileSystemIsNotTakenForOneOfTheDefault() throws IOException {
    Path real = temporary.resolve("db");
    RocksDb.open(real).close();
    URI zip = URI.create("jar:" + temporary.resolve("x.zip").toUri());
    try (FileSystem other = FileSystems.newFileSystem(zip, Map.of("create", "true"))) {
      Path foreign = other.getPath(real.toString());
      for (Runnable use : List.<Runnable>of(
          () -> RocksDb.destroy(foreign),
          () -> RocksDb.open(foreign),
          () -> RocksDb.at(foreign).openReadOnly(),
          () -> RocksDb.families(foreign),
          () -> StoredOptions.load(foreign))) {
        var e = assertThrows(IllegalArgumentException.class, use::run);
        assertTrue(e.getMessage().startsWith("folder: " + foreign + " is a path of "), e.getMessage());
      }
    }
    assertTrue(Files.exists(real.resolve("CURRENT")));
    assertThrows(IllegalArgumentException.class, () -> RocksDb.open(Path.of("")));
  }

  @Test
  void theBytesOfANameGoToTheEngineAsTheyAre() {
    byte[] bytes = FolderPath.of(temporary.resolve("a b%41+é")).bytes();
    assertArrayEquals(
        (temporary.toAbsolutePath() + "/a b%41+é").getBytes(StandardCharsets.UTF_8), bytes);
    Path folder = temporary.resolve("é ü");
    RocksDb.open(folder).close();
    assertTrue(Files.exists(folder.resolve("CURRENT")));
  }

  @Test
  void aFolderWithoutADatabaseIsNotDestroyed() throws IOException {
    Path folder = Files.createDirectory(temporary.resolve("foreign"));
    for (String name : List.of("20261123.log", "000009.sst", "LOG")) {
      Files.writeString(folder.resolve(name), "somebody's");
    }
    var e = assertThrows(RocksDbException.class, () -> RocksDb.destroy(folder));
    assertTrue(e.getMessage().contains("there is no database in " + folder), e.getMessage());
    assertEquals(3, folder.toFile().list().length);
    assertEquals(List.of(), RocksDb.destroy(temporary.resolve("none")));
  }

  @Test
  void theFilesOfAnArchiverAreDestroyedWithTheirDatabase() throws IOException {
    Path folder = temporary.resolve("db");
    for (String name : List.of("ARCHIVE", "ARCHIVE.tmp")) {
      RocksDb.open(folder).close();
      Files.writeString(folder.resolve(name), "writer 0 \n");
      assertEquals(List.of(), RocksDb.destroy(folder));
      assertTrue(Files.notExists(folder));
    }
    RocksDb.open(folder).close();
    Path own = Files.createDirectory(folder.resolve("ARCHIVE")); // of the user
    assertEquals(List.of(own), RocksDb.destroy(folder));
  }

  @Test
  void whatIsLeftOfADatabaseIsTold() throws IOException {
    Path folder = temporary.resolve("db");
    Path logs = temporary.resolve("logs");
    try (RocksDb db = RocksDb.at(folder).options(DatabaseOptions.defaults().option("wal_dir", logs)).open()) {
      db.put(new byte[1], new byte[1]);
    }
    Files.writeString(folder.resolve("notes.txt"), "somebody's");
    Files.delete(logs.resolve("OWNER")); // as if an older release had written it
    List<Path> left = RocksDb.destroy(folder);
    assertEquals(folder.resolve("notes.txt"), left.getFirst());
    assertEquals(logs, left.get(1).getParent());
    assertEquals(2, left.size(), left.toString());
  }

  @Test
  void aLinkLeadsToNoOtherFolder() throws IOException {
    Path foreign = Files.createDirectory(temporary.resolve("foreign"));
    Files.writeString(foreign.resolve("000007.log"), "somebody's");
    Path folder = temporary.resolve("db");
    RocksDb.open(folder).close();
    Files.deleteIfExists(folder.resolve("archive"));
    Files.createSymbolicLink(folder.resolve("archive"), foreign);
    var e = assertThrows(RocksDbException.class, () -> RocksDb.destroy(folder));
    assertTrue(e.getMessage().contains("is a symbolic link"), e.getMessage());
    assertTrue(Files.exists(foreign.resolve("000007.log")));
    assertTrue(Files.exists(folder.resolve("CURRENT")));
  }

  @Test
  void aMissingParentIsAdvisedOn() {
    var e = assertThrows(RocksDbException.class, () -> RocksDb.open(temporary.resolve("no/such")));
    assertTrue(e.getMessage().contains("its parent is not there (Files.createDirectories)"), e.getMessage());
  }

  /** The engine would open it again, and delete the files of the first opening. */
  @Test
  void aDatabaseIsNotOpenTwiceByTwoPaths(@TempDir Path root) throws IOException {
    Path folder = root.resolve("db");
    Path link = Files.createSymbolicLink(root.resolve("link"), folder);
    Path other = Files.createSymbolicLink(root.resolve("other"), root);
    List<Path> all = List.of(folder, link, other.resolve("db"), folder.resolve("../db"), root.resolve("./db"));
    FamilyOptions options = FamilyOptions.defaults();
    RocksDb.at(folder).defaults(options).open().close();
    for (Path first : all) {
      try (RocksDb db = RocksDb.at(first).defaults(options).open()) {
        for (Path second : all) {
          RocksDbException refused =
              assertThrows(RocksDbException.class, () -> RocksDb.at(second).defaults(options).open());
          assertTrue(refused.getMessage().contains("is in use in this process"), refused.getMessage());
        }
        db.put(new byte[] {1}, new byte[] {2});
        db.flush();
        db.files().checkpoint(root.resolve("copy" + all.indexOf(first)));
      }
    }
  }

  @Test
  void anOpeningWhoseFolderCannotBeMadeMakesNoneForItsMessages(@TempDir Path root) throws IOException {
    Path messages = root.resolve("messages");
    Path dangling = Files.createSymbolicLink(root.resolve("dangling"), root.resolve("nowhere"));
    Path file = Files.createFile(root.resolve("file"));
    for (Path bad : List.of(dangling, dangling.resolve("db"), file, root.resolve("missing").resolve("db"))) {
      Opening opening = RocksDb.at(bad).options(DatabaseOptions.defaults().option("db_log_dir", messages));
      RocksDbException failed = assertThrowsExactly(RocksDbException.class, opening::open);
      assertEquals(Code.IO_ERROR, failed.code(), failed.getMessage());
      assertFalse(Files.exists(messages), () -> bad + ": " + failed.getMessage());
    }
  }
}
