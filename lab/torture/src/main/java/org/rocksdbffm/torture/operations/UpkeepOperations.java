/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.operations;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.rocksdbffm.Backup;
import org.rocksdbffm.Backups;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.DatabaseFiles;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyFiles;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeySpace;
import org.rocksdbffm.RateLimiter;
import org.rocksdbffm.Repair;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.torture.world.Attempt;
import org.rocksdbffm.torture.world.ClientBytes;
import org.rocksdbffm.torture.world.FamilyModel;
import org.rocksdbffm.torture.world.Folders;
import org.rocksdbffm.torture.world.Held;
import org.rocksdbffm.torture.world.Operation;
import org.rocksdbffm.torture.world.Place;
import org.rocksdbffm.torture.world.Slot;
import org.rocksdbffm.torture.world.World;

/** Holds files, compacts files, pauses background work and repairs, while other clients use and close the databases. */
public final class UpkeepOperations {
  static final List<Operation> ALL =
      List.of(
          new Operation("holdFiles", 2, UpkeepOperations::hold),
          new Operation("readHold", 4, UpkeepOperations::readHold),
          new Operation("closeHold", 2, UpkeepOperations::closeHold),
          new Operation("copyFiles", 1, UpkeepOperations::copy),
          new Operation("askLevels", 6, UpkeepOperations::askLevels),
          new Operation("compactFiles", 2, UpkeepOperations::compactFiles),
          new Operation("pause", 1, UpkeepOperations::pause),
          new Operation("closePause", 2, UpkeepOperations::closePause),
          new Operation("limitedBackup", 1, UpkeepOperations::limitedBackup),
          new Operation("repair", 1, UpkeepOperations::repair));

  private static final int LONGEST_PAUSE = 20;

  private UpkeepOperations() {}

  private static void hold(Attempt attempt) {
    Held<RocksDb> database = attempt.world.anySlot(attempt.random).database;
    RocksDb db = attempt.use(database);
    allowFlush(attempt);
    DatabaseFiles.Hold hold = attempt.oneIn(2) ? db.files().hold() : db.files().holdWithLogs();
    attempt.world.add(attempt.world.holds, new Held<>(hold, database), attempt);
  }

  private static void allowFlush(Attempt attempt) {
    attempt.allow(Code.TRY_AGAIN); // writes are stopped
    attempt.allow(Code.COLUMN_FAMILY_DROPPED);
    attempt.allow(Code.SHUTDOWN_IN_PROGRESS);
  }

  /** Reads a held file; other clients may close the hold, which allows the deletion of the file. */
  private static void readHold(Attempt attempt) {
    Held<DatabaseFiles.Hold> held = attempt.world.holds.any(attempt.random);
    if (held == null) {
      return;
    }
    DatabaseFiles.HeldFile file = attempt.oneOf(attempt.touch(held).files());
    long size = 0;
    try (InputStream in = file.open()) {
      size = in.transferTo(java.io.OutputStream.nullOutputStream());
    } catch (IOException e) {
      attempt.check(held.mayBeClosed(), "a held file could not be read: " + e);
      return;
    }
    attempt.check(size == file.size().bytes(), size + " bytes read of " + file);
    attempt.check(file.path().endsWith(file.name()), "the path of " + file);
    attempt.check(file.contents().isPresent() == (file.kind() == DatabaseFiles.HeldFile.Kind.CURRENT),
        "the contents of " + file);
    attempt.check(!file.isWhole()
        || file.kind() != DatabaseFiles.HeldFile.Kind.MANIFEST, "a MANIFEST that does not grow");
    attempt.check(file.checksum().isEmpty(), "a checksum that was not written");
  }

  private static void closeHold(Attempt attempt) {
    Held<DatabaseFiles.Hold> held = attempt.world.holds.any(attempt.random);
    if (held != null) {
      held.close(attempt.world.tally);
    }
  }

