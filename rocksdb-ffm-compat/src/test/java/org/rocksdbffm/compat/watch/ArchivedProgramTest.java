/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.watch;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.archive.Archive;
import org.rocksdbffm.archive.FolderStore;
import org.rocksdbffm.archive.Target;
import org.rocksdbffm.compat.tools.ChildJvm;

/** With a system property that names a store, an unchanged program is archived: each database in a separate place. */
class ArchivedProgramTest {
  private static final String PROPERTY = "-Dorg.rocksdbffm.compat.archive=";

  @TempDir Path folder;

  private Path archives() {
    return folder.resolve("archives");
  }

  private String run(List<String> more, String... arguments) throws IOException {
    List<String> flags = new ArrayList<>(more);
    flags.add(PROPERTY + archives());
    return ChildJvm.run(folder, ArchivedProgram.class, flags, arguments);
  }

  private void read(String operation, String database, List<String> flags) throws IOException {
    ChildJvm.run(folder, ArchivedProgram.class, flags, operation, database);
  }

  private String identity(String database) throws IOException {
    return Files.readString(folder.resolve(database).resolve("IDENTITY")).strip();
  }

  private void restore(String identity, String target) throws IOException {
    Archive.in(FolderStore.open(archives().resolve(identity))).restore(folder.resolve(target), Target.newest());
  }

  private Set<String> places() throws IOException {
    try (Stream<Path> places = Files.list(archives())) {
      return places.map(place -> place.getFileName().toString()).collect(Collectors.toCollection(TreeSet::new));
    }
  }

  @Test
  void eachDatabaseThatIsWrittenIsArchivedAndRestored() throws IOException {
    String output = run(List.of(), "write");
    String store = identity("store");
    String tables = identity("tables");
    assertEquals(new TreeSet<>(Set.of(store, tables, identity("transactions"))), places(), output);
    assertTrue(output.contains("store is archived in " + archives().resolve(store)), output);
    assertFalse(output.contains("is not completely archived"), output);
    restore(store, "restored");
    restore(tables, "restoredTables");
    read("read", "restored", List.of());
    read("readTables", "restoredTables", List.of());
  }

  @Test
  void aMovedDatabaseAndARestoredOneContinueTheirArchive() throws IOException {
    run(List.of(), "write");
    Files.move(folder.resolve("store"), folder.resolve("elsewhere"));
    Set<String> places = places();
    assertFalse(run(List.of(), "read", "elsewhere").contains("is not completely archived"));
    restore(identity("elsewhere"), "restored");
    assertFalse(run(List.of(), "read", "restored").contains("is not completely archived"));
    assertEquals(places, places());
  }

  @Test
  void theArchiveOfEncryptedFilesIsEncrypted() throws IOException {
    Path keys = Files.writeString(folder.resolve("keys"), "k1 " + "0".repeat(64) + "\n");
    List<String> encrypted = List.of("-Dorg.rocksdbffm.compat.encryption=" + keys);
    run(encrypted, "write");
    List<String> restored = new ArrayList<>();
    try (Stream<Path> files = Files.walk(archives())) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertFalse(Files.readString(file, ISO_8859_1).contains("keyValueWithTimestamp"), file::toString);
      }
    }
    for (String place : places()) {
      restored.add("restored-" + place);
      restore(place, restored.getLast());
    }
    assertEquals(3, restored.size());
    long readable = 0;
    for (String database : restored) {
      List<String> words = new ArrayList<>(encrypted);
      words.addAll(List.of("-cp", ChildJvm.classPath(), ArchivedProgram.class.getName(), "read", database));
      readable += ChildJvm.outputOf(folder, words).endsWith("done\n") ? 1 : 0;
    }
    assertEquals(1, readable);
  }

  @Test
  void aCloseEndsAndReportsWritesThatCannotBeStored() throws IOException {
    ChildJvm.run(folder, ArchivedProgram.class, List.of(), "lose");
    Path place = Files.createDirectories(archives().resolve(identity("lost")));
    for (String name : List.of("log", "files")) {
      Files.writeString(place.resolve(name), "no folder, so nothing can be stored in it");
    }
    String output = run(List.of(), "lose");
    assertTrue(output.contains("lost was closed, and is not completely archived in " + place), output);
  }

  @Test
  void aCloseEndsWhileBackgroundWorkIsPaused() throws IOException {
    run(List.of(), "pause");
  }

  @Test
  void aDatabaseIsOpenedAndReportedIfItsArchiveCannotBe() throws IOException {
    ChildJvm.run(folder, ArchivedProgram.class, List.of(), "lose");
    Files.createDirectories(archives());
    Path place = Files.writeString(archives().resolve(identity("lost")), "no folder");
    String output = run(List.of(), "lose");
    assertTrue(output.contains("lost is not archived in " + place + ": java.nio.file."), output);
  }

  private String refused(String property, String classPath) throws IOException {
    return ChildJvm.outputOf(
        folder, List.of(property, "-cp", classPath, ArchivedProgram.class.getName(), "write"));
  }

  @Test
  void aMissingModuleIsNamedAndNothingIsOpened() throws IOException {
    String without =
        Arrays.stream(ChildJvm.classPath().split(File.pathSeparator))
            .filter(entry -> !entry.contains("rocksdb-ffm-archive"))
            .collect(Collectors.joining(File.pathSeparator));
    String output = refused(PROPERTY + archives(), without);
    String message = archives() + ": add rocksdb-ffm-archive to the class path or module path";
    assertTrue(output.contains("RocksDBException: " + PROPERTY + message), output);
    assertFalse(Files.exists(folder.resolve("store")));
  }

  @Test
  void aMissingStoreIsNamedAndNothingIsOpened() throws IOException {
    String output = refused(PROPERTY + "s4://bucket", ChildJvm.classPath());
    assertTrue(output.contains(PROPERTY + "s4://bucket: where: there is no store for s4:, only for file"), output);
    assertFalse(Files.exists(folder.resolve("store")));
  }
}
