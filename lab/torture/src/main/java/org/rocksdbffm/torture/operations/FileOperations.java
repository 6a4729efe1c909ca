/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.operations;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import javax.crypto.spec.SecretKeySpec;
import org.rocksdbffm.Backup;
import org.rocksdbffm.Backups;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.CompactOptions;
import org.rocksdbffm.DatabaseFiles;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.EncryptionKeys;
import org.rocksdbffm.FamilyFiles;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyOrder;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeySpace;
import org.rocksdbffm.Opening;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.StoredOptions;
import org.rocksdbffm.WriteBatch;
import org.rocksdbffm.torture.world.Attempt;
import org.rocksdbffm.torture.world.ClientBytes;
import org.rocksdbffm.torture.world.FamilyModel;
import org.rocksdbffm.torture.world.Held;
import org.rocksdbffm.torture.world.Operation;
import org.rocksdbffm.torture.world.Place;
import org.rocksdbffm.torture.world.Slot;
import org.rocksdbffm.torture.world.World;

/** Lists table files, reads WALs, and makes checkpoints and backups, which other clients close, delete and restore. */
public final class FileOperations {
  static final List<Operation> ALL =
      List.of(
          new Operation("checkpoint", 2, FileOperations::checkpoint),
          new Operation("paths", 2, FileOperations::paths),
          new Operation("askFiles", 10, FileOperations::askFiles),
          new Operation("deleteFiles", 1, FileOperations::deleteFiles),
          new Operation("openStored", 1, FileOperations::openStored),
          new Operation("encrypt", 1, FileOperations::encrypt),
          new Operation("waitForCompact", 1, FileOperations::waitForCompact),
          new Operation("readLog", 4, FileOperations::readLog),
          new Operation("openLog", 3, FileOperations::openLog),
          new Operation("walkLog", 10, FileOperations::walkLog),
          new Operation("closeLog", 1, FileOperations::closeLog),
          new Operation("batchBytes", 4, FileOperations::batchBytes),
          new Operation("openBackups", 3, FileOperations::open),
          new Operation("createBackup", 3, FileOperations::create),
          new Operation("askBackups", 8, FileOperations::ask),
          new Operation("deleteBackups", 2, FileOperations::delete),
          new Operation("restoreBackup", 1, FileOperations::restore),
          new Operation("closeBackups", 2, FileOperations::close));

  private static final int KEPT = 3;

  private FileOperations() {}

  private static void checkpoint(Attempt attempt) {
    Slot slot = attempt.world.anySlot(attempt.random);
    if (!slot.opening.tryLock()) {
      return;
    }
    try {
      RocksDb db = attempt.use(slot.database);
      attempt.check(slot.store.folder.equals(db.path()), "the path");
      Path copy = attempt.world.newFolder();
      db.files().checkpoint(copy);
      checkCopy(copy, slot, attempt);
    } finally {
      slot.opening.unlock();
    }
  }

  /** Checks that the copy has this client's rows, which did not change since it was made. */
  private static void checkCopy(Path copy, Slot slot, Attempt attempt) {
    FamilyModel model = slot.store.family(RocksDb.DEFAULT_COLUMN_FAMILY);
    try (RocksDb opened = RocksDb.at(copy).defaults(World.OPTIONS).open()) {
      for (int i = 0; i < ClientBytes.KEYS; i++) {
        byte[] key = ClientBytes.key(attempt.client.number, i);
        attempt.check(model.of(attempt.client.number).get(key), opened.get(key), "in a copy");
      }
    }
    RocksDb.destroy(copy);
  }

  /** Uses a separate database with two paths; no other database may be opened with either path. */
  private static void paths(Attempt attempt) {
    Path folder = attempt.world.newFolder();
    Path slow = attempt.world.newFolder();
    byte[] key = ClientBytes.key(attempt.client.number, 4);
    FamilyOptions options =
        FamilyOptions.defaults()
            .paths(List.of(new FamilyOptions.StoragePath(folder, ByteSize.kib(1)),
                new FamilyOptions.StoragePath(slow, ByteSize.gib(1))));
    for (int round = 0; round < 2; round++) {
      try (RocksDb db = RocksDb.at(folder).defaults(options).open()) {
        attempt.check(round == 0 ? null : key, db.get(key), "in a folder of tables");
        db.put(key, key);
        db.compact(KeyRange.all(), CompactOptions.defaults().bottommost(CompactOptions.Bottommost.FORCE));
        Path other = attempt.world.newFolder();
        try {
          RocksDb.at(other).defaults(options).open().close();
          attempt.check(false, "two databases in one folder");
        } catch (RocksDbException refused) {
          attempt.check(refused.code() == Code.INVALID_ARGUMENT, "the refusal of a folder: " + refused);
        }
      }
    }
    attempt.check(RocksDb.destroy(folder).isEmpty(), "files are left in folders of tables");
  }

