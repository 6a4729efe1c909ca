/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.folders;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.rocksdbffm.Backups;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.Follower;
import org.rocksdbffm.Repair;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.tools.ChildJvm;

/** No call of this process damages a folder in use, whichever path names the folder. */
class FolderUseTest {
  @TempDir Path temporary;

  private static Stream<Arguments> callsAndWays() {
    return Stream.of(FolderUse.Call.values())
        .flatMap(call -> Stream.of(FolderUse.Way.values()).map(way -> Arguments.of(call, way)));
  }

  @ParameterizedTest
  @MethodSource("callsAndWays")
  void noCallHarmsAFolderThatIsOpen(FolderUse.Call call, FolderUse.Way way) throws IOException {
    FolderUse.attack(temporary.toRealPath(), call, way);
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void noCallHarmsAFolderThatIsMountedTwice() throws Exception {
    Path base = Files.createDirectory(temporary.resolve("base"));
    Path mounted = Files.createDirectory(temporary.resolve("mounted"));
    String[] mount =
        {"unshare", "-rm", "sh", "-c", "mount --bind \"$1\" \"$2\" && shift 2 && exec \"$@\"", "sh", base.toString(),
            mounted.toString()};
    List<String> trial = new ArrayList<>(List.of(mount));
    trial.add("true");
    assumeTrue(new ProcessBuilder(trial).start().waitFor() == 0, "mounts are not for this user");
    ChildJvm.Finished finished =
        ChildJvm.of(FolderUse.class).launchedBy(mount).run(base.toString(), mounted.toString()).assertExit(0);
    assertTrue(finished.output().contains(FolderUse.Call.CHECKPOINT.name()), finished::output);
  }

  /** The ways in which a database uses its folder, in addition to writing, which other tests use. */
  private enum Mode {
    FOR_READING,
    FOLLOWED,
    PINNED
  }

  @ParameterizedTest
  @EnumSource
  void whatIsReadIsNeitherDestroyedNorRepaired(Mode mode) throws IOException {
    Path folder = temporary.resolve("db");
    Path link = Files.createSymbolicLink(temporary.resolve("link"), folder);
    AutoCloseable user;
    try (RocksDb db = RocksDb.open(folder)) {
      FolderUse.fill(db);
      db.put(new byte[1], new byte[10_000]);
      user = switch (mode) {
        case FOR_READING -> RocksDb.at(link).openReadOnly();
        case FOLLOWED -> Follower.open(link);
        case PINNED -> db.getPinned(new byte[1]);
      };
    }
    try (AutoCloseable open = user) {
      for (FolderUse.Call call : List.of(FolderUse.Call.DESTROY, FolderUse.Call.REPAIR)) {
        for (Path path : List.of(folder, link)) {
          assertEquals(Code.BUSY, assertThrowsExactly(RocksDbException.class, () -> call.run(path, null)).code());
        }
      }
    } catch (Exception e) {
      throw new AssertionError(e);
    }
    try (RocksDb db = RocksDb.open(link)) {
      FolderUse.requireRows(db);
    }
    assertEquals(List.of(), RocksDb.destroy(link));
  }

  @Test
  void anotherClassLoaderMeetsTheSameUse() throws Exception {
    Path folder = temporary.resolve("db");
    Path backups = temporary.resolve("backups");
    List<URL> urls = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      urls.add(url(entry));
    }
    try (RocksDb db = RocksDb.open(folder);
        Backups first = Backups.open(backups);
        URLClassLoader other = new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
      FolderUse.fill(db);
      requireBusy(other, "RocksDb", "open", folder);
      requireBusy(other, "RocksDb", "destroy", folder);
      requireBusy(other, "Repair", "of", folder);
      requireBusy(other, "Backups", "open", folder.resolveSibling("./backups"));
      first.create(db);
      ChildJvm.of(OtherBackups.class).run(backups.toString()).assertExit(0);
      FolderUse.requireRows(db);
    }
  }

  private static URL url(String entry) throws MalformedURLException {
    return new File(entry).toURI().toURL();
  }

