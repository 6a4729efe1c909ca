/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.operations;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.FamilyFiles;
import org.rocksdbffm.Follower;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.TableReader;
import org.rocksdbffm.TableWriter;
import org.rocksdbffm.torture.world.Attempt;
import org.rocksdbffm.torture.world.ClientBytes;
import org.rocksdbffm.torture.world.FamilyModel;
import org.rocksdbffm.torture.world.Folders;
import org.rocksdbffm.torture.world.Held;
import org.rocksdbffm.torture.world.Operation;
import org.rocksdbffm.torture.world.Slot;
import org.rocksdbffm.torture.world.World;
import org.rocksdbffm.torture.world.WrongAnswer;
import org.rocksdbffm.torture.world.Yard;

/** Writes table files and ingests them, exports column families and imports them, and follows a database. */
public final class TableOperations {
  static final List<Operation> ALL =
      List.of(
          new Operation("ingest", 4, TableOperations::ingest),
          new Operation("ingestIntoFamilies", 1, TableOperations::ingestIntoFamilies),
          new Operation("readTables", 1, TableOperations::readTables),
          new Operation("beginTable", 3, TableOperations::begin),
          new Operation("writeTable", 10, TableOperations::write),
          new Operation("endTable", 3, TableOperations::end),
          new Operation("moveFamily", 1, TableOperations::moveFamily),
          new Operation("follow", 1, TableOperations::follow));

  private TableOperations() {}

  /** Ingests a table with a current row of this client, so that the database's rows do not change. */
  private static void ingest(Attempt attempt) {
    Slot slot = attempt.world.anySlot(attempt.random);
    if (!slot.opening.tryLock()) {
      return;
    }
    Path file = attempt.world.newFolder();
    try {
      RocksDb db = attempt.use(slot.database);
      FamilyModel model = slot.store.family(RocksDb.DEFAULT_COLUMN_FAMILY);
      byte[] key = ClientBytes.key(attempt.client.number, attempt.random.nextInt(ClientBytes.KEYS));
      byte[] value = model.of(attempt.client.number).get(key);
      try (TableWriter table = TableWriter.create(file, World.OPTIONS)) {
        if (value == null) {
          table.delete(key);
        } else {
          table.put(key, value);
        }
        TableWriter.TableFile written = table.finish();
        attempt.check(written.entries() == 1 && written.rangeDeletions() == 0, "the entries of " + written);
        attempt.check(written.path().equals(file) && written.size().bytes() == file.toFile().length(), "the size");
        attempt.check(key, written.smallestKey(), "the smallest key");
        attempt.check(key, written.largestKey(), "the largest key");
      }
      if (attempt.oneIn(2)) {
        db.files().ingest(file);
      } else {
        db.files().ingest(List.of(file),
            FamilyFiles.IngestOptions.defaults().move(attempt.oneIn(2)).verifyChecksums(attempt.oneIn(2)));
      }
      attempt.check(value, db.get(key), "ingested");
    } finally {
      slot.opening.unlock();
      delete(file);
    }
  }

  /** Ingests a file into each of two families of a separate database. */
  private static void ingestIntoFamilies(Attempt attempt) {
    Path folder = attempt.world.newFolder();
    byte[] key = ClientBytes.key(attempt.client.number, 4);
    byte[] value = ClientBytes.value(attempt.random);
    List<Path> files = List.of(attempt.world.newFolder(), attempt.world.newFolder());
    try (RocksDb db = RocksDb.at(folder).defaults(World.OPTIONS).open()) {
      ColumnFamily other = db.createFamily("other", World.OPTIONS);
      for (Path file : files) {
        try (TableWriter table = TableWriter.create(file, World.OPTIONS)) {
          table.put(key, value);
          table.finish();
        }
      }
      ColumnFamily first = db.family(RocksDb.DEFAULT_COLUMN_FAMILY);
      db.files().ingest(
          Map.of(first, files.subList(0, 1), other, files.subList(1, 2)),
          FamilyFiles.IngestOptions.defaults().move(attempt.oneIn(2)));
      attempt.check(value, db.get(key), "ingested into the first of two families");
      attempt.check(value, other.get(key), "ingested into the second of two families");
    } finally {
      files.forEach(TableOperations::delete);
    }
    RocksDb.destroy(folder);
  }

