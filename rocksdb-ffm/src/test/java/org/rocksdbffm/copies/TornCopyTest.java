/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.copies;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rocksdbffm.Backups;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.DatabaseFiles;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.IndexedBatch;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.Transaction;
import org.rocksdbffm.TransactionDb;
import org.rocksdbffm.TransactionOptions;
import org.rocksdbffm.WriteBatch;
import org.rocksdbffm.WriteOptions;
import org.rocksdbffm.tools.LiveObjectsCheck;

/** Tests that a copy of a database contains each batch that was written without WAL completely, or not at all. */
@ExtendWith(LiveObjectsCheck.class)
final class TornCopyTest {
  private static final byte[] KEY = "key".getBytes();
  private static final WriteOptions UNLOGGED = WriteOptions.defaults().disableWal(true);
  private static final int COPIES = 20;

  @TempDir Path folder;

  private RocksDb db;
  private ColumnFamily one;
  private ColumnFamily two;

  private enum Copy {
    CHECKPOINT {
      @Override
      void make(RocksDb db, Path target) {
        db.files().checkpoint(target);
      }
    },
    BACKUP {
      @Override
      void make(RocksDb db, Path target) {
        restored(Backups.Options.defaults(), db, target);
      }
    },
    BACKUP_WITHOUT_FLUSH {
      @Override
      void make(RocksDb db, Path target) {
        restored(Backups.Options.defaults().flushFirst(false), db, target);
      }
    },
    HOLD {
      @Override
      void make(RocksDb db, Path target) throws IOException {
        held(true, db, target);
      }
    },
    HOLD_WITHOUT_FLUSH {
      @Override
      void make(RocksDb db, Path target) throws IOException {
        held(false, db, target);
      }
    };

    abstract void make(RocksDb db, Path target) throws IOException;

    static void restored(Backups.Options options, RocksDb db, Path target) {
      try (Backups backups = Backups.open(target.resolveSibling("backups"), options)) {
        backups.restore(backups.create(db).id(), target);
      }
    }

    static void held(boolean flushFirst, RocksDb db, Path target) throws IOException {
      Files.createDirectory(target);
      try (DatabaseFiles.Hold hold = flushFirst ? db.files().hold() : db.files().holdWithLogs()) {
        for (DatabaseFiles.HeldFile file : hold.files()) {
          Files.copy(file.open(), target.resolve(file.name()));
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Copy.class)
  void noCopyHasAPartOfABatch(Copy copy) throws Exception {
    check(copy, RocksDb.open(folder.resolve("db")), number -> {
      WriteBatch batch = new WriteBatch();
      batch.in(one).put(KEY, number);
      batch.in(two).put(KEY, number);
      db.with(UNLOGGED).write(batch);
    });
  }

  @ParameterizedTest
  @EnumSource(Copy.class)
  void noCopyHasAPartOfATransaction(Copy copy) throws Exception {
    TransactionDb transactional = TransactionDb.open(folder.resolve("db"));
    TransactionOptions unlogged = TransactionOptions.defaults().writeOptions(UNLOGGED);
    check(copy, transactional, number -> {
      try (Transaction transaction = transactional.begin(unlogged)) {
        transaction.in(one).put(KEY, number);
        transaction.in(two).put(KEY, number);
        transaction.commit();
      }
    });
  }

  @ParameterizedTest
  @EnumSource(Copy.class)
  void noCopyHasAPartOfAnIndexedBatch(Copy copy) throws Exception {
    check(copy, RocksDb.open(folder.resolve("db")), number -> {
      try (IndexedBatch batch = db.indexedBatch()) {
        batch.in(one).put(KEY, number);
        batch.in(two).put(KEY, number);
        batch.write(UNLOGGED);
      }
    });
  }

  @ParameterizedTest
  @EnumSource(Copy.class)
  @Timeout(300)
  void afterAFamilyWhoseNameIsRefusedACopyWaitsForNobody(Copy copy) throws Exception {
    FamilyOptions ordered = FamilyOptions.defaults().keyOrder("by size", (a, b) -> Long.compare(a.size(), b.size()));
    try (RocksDb opened = RocksDb.open(folder.resolve("db"))) {
      opened.put(KEY, KEY);
      for (String name : new String[] {"a\ud800b", "a\0b"}) {
        assertThrows(IllegalArgumentException.class, () -> opened.createFamily(name, ordered));
        assertThrows(IllegalArgumentException.class, () -> opened.createFamilies(Map.of("c", ordered, name, ordered)));
      }
      Path target = folder.resolve("copy");
      copy.make(opened, target);
      try (RocksDb db = RocksDb.at(target).openReadOnly()) {
        assertArrayEquals(KEY, db.get(KEY));
      }
    }
  }

  @Test
  void heldFilesHaveTheUnloggedWritesUpToTheirNumberAndNoLaterOnes() throws Exception {
    AtomicBoolean stop = new AtomicBoolean();
    try (RocksDb opened = RocksDb.open(folder.resolve("db"))) {
      Thread writer = Thread.ofPlatform().start(() -> {
        for (long number = 1; !stop.get(); number++) {
          opened.with(UNLOGGED).put(KEY, Long.toString(number).getBytes()); // with the sequence number of its value
        }
      });
      try {
        for (int copies = 0; copies < COPIES; copies++) {
          Path target = Files.createDirectory(folder.resolve("copy" + copies));
          try (DatabaseFiles.Hold hold = opened.files().hold()) {
            for (DatabaseFiles.HeldFile file : hold.files()) {
              try (InputStream in = file.open()) {
                Files.copy(in, target.resolve(file.name()));
              }
            }
            try (RocksDb copy = RocksDb.at(target).openReadOnly()) {
              byte[] value = copy.get(KEY);
              assertEquals(hold.sequenceNumber(), value == null ? 0 : Long.parseLong(new String(value)));
            }
          }
        }
      } finally {
        stop.set(true);
        writer.join();
      }
    }
  }

  private void check(Copy copy, RocksDb opened, Consumer<byte[]> write) throws Exception {
    AtomicBoolean stop = new AtomicBoolean();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    try (RocksDb _ = opened) {
      db = opened;
      one = db.createFamily("one", FamilyOptions.defaults().option("write_buffer_size", 1 << 16));
      two = db.createFamily("two", FamilyOptions.defaults());
      write.accept("0".getBytes());
      Thread writer = Thread.ofPlatform().start(() -> {
        for (int number = 1; !stop.get(); number++) {
          write.accept(Integer.toString(number).getBytes());
        }
      });
      writer.setUncaughtExceptionHandler((thread, thrown) -> failure.set(thrown));
      try {
        for (int copies = 0; copies < COPIES; copies++) {
          Path target = folder.resolve("copy" + copies);
          copy.make(db, target);
          checkCopy(target);
        }
      } finally {
        stop.set(true);
        writer.join();
      }
      assertArrayEquals(null, failure.get() == null ? null : failure.get().toString().getBytes());
    }
  }

  private static void checkCopy(Path target) {
    try (RocksDb db = RocksDb.at(target).openReadOnly()) {
      byte[] number = db.family("one").get(KEY);
      assertNotNull(number);
      assertArrayEquals(number, db.family("two").get(KEY));
    }
  }
}