  private static void askFiles(Attempt attempt) {
    RocksDb db = attempt.use(attempt.world.anySlot(attempt.random).database);
    attempt.check(db.files().identity().length() > 8, "the identity");
    for (FamilyFiles.LiveFile file : db.files().live()) {
      attempt.check(file.path().startsWith(db.path()) && file.level() >= 0, "the place of " + file);
      attempt.check(file.entries() >= file.deletions() && file.size().bytes() > 0, "the numbers of " + file);
      attempt.check(file.firstSequenceNumber() <= file.lastSequenceNumber(), "the sequence numbers of " + file);
      attempt.check(
          Arrays.compareUnsigned(file.smallestKey(), file.largestKey()) <= 0 && !file.columnFamily().isEmpty(),
          "the keys of " + file);
    }
    Place place = attempt.world.anyPlace(attempt.random);
    KeySpace space = place.object instanceof KeySpace found ? found : db;
    if (space != db) {
      attempt.use(place);
    }
    byte[] from = ClientBytes.key(attempt.client.number, attempt.random.nextInt(ClientBytes.KEYS));
    byte[] until = ClientBytes.key(attempt.client.number, attempt.random.nextInt(ClientBytes.KEYS));
    attempt.check(space.files().approximateSize(KeyRange.between(from, until)).bytes() >= 0, "the size of a range");
    KeyRange range =
        attempt.oneIn(2) ? KeyRange.after(from) : attempt.oneIn(2) ? KeyRange.through(until) : KeyRange.all();
    attempt.check(space.files().approximateSize(range).bytes() >= 0, "the size of a range with an open end");
    space.files().suggestCompact(attempt.oneIn(2) ? range : KeyRange.between(from, until));
    if (attempt.oneIn(8)) {
      db.files().verifyChecksums();
    }
  }

  /** Reopens a separate database with its stored options, or with the same options for all families. */
  private static void openStored(Attempt attempt) {
    Path folder = attempt.world.newFolder();
    byte[] key = ClientBytes.key(attempt.client.number, 4);
    try (RocksDb db = RocksDb.at(folder).defaults(World.OPTIONS).open()) {
      db.createFamily("other", FamilyOptions.defaults().keyOrder(KeyOrder.REVERSE_BYTEWISE)).put(key, key);
    }
    StoredOptions loaded = StoredOptions.load(folder);
    StoredOptions stored = new StoredOptions(loaded.database(), loaded.families());
    Opening opening =
        attempt.oneIn(2)
            ? RocksDb.at(folder).options(stored.database()).families(stored.families())
            : RocksDb.at(folder).defaults(World.OPTIONS);
    FamilyOptions common = World.OPTIONS.maxWriteBufferNumber(4);
    try (RocksDb db =
        attempt.oneIn(3) ? opening.openReadOnly()
            : opening.defaults(common).family("new", FamilyOptions.defaults()).open()) {
      attempt.check(key, db.family("other").get(key), "with stored options");
    }
    RocksDb.destroy(folder);
  }