  private static void begin(Attempt attempt) {
    TableWriter table = TableWriter.create(attempt.world.newFolder(), World.OPTIONS);
    attempt.world.add(attempt.world.tables, new Held<>(table), attempt);
  }

  /** Writes to a shared table file, which other clients write, finish and close. */
  private static void write(Attempt attempt) {
    Held<TableWriter> held = attempt.world.tables.any(attempt.random);
    if (held == null) {
      return;
    }
    TableWriter table = attempt.use(held);
    attempt.share(held);
    attempt.allow(IllegalStateException.class, "(?s)table file .* is finished.*");
    attempt.allow(IllegalArgumentException.class, "(?s)key: .* does not come behind .*|until: .*");
    attempt.allow(UnsupportedOperationException.class, "singleDelete: .*");
    byte[] key = ClientBytes.key(attempt.client.number, attempt.random.nextInt(ClientBytes.KEYS));
    switch (attempt.random.nextInt(7)) {
      case 6 ->
          table.deleteRange(
              KeyRange.closed(key, ClientBytes.key(attempt.client.number, attempt.random.nextInt(ClientBytes.KEYS))));
      case 0 -> table.delete(key);
      case 1 -> table.merge(key, key);
      case 2 ->
          table.deleteRange(key, ClientBytes.key(attempt.client.number, attempt.random.nextInt(ClientBytes.KEYS)));
      case 3 -> table.singleDelete(key);
      case 4 -> attempt.check(table.size().bytes() >= 0, "the size so far");
      default -> table.put(key, ClientBytes.value(attempt.random));
    }
  }

  /** Reads the entries and properties of the files of a separate database. */
  private static void readTables(Attempt attempt) {
    Path folder = attempt.world.newFolder();
    byte[] key = ClientBytes.key(attempt.client.number, 5);
    byte[] value = ClientBytes.value(attempt.random);
    try (RocksDb db = RocksDb.at(folder).defaults(World.OPTIONS).open()) {
      db.put(key, value);
      byte[] other = ClientBytes.key(attempt.client.number, 6);
      db.deleteRange(KeyRange.closed(other, other));
      db.flush();
      List<TableReader.Kind> kinds = new ArrayList<>();
      db.files().properties(KeyRange.all()).forEach((file, properties) -> {
        TableReader table = TableReader.of(file.path());
        attempt.check(properties.names().equals(table.properties().names()), "the names of properties");
        attempt.check(properties.number("rocksdb.num.entries").orElse(0) == file.entries(), "entries of " + table);
        attempt.check(properties.text("rocksdb.column.family.name").orElse("").equals("default"), "the family");
        table.forEach((kind, sequence, each, of) -> {
          kinds.add(kind);
          attempt.check(sequence > 0, "an entry without a sequence number");
          if (kind == TableReader.Kind.VALUE) {
            attempt.check(key, each.toArray(ValueLayout.JAVA_BYTE), "the key of an entry");
            attempt.check(value, of.toArray(ValueLayout.JAVA_BYTE), "the value of an entry");
          }
        });
      });
      attempt.check(
          kinds.equals(List.of(TableReader.Kind.RANGE_DELETION, TableReader.Kind.VALUE)), "entries: " + kinds);
    }
    RocksDb.destroy(folder);
  }

  private static void end(Attempt attempt) {
    Held<TableWriter> held = attempt.world.tables.any(attempt.random);
    if (held == null) {
      return;
    }
    if (attempt.oneIn(2)) {
      held.close(attempt.world.tally);
      return;
    }
    TableWriter table = attempt.use(held);
    attempt.share(held);
    attempt.allow(IllegalStateException.class, "(?s)table file .* (is finished|has no entries).*");
    table.finish();
  }

