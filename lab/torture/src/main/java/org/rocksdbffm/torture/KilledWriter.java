/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.EncryptionKeys;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeySpace;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.WriteBatch;
import org.rocksdbffm.WriteOptions;

/**
 * Writes with several threads until it is killed, and records acknowledged writes in a {@link Ledger}. Small buffers
 * cause constant flushes and compactions. Arguments: the folder, and a number that identifies the rows of this run.
 */
final class KilledWriter {
  /** Writers of synced single writes, unsynced single writes, synced batches, and unsynced batches. */
  static final int WRITERS = 4;

  static final int BATCH = 7;
  static final String OTHER = "other";

  static final FamilyOptions OPTIONS =
      FamilyOptions.defaults()
          .writeBufferSize(ByteSize.kib(64))
          .targetFileSizeBase(ByteSize.kib(64));

  private KilledWriter() {}

  public static void main(String[] arguments) {
    Path folder = Path.of(arguments[0]);
    int run = Integer.parseInt(arguments[1]);
    RocksDb db = open(folder);
    if (db.families().size() == 1) {
      db.createFamily(OTHER, OPTIONS);
    }
    for (int writer = 0; writer < WRITERS; writer++) {
      int number = writer;
      Thread.ofPlatform().start(() -> write(db, folder, run, number));
    }
  }

  /** Opens the database, with the keys in the folder, if there are any. */
  static RocksDb open(Path folder) {
    Path keys = folder.resolve("keys");
    DatabaseOptions plain = DatabaseOptions.defaults();
    DatabaseOptions options = Files.exists(keys) ? plain.encryption(EncryptionKeys.ofFile(keys)) : plain;
    return RocksDb.at(folder.resolve("db")).options(options).defaults(OPTIONS).open();
  }

  private static boolean isSynced(int writer) {
    return writer % 2 == 0;
  }

  static boolean isBatch(int writer) {
    return writer >= 2;
  }

  private static void write(RocksDb db, Path folder, int run, int writer) {
    Ledger ledger = new Ledger(folder, writer);
    KeySpace space = db.with(WriteOptions.defaults().sync(isSynced(writer)));
    ColumnFamily other = db.family(OTHER);
    for (long number = 0; ; number++) {
      byte[] value = value(run, writer, number);
      if (isBatch(writer)) {
        WriteBatch batch = new WriteBatch();
        for (int i = 0; i < BATCH; i++) {
          (i % 2 == 0 ? batch : batch.in(other)).put(key(run, writer, i), value);
        }
        space.write(batch);
      } else {
        space.put(key(run, writer, number), value);
      }
      ledger.promised(number);
    }
  }

  static byte[] key(int run, int writer, long number) {
    return ByteBuffer.allocate(16).putInt(run).putInt(writer).putLong(number).array();
  }

  /** Returns a value that contains the number of its write. */
  static byte[] value(int run, int writer, long number) {
    byte[] value = new byte[(int) (8 + (number * 37 + writer) % 900)];
    new Random(run * 31L + writer + number * 1009).nextBytes(value);
    ByteBuffer.wrap(value).putLong(number);
    return value;
  }

  static long numberOf(byte[] value) {
    return ByteBuffer.wrap(value).getLong();
  }

  static boolean isValue(byte[] value, int run, int writer) {
    return value.length >= Long.BYTES && Arrays.equals(value, value(run, writer, numberOf(value)));
  }
}