  private static void requireBusy(ClassLoader loader, String type, String method, Path folder) throws Exception {
    var call = loader.loadClass("org.rocksdbffm." + type).getMethod(method, Path.class);
    Throwable refused = assertThrows(InvocationTargetException.class, () -> call.invoke(null, folder)).getCause();
    assertTrue(refused.getMessage().contains(" is in use in this process ("), refused::toString);
  }

  /** Another process, for which the backup folder is locked. */
  static final class OtherBackups {
    private OtherBackups() {}

    public static void main(String[] folder) {
      RocksDbException refused = assertThrowsExactly(RocksDbException.class, () -> Backups.open(Path.of(folder[0])));
      assertTrue(refused.getMessage().contains("is in use by another process"), refused.getMessage());
    }
  }

  @Test
  void tablesInAFolderOfMessagesAreNotDeleted() throws IOException {
    Path messages = Files.createDirectory(temporary.resolve("messages"));
    Files.writeString(messages.resolve("000012.sst"), "rows of somebody");
    RocksDbException refused =
        assertThrowsExactly(RocksDbException.class,
            () -> FolderUse.Call.DB_LOG_DIR.run(messages, temporary.resolve("db")));
    assertTrue(refused.getMessage().contains("has tables, and it is not known of which database"),
        refused.getMessage());
    assertEquals("rows of somebody", Files.readString(messages.resolve("000012.sst")));
    assertTrue(Files.notExists(temporary.resolve("db")), "nothing is left of an opening that was refused");
  }

  @Test
  void whatIsRefusedOrClosedUsesNothing() {
    for (int i = 0; i < 3; i++) {
      Path folder = temporary.resolve("db");
      assertThrowsExactly(RocksDbException.class, () -> RocksDb.at(folder).mustExist().open());
      RocksDb.open(folder).close();
      FamilyOptions beside = FamilyOptions.defaults().paths(FolderUse.Call.paths(temporary.resolve("beside")));
      assertThrowsExactly(RocksDbException.class,
          () -> RocksDb.at(folder).defaults(beside).family("none", FamilyOptions.defaults()).mustExist().open());
      assertTrue(Files.notExists(temporary.resolve("beside")));
      try (RocksDb other = RocksDb.open(temporary.resolve("beside"))) {
        FolderUse.fill(other);
        RocksDb.open(folder).close();
      }
      RocksDb.destroy(temporary.resolve("beside"));
      assertEquals(List.of(), RocksDb.destroy(folder));
    }
  }

  @Test
  void aNewFolderIsInUseUnderThePathThatItGets() {
    Path folder = temporary.resolve("db");
    try (RocksDb db = RocksDb.open(folder.resolve("../db"))) {
      FolderUse.fill(db);
      assertEquals(Code.BUSY, assertThrowsExactly(RocksDbException.class, () -> RocksDb.destroy(folder)).code());
      FolderUse.requireRows(db);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"TABLES", "LOGS"})
  void aFolderBesideADatabaseIsNotRepairedAsOneOfItsOwn(FolderUse.Place place) throws IOException {
    try (RocksDb db = FolderUse.open(temporary)) {
      FolderUse.fill(db);
    }
    assertEquals(Code.INVALID_ARGUMENT,
        assertThrowsExactly(RocksDbException.class, () -> Repair.of(place.in(temporary))).code());
    try (RocksDb db = FolderUse.open(temporary)) {
      FolderUse.requireRows(db);
    }
  }

  @Test
  void messagesBesideLogsHinderNoReader() {
    Path folder = temporary.resolve("db");
    Path beside = temporary.resolve("beside");
    DatabaseOptions options = DatabaseOptions.defaults().option("wal_dir", beside).option("db_log_dir", beside);
    try (RocksDb db = RocksDb.at(folder).options(options).open()) {
      FolderUse.fill(db);
      try (RocksDb reader = RocksDb.at(folder).options(options).openReadOnly()) {
        FolderUse.requireRows(reader);
      }
    }
  }
}