  private static void moveFamily(Attempt attempt) {
    Path folder = attempt.world.newFolder();
    Path files = attempt.world.newFolder();
    byte[] key = ClientBytes.key(attempt.client.number, 3);
    try (RocksDb db = RocksDb.at(folder).defaults(World.OPTIONS).open()) {
      db.put(key, key);
      try (FamilyFiles.ExportedFamily exported = db.files().export(files)) {
        attempt.check(exported.folder().equals(files), "the folder of an export");
        exported.save();
        try (FamilyFiles.ExportedFamily opened = FamilyFiles.ExportedFamily.open(files)) {
          ColumnFamily copied =
              db.importFamily("copied", World.OPTIONS, opened, FamilyFiles.ExportedFamily.Transfer.COPY);
          attempt.check(key, copied.get(key), "imported by its saved description");
        }
        boolean move = attempt.oneIn(2);
        ColumnFamily imported = db.importFamily("imported", World.OPTIONS, exported, move
            ? FamilyFiles.ExportedFamily.Transfer.MOVE : FamilyFiles.ExportedFamily.Transfer.COPY);
        attempt.check(key, imported.get(key), "imported");
      }
    }
    RocksDb.destroy(folder);
    delete(files);
  }

  private static void follow(Attempt attempt) {
    Path folder = attempt.world.newFolder();
    Path path = attempt.world.newFolder();
    Path logs = attempt.oneIn(2) ? folder : attempt.world.newFolder();
    byte[] key = ClientBytes.key(attempt.client.number, 3);
    byte[] value = ClientBytes.value(attempt.random);
    try (RocksDb db = Yard.opening(folder, logs, null, null).open()) {
      lead(path, folder);
      db.put(key, key);
      try (Follower follower = follower(attempt, path)) {
        byte[] before = follower.read(reading -> reading.get(key));
        attempt.check(key, before, "in a follower");
        db.put(key, value);
        if (attempt.oneIn(2)) {
          db.flush();
        }
        follower.catchUp();
        byte[] now = follower.read(reading -> reading.get(key));
        attempt.check(value, now, "in a follower that has caught up");
        if (attempt.oneIn(2)) {
          followTo(attempt, follower, path, key);
        } else if (attempt.oneIn(2)) {
          attempt.allow(Code.NOT_SUPPORTED);
          follower.read(reading -> {
            reading.put(key, key);
            throw new WrongAnswer("a follower was written to");
          });
        }
      }
    } finally {
      delete(path);
      RocksDb.destroy(folder);
    }
  }

  /** Replaces the followed database with another one that has the same key and the same file names. */
  private static void followTo(Attempt attempt, Follower follower, Path path, byte[] key) {
    Path other = attempt.world.newFolder();
    byte[] value = ClientBytes.value(attempt.random);
    try (RocksDb db = Yard.opening(other, null, null, null).open()) {
      db.put(key, value);
      lead(path, other);
      follower.catchUp();
      byte[] now = follower.read(reading -> reading.get(key));
      attempt.check(value, now, "in a follower whose path leads to another database");
    } finally {
      follower.close(); // the follower uses the other folder
      RocksDb.destroy(other);
    }
  }

  /** Makes a symbolic link to a folder. */
  private static void lead(Path link, Path folder) {
    try {
      Files.deleteIfExists(link);
      Files.createSymbolicLink(link, folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Follower follower(Attempt attempt, Path folder) {
    return switch (attempt.random.nextInt(3)) {
      case 0 -> Follower.open(folder);
      case 1 -> RocksDb.at(folder).defaults(World.OPTIONS).openFollower();
      default -> RocksDb.at(folder).defaults(World.OPTIONS).family(RocksDb.DEFAULT_COLUMN_FAMILY, World.OPTIONS)
          .openFollower();
    };
  }

  private static void delete(Path path) {
    try {
      if (Files.isDirectory(path)) {
        Folders.delete(path);
      } else {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
