/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.examples.follower;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.MergeOperator;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.WriteBatch;

/**
 * A primary that writes a row to both families, and then random batches until a file "stop" exists. Then it writes the
 * number of the last write to the file "last". Its memtables are small, so that the engine deletes WAL files while a
 * follower is away.
 */
final class BusyPrimary {
  static final FamilyOptions OPTIONS =
      FamilyOptions.defaults().mergeOperator(MergeOperator.uint64Add()).writeBufferSize(ByteSize.kib(128));

  private static final int KEYS = 500;
  private static final byte[] FIRST = "first".getBytes(StandardCharsets.UTF_8);

  private BusyPrimary() {}

  /** Takes the folder of the test, and the port. */
  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]);
    Path database = folder.resolve("primary");
    Random random = new Random();
    try (RocksDb db = RocksDb.at(database).defaults(OPTIONS).open()) {
      ColumnFamily family = db.familyOrCreate("numbers", OPTIONS);
      try (Primary primary = new Primary(db, database, Integer.parseInt(arguments[1]))) {
        System.out.println("serves followers at port " + primary.port());
        db.put(FIRST, FIRST);
        family.put(FIRST, number(1));
        while (!Files.exists(folder.resolve("stop"))) {
          write(db, family, random);
        }
        Files.writeString(folder.resolve("last.new"), Long.toString(db.files().latestSequenceNumber()));
        Files.move(folder.resolve("last.new"), folder.resolve("last"));
        Thread.sleep(Long.MAX_VALUE);
      }
    }
  }

  private static void write(RocksDb db, ColumnFamily family, Random random) throws InterruptedException {
    WriteBatch batch = new WriteBatch();
    for (int row = random.nextInt(5); row >= 0; row--) {
      byte[] key = ("key" + random.nextInt(KEYS)).getBytes(StandardCharsets.UTF_8);
      switch (random.nextInt(4)) {
        case 0 -> batch.put(key, new byte[random.nextInt(3000)]);
        case 1 -> batch.delete(key);
        case 2 -> batch.in(family).merge(key, number(random.nextInt(10)));
        default -> batch.in(family).put(key, number(random.nextInt(10)));
      }
    }
    db.write(batch);
    if (random.nextInt(20) == 0) {
      Thread.sleep(1);
    }
  }

  private static byte[] number(long value) {
    return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
  }
}