  /** Checks that a copy has this client's rows, which did not change since it was made. */
  private static void copy(Attempt attempt) {
    Slot slot = attempt.world.anySlot(attempt.random);
    if (!slot.opening.tryLock()) {
      return;
    }
    Path copy = attempt.world.newFolder();
    try {
      RocksDb db = attempt.use(slot.database);
      allowFlush(attempt);
      boolean flush = !slot.store.hasUnloggedWrites && attempt.oneIn(2) ? false : true;
      try (DatabaseFiles.Hold hold = flush ? db.files().hold() : db.files().holdWithLogs()) {
        attempt.check(hold.sequenceNumber() <= db.files().latestSequenceNumber(), "the number of held files");
        Files.createDirectory(copy);
        for (DatabaseFiles.HeldFile file : hold.files()) {
          try (InputStream in = file.open()) {
            Files.copy(in, copy.resolve(file.name()));
          } catch (IOException e) {
            attempt.check(slot.database.mayBeClosed(), "a held file could not be copied: " + e);
            return;
          }
        }
      }
      FamilyModel model = slot.store.family(RocksDb.DEFAULT_COLUMN_FAMILY);
      try (RocksDb opened = RocksDb.at(copy).defaults(World.OPTIONS).open()) {
        for (int i = 0; i < ClientBytes.KEYS; i++) {
          byte[] key = ClientBytes.key(attempt.client.number, i);
          attempt.check(model.of(attempt.client.number).get(key), opened.get(key), "in a copy of files");
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      slot.opening.unlock();
      delete(copy);
    }
  }

  private static KeySpace anySpace(Attempt attempt) {
    Place place = attempt.world.anyPlace(attempt.random);
    if (place.object instanceof KeySpace found) {
      attempt.use(place);
      return found;
    }
    return attempt.use(attempt.world.anySlot(attempt.random).database);
  }

  private static void askLevels(Attempt attempt) {
    KeySpace space = anySpace(attempt);
    int number = 0;
    for (FamilyFiles.Level level : attempt.oneIn(2) ? space.files().levels()
        : space.files().levels(ClientBytes.range(attempt.client.number))) {
      attempt.check(level.number() == number++, "the number of " + level);
      attempt.check(level.equals(new FamilyFiles.Level(number - 1, level.size(), level.files())),
          "a level that is not itself");
      attempt.check(level.size().bytes() >= level.files().size(), "the size of " + level);
    }
    byte[] from = ClientBytes.key(attempt.client.number, attempt.random.nextInt(ClientBytes.KEYS));
    byte[] until = ClientBytes.key(attempt.client.number, attempt.random.nextInt(ClientBytes.KEYS));
    FamilyFiles.SizeOptions options =
        FamilyFiles.SizeOptions.defaults().memtables(attempt.oneIn(2)).blobs(attempt.oneIn(2))
            .errorMargin(attempt.random.nextDouble());
    attempt.check(space.files().approximateSize(KeyRange.between(from, until), options).bytes() >= 0,
        "the size of a range");
    RocksDb db = attempt.use(attempt.world.anySlot(attempt.random).database);
    long before = 0;
    for (DatabaseFiles.LogFile log : db.files().logs()) {
      attempt.check(log.number() > before && log.size().bytes() > 0, "the number of " + log);
      attempt.check(!log.archived() && log.firstSequenceNumber() > 0, "the first number of " + log);
      attempt.check(log.path().startsWith(db.path()), "the path of " + log);
      attempt.check(
          log.equals(new DatabaseFiles.LogFile(log.number(), false, log.firstSequenceNumber(), log.size(), log.path())),
          "a log that is not itself");
      before = log.number();
    }
  }

  /** Compacts files, which other clients and the engine may compact concurrently. */
  private static void compactFiles(Attempt attempt) {
    KeySpace space = anySpace(attempt);
    List<FamilyFiles.LiveFile> chosen = new ArrayList<>();
    space.files().levels().forEach(level -> chosen.addAll(level.files()));
    chosen.removeIf(file -> attempt.oneIn(3));
    attempt.allow(Code.INVALID_ARGUMENT);
    attempt.allow(Code.ABORTED);
    attempt.allow(Code.COLUMN_FAMILY_DROPPED);
    attempt.allow(Code.SHUTDOWN_IN_PROGRESS);
    attempt.allow(IllegalArgumentException.class, "files: there are none .*|level: .*");
    int level = attempt.random.nextInt(9) - 1;
    if (attempt.oneIn(2)) {
      space.files().compact(chosen, level);
    } else {
      FamilyFiles.CompactionOptions options =
          FamilyFiles.CompactionOptions.defaults()
              .fileSize(ByteSize.kib(64))
              .maxSubcompactions(attempt.random.nextInt(3))
              .mayMove(attempt.oneIn(2));
      space.files().compact(chosen, level, options);
    }
  }

  private static void pause(Attempt attempt) {
    Held<RocksDb> database = attempt.world.anySlot(attempt.random).database;
    RocksDb db = attempt.use(database);
    attempt.world.pausesBegun.incrementAndGet();
    Duration atMost = Duration.ofMillis(1 + attempt.random.nextInt(LONGEST_PAUSE));
    DatabaseFiles.Pause pause =
        switch (attempt.random.nextInt(4)) {
          case 0 -> db.files().pauseManualCompactions();
          case 1 -> db.files().pauseDeletions();
          case 2 -> db.files().abortCompactions(atMost);
          default -> db.files().pauseWork(atMost);
        };
    attempt.world.add(attempt.world.pauses, new Held<>(pause, database), attempt);
    attempt.check(pause.isInEffect() || !pause.toString().isEmpty(), "a pause");
  }

  private static void closePause(Attempt attempt) {
    Held<DatabaseFiles.Pause> held = attempt.world.pauses.any(attempt.random);
    if (held != null) {
      held.close(attempt.world.tally);
      attempt.check(!held.object.isInEffect(), "a pause that was closed");
    }
  }

  private static void limitedBackup(Attempt attempt) {
    Path folder = attempt.world.newFolder();
    RocksDb db = attempt.use(attempt.world.anySlot(attempt.random).database);
    try (RateLimiter limiter = RateLimiter.of(ByteSize.mib(500));
        Backups backups = Backups.open(folder, Backups.Options.defaults().sync(false), limiter)) {
      Backup made = backups.create(db, "limited", progress -> {
        if (progress.timeLeft().isNegative()) {
          throw new AssertionError(progress);
        }
      });
      attempt.check(made.note().equals("limited"), "the note of a backup");
    } finally {
      delete(folder);
    }
  }

  private static void repair(Attempt attempt) {
    Path folder = attempt.world.newFolder();
    byte[] key = ClientBytes.key(attempt.client.number, 3);
    byte[] value = ClientBytes.value(attempt.random);
    try {
      try (RocksDb db =
          RocksDb.at(folder)
              .options(DatabaseOptions.defaults().option("file_checksum_gen_factory", "FileChecksumGenCrc32cFactory"))
              .defaults(World.OPTIONS)
              .open()) {
        db.put(key, key);
        db.flush();
        db.files().verifyFileChecksums();
        db.put(key, value);
      }
      Files.delete(folder.resolve("CURRENT"));
      Repair repair =
          attempt.oneIn(2) ? Repair.of(folder, DatabaseOptions.defaults(), World.OPTIONS) : Repair.of(folder);
      attempt.check(repair.equals(new Repair(repair.setAside(), 0)), "the batches that were skipped: " + repair);
      attempt.check(repair.skippedBatches() == 0 && !repair.setAside().isEmpty(), "the outcome: " + repair);
      try (RocksDb db = RocksDb.at(folder).defaults(World.OPTIONS).open()) {
        attempt.check(value, db.get(key), "in a repaired database");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      delete(folder);
    }
  }

  private static void delete(Path folder) {
    try {
      if (Files.isDirectory(folder)) {
        Folders.delete(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
