/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.RocksDb;

/** Pruning deletes only objects that no kept state needs, and verification finds damaged objects. */
class PruneTest {
  private static final Archive.Policy NEWEST =
      new Archive.Policy(Duration.ZERO, Duration.ofDays(1), Duration.ZERO);

  @TempDir Path folder;
  private Archive archive;

  @BeforeEach
  void open() throws Exception {
    archive = Archive.in(FolderStore.open(folder.resolve("store")));
  }

  /** Writes rows, each followed by a base with all writes up to it: the base starts after its family was created. */
  private void writeLines(RocksDb db, Archiver archiver, int lines) throws Exception {
    Await.archived(db, archiver);
    for (int i = 0; i < lines; i++) {
      db.put("key".getBytes(UTF_8), ("value" + i).getBytes(UTF_8));
      Await.archived(db, archiver);
      long before = archiver.status().bases();
      db.createFamily("family" + System.nanoTime(), FamilyOptions.defaults());
      Await.until("a base with the family", () -> archiver.status().bases() > before);
      Await.archived(db, archiver);
    }
  }

  private List<Path> objects() throws Exception {
    try (Stream<Path> files = Files.walk(folder.resolve("store"))) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }

  @Test
  void aPruneKeepsTheNewestBaseAndTheArchiverContinues() throws Exception {
    try (RocksDb db = RocksDb.open(folder.resolve("db"));
        Archiver archiver = archive.start(db, Await.FAST)) {
      writeLines(db, archiver, 4);
      int before = archive.list().bases().size();
      assertTrue(before >= 4, archive.list()::toString);
      Archive.Pruned pruned = archive.prune(NEWEST);
      assertEquals(1, pruned.bases());
      assertTrue(pruned.objects() > 0, pruned::toString);
      assertEquals(1, archive.list().bases().size());
      writeLines(db, archiver, 2);
    }
    assertEquals(List.of(), archive.verify().damages());
    archive.restore(folder.resolve("restored"), Target.newest());
    try (RocksDb restored = RocksDb.open(folder.resolve("restored"))) {
      assertEquals("value1", new String(restored.get("key".getBytes(UTF_8)), UTF_8));
    }
    archive.prune(NEWEST);
    assertEquals(List.of(), archive.verify().damages());
    assertEquals(1, archive.list().bases().size());
  }

  @Test
  void aPruneAfterTheClockWasSetBackKeepsTheNewestBase() throws Exception {
    try (RocksDb db = RocksDb.open(folder.resolve("db"));
        Archiver archiver = archive.start(db, Await.FAST)) {
      writeLines(db, archiver, 2);
    }
    Chain chain = new Chain(FolderStore.open(folder.resolve("store")), Attempts.within(Duration.ZERO));
    assertEquals(1, new Pruning(chain, NEWEST, 0).run().bases());
    assertEquals(1, archive.list().bases().size());
    assertEquals(List.of(), archive.verify().damages());
  }

  @Test
  void anOlderBaseThatIsKeptStaysComplete() throws Exception {
    long sequence;
    try (RocksDb db = RocksDb.open(folder.resolve("db"));
        Archiver archiver = archive.start(db, Await.FAST)) {
      writeLines(db, archiver, 3);
      sequence = db.files().latestSequenceNumber();
      writeLines(db, archiver, 3);
    }
    Archive.Pruned pruned =
        archive.prune(new Archive.Policy(Duration.ZERO, Duration.ofMillis(1), Duration.ofDays(1)));
    assertTrue(pruned.bases() >= 6, pruned::toString);
    assertEquals(List.of(), archive.verify().damages());
    assertTrue(archive.list().bases().stream().anyMatch(base -> base.sequence() == sequence), archive.list()::toString);
    archive.restore(folder.resolve("restored"), Target.sequence(sequence));
    try (RocksDb restored = RocksDb.open(folder.resolve("restored"))) {
      assertEquals("value2", new String(restored.get("key".getBytes(UTF_8)), UTF_8));
    }
  }

  @Test
  void aPolicyWithoutALimitKeepsEverything() throws Exception {
    try (RocksDb db = RocksDb.open(folder.resolve("db"));
        Archiver archiver = archive.start(db, Await.FAST)) {
      writeLines(db, archiver, 3);
    }
    List<Path> before = objects();
    Duration forever = ChronoUnit.FOREVER.getDuration();
    archive.prune(new Archive.Policy(forever, forever, forever));
    assertTrue(objects().containsAll(before));
    assertThrows(
        IllegalArgumentException.class, () -> new Archive.Policy(forever, Duration.ofNanos(999_999), forever));
  }