  /** Creates an encrypted database, reads it with changed keys, and copies it. */
  private static void encrypt(Attempt attempt) {
    Path folder = attempt.world.newFolder();
    byte[] key = ClientBytes.key(attempt.client.number, 6);
    try {
      Path file = Files.createTempFile("keys", null);
      Files.writeString(file, "k1 " + "0".repeat(64) + "\n");
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      char[] password = "password".toCharArray();
      store.setEntry(
          "k1",
          new KeyStore.SecretKeyEntry(new SecretKeySpec(new byte[32], "AES")),
          new KeyStore.PasswordProtection(password));
      EncryptionKeys ofFile = EncryptionKeys.ofFile(file);
      EncryptionKeys ofStore = EncryptionKeys.ofKeyStore(store, password, List.of("k1"));
      EncryptionKeys changed = () -> List.of(new EncryptionKeys.Key("k2", new byte[32]), ofFile.keys().getFirst());
      attempt.check(changed.keys().getFirst().id().equals("k2"), "the newest key");
      for (EncryptionKeys keys : List.of(ofFile, ofStore, changed)) {
        try (RocksDb db = RocksDb.at(folder).options(DatabaseOptions.defaults().encryption(keys)).open()) {
          db.put(key, key);
          attempt.check(key, db.get(key), "in an encrypted database");
          attempt.check(db.files().useKeys(() -> RocksDb.families(folder)).equals(List.of("default")), "with its keys");
        }
      }
      attempt.check(changed.use(() -> RocksDb.families(folder)).equals(List.of("default")), "families");
      changed.use(() -> RocksDb.destroy(folder));
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Uses a database without automatic compactions, because files in a compaction are not deleted. */
  private static void deleteFiles(Attempt attempt) {
    Path folder = attempt.world.newFolder();
    byte[] key = ClientBytes.key(attempt.client.number, 3);
    try (RocksDb db = RocksDb.at(folder).defaults(World.OPTIONS.disableAutoCompactions(true)).open()) {
      db.put(key, key);
      db.flush();
      db.compact(KeyRange.all(), CompactOptions.defaults().targetLevel(1));
      db.files().deleteWithin(key, key);
      attempt.check(db.get(key) == null && db.files().live().isEmpty(), "a row whose file was deleted");
    }
    RocksDb.destroy(folder);
  }

  private static void waitForCompact(Attempt attempt) {
    attempt.allow(Code.TIMED_OUT);
    RocksDb db = attempt.use(attempt.world.anySlot(attempt.random).database);
    if (attempt.oneIn(2)) {
      db.flushAll();
    }
    db.files().waitForCompact(Duration.ofMillis(1 + attempt.random.nextInt(2000)));
  }

  /** Reads a batch of this client from the WAL, and writes the same rows with it. */
  private static void readLog(Attempt attempt) {
    Path folder = attempt.world.newFolder();
    byte[] key = ClientBytes.key(attempt.client.number, 5);
    long next;
    try (RocksDb db = RocksDb.open(folder)) {
      db.put(key, key);
      try (DatabaseFiles.LogReader log = db.files().logSince(db.files().latestSequenceNumber())) {
        attempt.check(log.next() && log.sequenceNumber() == 1 && log.nextSequenceNumber() == 2, "the first write");
        db.delete(key);
        db.write(WriteBatch.from(MemorySegment.ofArray(log.batch().toBytes())));
        attempt.check(key, db.get(key), "written again from the log");
        attempt.check(log.next() && log.next() && !log.next(), "three writes");
        writeSome(db, attempt);
        while (log.next()) {
          attempt.check(log.batch().count() > 0, "a batch of nothing");
        }
        next = log.nextSequenceNumber();
      }
      if (attempt.oneIn(2)) {
        db.flush();
      }
    }
    readOn(folder, next, attempt);
    RocksDb.destroy(folder);
  }

  /** Writes changes that get no sequence number, or whose last number the flush drops. */
  private static void writeSome(RocksDb db, Attempt attempt) {
    WriteBatch batch = new WriteBatch();
    for (int i = attempt.random.nextInt(4); i >= 0; i--) {
      byte[] key = ClientBytes.key(attempt.client.number, i);
      switch (attempt.random.nextInt(5)) {
        case 0 -> db.deleteRange(key, key.clone());
        case 1 -> batch.deleteRange(key, key.clone());
        case 2 -> batch.put(key, key);
        case 3 -> db.write(new WriteBatch());
        default -> {
          byte[] single = ClientBytes.singleKey(attempt.client.number, i);
          db.put(single, single);
          db.singleDelete(single);
        }
      }
    }
    db.write(batch);
  }

  /** Checks that sequence numbers are not reused after reopening. */
  private static void readOn(Path folder, long next, Attempt attempt) {
    byte[] key = ClientBytes.key(attempt.client.number, 6);
    try (RocksDb db = RocksDb.open(folder)) {
      attempt.check(db.files().latestSequenceNumber() + 1 == next, "the last number after an opening");
      db.put(key, key);
      try (DatabaseFiles.LogReader log = db.files().logSince(next)) {
        attempt.check(log.next() && log.sequenceNumber() == next && !log.next(), "the write after an opening");
      }
    }
    try (RocksDb db = RocksDb.openReadOnly(folder)) {
      attempt.check(key, db.get(key), "read after a close");
    }
  }

  private static void openLog(Attempt attempt) {
    Held<RocksDb> held = attempt.world.anySlot(attempt.random).database;
    RocksDb db = attempt.use(held);
    long from = attempt.oneIn(4) ? attempt.random.nextInt(1000) : db.files().latestSequenceNumber() + 1;
    attempt.world.add(attempt.world.logs, new Held<>(db.files().logSince(from), held), attempt);
  }

  /** Moves a shared WAL reader. Flushes and unlogged writes of other clients cause gaps. */
  private static void walkLog(Attempt attempt) {
    Held<DatabaseFiles.LogReader> held = attempt.world.logs.any(attempt.random);
    if (held == null) {
      return;
    }
    DatabaseFiles.LogReader log = attempt.use(held);
    attempt.share(held);
    attempt.allow(Code.NOT_FOUND);
    attempt.allow(IllegalStateException.class, "(?s).* is not at a batch.*");
    for (int i = 0; i < 5 && log.next(); i++) {
      WriteBatch batch = log.batch();
      attempt.check(batch.count() > 0 && log.sequenceNumber() > 0, "an empty batch in the log");
      attempt.check(log.nextSequenceNumber() > 1, "the next number");
      attempt.check(log.batch(MemorySegment::byteSize) > 12, "a batch without rows where the log has it");
    }
  }

  private static void closeLog(Attempt attempt) {
    Held<DatabaseFiles.LogReader> held = attempt.world.logs.any(attempt.random);
    if (held != null) {
      held.close(attempt.world.tally);
    }
  }

  private static void batchBytes(Attempt attempt) {
    WriteBatch batch = new WriteBatch();
    for (int i = attempt.random.nextInt(5); i >= 0; i--) {
      batch.put(ClientBytes.key(attempt.client.number, i), ClientBytes.value(attempt.random));
    }
    byte[] bytes = batch.toBytes();
    attempt.check(bytes, WriteBatch.from(MemorySegment.ofArray(bytes)).toBytes(), "bytes of bytes");
    for (int i = attempt.random.nextInt(3); i >= 0; i--) {
      bytes[attempt.random.nextInt(bytes.length)] = (byte) attempt.random.nextInt();
    }
    attempt.allow(IllegalArgumentException.class, "bytes: they are no batch: .*");
    WriteBatch.from(MemorySegment.ofArray(bytes).asSlice(0, bytes.length - attempt.random.nextInt(2)));
  }

  private static void open(Attempt attempt) {
    Path folder = attempt.world.newFolder().resolveSibling("backups" + attempt.random.nextInt(4));
    attempt.allow(Code.BUSY); // an unclosed object may use the folder
    Backups.Options options = Backups.Options.defaults().sync(false).threads(1 + attempt.random.nextInt(3));
    Backups backups = attempt.oneIn(2) ? Backups.open(folder) : Backups.open(folder, options);
    attempt.world.add(attempt.world.backups, new Held<>(backups), attempt);
  }

  private static Held<Backups> any(Attempt attempt) {
    return attempt.world.backups.any(attempt.random);
  }

  private static void create(Attempt attempt) {
    Held<Backups> held = any(attempt);
    if (held == null) {
      return;
    }
    Backups backups = attempt.use(held);
    RocksDb db = attempt.use(attempt.world.anySlot(attempt.random).database);
    attempt.allow(Code.NOT_FOUND); // another client may delete the backup
    Backup made = attempt.oneIn(2) ? backups.create(db) : backups.create(db, "of a client");
    attempt.check(made.id() > 0 && made.files() > 0 && made.size().bytes() > 0, "the new backup: " + made);
    attempt.check(!made.time().isAfter(Instant.now()), "a backup of the future");
    if (attempt.oneIn(2)) {
      backups.keepLatest(KEPT);
    }
  }

  private static void ask(Attempt attempt) {
    Held<Backups> held = any(attempt);
    if (held == null) {
      return;
    }
    Backups backups = attempt.use(held);
    int last = 0;
    for (Backup each : backups.list()) {
      attempt.check(each.id() > last, "the order of backups");
      last = each.id();
    }
    if (last > 0 && attempt.oneIn(4)) {
      attempt.allow(Code.NOT_FOUND);
      backups.verify(last);
    }
  }

  private static void delete(Attempt attempt) {
    Held<Backups> held = any(attempt);
    if (held == null) {
      return;
    }
    Backups backups = attempt.use(held);
    List<Backup> list = backups.list();
    attempt.allow(Code.NOT_FOUND);
    attempt.allow(IllegalArgumentException.class, "count: .*");
    if (attempt.oneIn(2) && !list.isEmpty()) {
      backups.delete(attempt.oneOf(list).id());
    } else {
      backups.keepLatest(attempt.random.nextInt(KEPT + 1) - 1);
    }
  }

  /** Makes a backup and restores it, unless another client deletes it. */
  private static void restore(Attempt attempt) {
    Held<Backups> held = any(attempt);
    Slot slot = attempt.world.anySlot(attempt.random);
    if (held == null || !slot.opening.tryLock()) {
      return;
    }
    try {
      Backups backups = attempt.use(held);
      attempt.allow(Code.NOT_FOUND);
      Backup made = backups.create(attempt.use(slot.database));
      Path copy = attempt.world.newFolder();
      boolean isMine = attempt.oneIn(2);
      if (isMine) {
        backups.restore(made.id(), copy);
        checkCopy(copy, slot, attempt);
      } else {
        attempt.check(backups.restoreLatest(copy).id() > 0, "the latest backup");
        RocksDb.destroy(copy);
      }
    } finally {
      slot.opening.unlock();
    }
  }

  private static void close(Attempt attempt) {
    Held<Backups> held = any(attempt);
    if (held != null) {
      held.close(attempt.world.tally);
    }
  }
}