  @Test
  void aPolicyThatKeepsMoreThanTheLastOneSpoilsNothing() throws Exception {
    try (RocksDb db = RocksDb.open(folder.resolve("db"));
        Archiver archiver = archive.start(db, Await.FAST)) {
      for (int i = 0; i < 4; i++) {
        writeLines(db, archiver, 1);
        for (int segment = 0; segment < 5; segment++) { // which the next prune deletes between two bases
          db.put("key".getBytes(UTF_8), new byte[segment]);
          Await.archived(db, archiver);
        }
      }
      archive.prune(new Archive.Policy(Duration.ZERO, Duration.ofMillis(1), Duration.ofDays(1)));
      writeLines(db, archiver, 2);
    }
    long entries = archive.list().entries();
    Path orphan = folder.resolve("store/files").resolve("0".repeat(64) + "-0000000000000001"); // of an interrupted upload
    Files.write(orphan, new byte[1]);
    archive.prune(new Archive.Policy(Duration.ofDays(1), Duration.ofDays(1), Duration.ofDays(1)));
    assertTrue(Files.notExists(orphan));
    assertTrue(archive.list().entries() > entries, archive.list()::toString);
    assertEquals(List.of(), archive.verify().damages());
    for (Archive.Base base : archive.list().bases()) {
      archive.restore(folder.resolve("restored" + base.entry()), Target.sequence(base.sequence()));
    }
    archive.restore(folder.resolve("restored"), Target.newest());
    try (RocksDb restored = RocksDb.open(folder.resolve("restored"))) {
      assertEquals("value1", new String(restored.get("key".getBytes(UTF_8)), UTF_8));
    }
  }

  @Test
  void anArchiverUsesNoObjectThatAnInterruptedPruneHasDeleted() throws Exception {
    try (RocksDb db = RocksDb.open(folder.resolve("db"));
        Archiver archiver = archive.start(db, Await.FAST)) {
      writeLines(db, archiver, 2);
      archive.restore(folder.resolve("older"), Target.newest());
      db.compact(KeyRange.all());
      writeLines(db, archiver, 1);
    }
    List<Path> entries;
    try (Stream<Path> files = Files.list(folder.resolve("store/log"))) {
      entries = files.toList();
    }
    Path away = Files.createDirectory(folder.resolve("away"));
    for (Path entry : entries) {
      Files.createLink(away.resolve(entry.getFileName()), entry);
    }
    archive.prune(NEWEST);
    for (Path entry : entries) {
      if (Files.notExists(entry)) {
        Files.createLink(entry, away.resolve(entry.getFileName())); // the prune was interrupted before it deleted this
      }
    }
    try (RocksDb db = RocksDb.open(folder.resolve("older"));
        Archiver archiver = archive.start(db, Await.FAST.takingOver())) {
      writeLines(db, archiver, 1);
    }
    assertEquals(List.of(), archive.verify().damages());
  }

  @Test
  void filesOfOtherProgramsStay() throws Exception {
    try (RocksDb db = RocksDb.open(folder.resolve("db"));
        Archiver archiver = archive.start(db, Await.FAST)) {
      writeLines(db, archiver, 2);
    }
    List<Path> others = new ArrayList<>();
    for (String name : List.of("files/Thumbs.db", "files/a b", "files/read.me", "files/x-1", "log/desktop.ini")) {
      others.add(Files.writeString(folder.resolve("store").resolve(name), name));
    }
    assertTrue(archive.prune(NEWEST).objects() > 0);
    for (Path other : others) {
      assertTrue(Files.exists(other), other::toString);
    }
  }

  @Test
  void eachDamagedObjectIsNamedAndNoFolderAppears() throws Exception {
    try (RocksDb db = RocksDb.open(folder.resolve("db"));
        Archiver archiver = archive.start(db, Await.FAST)) {
      db.put("key".getBytes(UTF_8), new byte[1000]);
      Await.archived(db, archiver);
      db.put("key".getBytes(UTF_8), new byte[1000]);
      Await.archived(db, archiver);
    }
    assertEquals(List.of(), archive.verify().damages());
    Path restored = folder.resolve("restored");
    for (Path object : objects()) {
      byte[] whole = Files.readAllBytes(object);
      byte[] changed = whole.clone();
      changed[changed.length / 2] ^= 1;
      Files.write(object, changed, StandardOpenOption.TRUNCATE_EXISTING);
      String name = folder.resolve("store").relativize(object).toString();
      List<String> damaged = archive.verify().damages().stream().map(Damage::object).toList();
      assertTrue(damaged.contains(name), () -> name + " is not in " + damaged);
      if (!name.equals(Chain.name(1))) { // this entry contains only the reason for the line
        assertThrows(Damage.class, () -> archive.restore(restored, Target.newest()), name);
      }
      assertTrue(Files.notExists(restored) && Files.notExists(folder.resolve("restored.tmp")), name);
      Files.delete(object);
      assertTrue(!archive.verify().damages().isEmpty() || isLast(name), name);
      Files.write(object, whole, StandardOpenOption.CREATE_NEW);
    }
    archive.restore(restored, Target.newest());
    assertNotNull(RocksDb.families(restored));
    assertNull(Descent.read(folder.resolve("none")));
  }

  private boolean isLast(String name) throws Exception {
    return name.equals(Chain.name(archive.list().entries() + 1)); // without the newest entry, only its writes are lost
  }
}
