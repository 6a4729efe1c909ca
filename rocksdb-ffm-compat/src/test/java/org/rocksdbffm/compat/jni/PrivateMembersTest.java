/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.jni;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.NativeLibraryLoader;
import org.rocksdb.OptimisticTransactionDB;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksIterator;
import org.rocksdb.RocksObject;
import org.rocksdb.Slice;
import org.rocksdb.Transaction;
import org.rocksdb.WriteOptions;

/** Members of {@code org.rocksdb} that are not public, and that existing programs use by reflection. */
@Tag("oracle")
class PrivateMembersTest {
  private static final byte[] KEY = "key".getBytes(UTF_8);
  private static final byte[] VALUE = "value".getBytes(UTF_8);

  @TempDir Path folder;

  @BeforeAll
  static void load() {
    RocksDB.loadLibrary();
  }

  private static long handleOf(RocksObject object) throws ReflectiveOperationException {
    Field pointer = RocksObject.class.getDeclaredField("nativeHandle_");
    pointer.setAccessible(true);
    return pointer.getLong(object);
  }

  private static Method ofTransaction(String name, Class<?>... parameters) throws ReflectiveOperationException {
    Method method = Transaction.class.getDeclaredMethod(name, parameters);
    method.setAccessible(true);
    assertTrue(Modifier.isStatic(method.getModifiers()));
    return method;
  }

  /** As in a workflow engine that avoids copies of keys. */
  @Test
  void aTransactionIsDrivenByItsPrivateMethodsAndPointers() throws Exception {
    Method put =
        ofTransaction(
            "put", long.class, byte[].class, int.class, int.class, byte[].class, int.class, int.class, long.class,
            boolean.class);
    Method get =
        ofTransaction("get", long.class, long.class, byte[].class, int.class, int.class, long.class);
    Method delete =
        ofTransaction("delete", long.class, byte[].class, int.class, long.class, boolean.class);
    try (Options options = new Options().setCreateIfMissing(true);
        OptimisticTransactionDB db = OptimisticTransactionDB.open(options, folder.toString());
        WriteOptions writes = new WriteOptions();
        ReadOptions reads = new ReadOptions();
        ColumnFamilyHandle family = db.getDefaultColumnFamily();
        Transaction transaction = db.beginTransaction(writes)) {
      long its = handleOf(transaction);
      put.invoke(null, its, KEY, 0, KEY.length, VALUE, 0, VALUE.length, handleOf(family), false);
      assertArrayEquals(VALUE, (byte[]) get.invoke(null, its, handleOf(reads), KEY, 0, KEY.length, handleOf(family)));
      transaction.commit();
      assertArrayEquals(VALUE, db.get(KEY));
      try (Transaction next = db.beginTransaction(writes)) {
        delete.invoke(null, handleOf(next), KEY, KEY.length, handleOf(family), false);
        next.commit();
      }
      assertNull(db.get(KEY));
    }
  }

  /** Some stream processors unpack the library again after a failure. */
  @Test
  void theLoaderForgetsThatItLoaded() throws Exception {
    Field initialized = NativeLibraryLoader.class.getDeclaredField("initialized");
    initialized.setAccessible(true);
    initialized.setBoolean(null, false);
    NativeLibraryLoader.getInstance().loadLibrary(folder.toString());
    RocksDB.loadLibrary();
    assertEquals("11.8.1", RocksDB.rocksdbVersion().toString());
  }

  /** As in an object store whose subclasses observe the close. */
  @Test
  void aSubclassSeesItsPointerAndItsEnd() throws Exception {
    boolean[] closed = new boolean[1];
    class Watched extends Slice {
      Watched(byte[] data) {
        super(data);
      }

      @Override
      public synchronized long getNativeHandle() {
        return super.getNativeHandle();
      }

      @Override
      protected void disposeInternal() {
        super.disposeInternal();
        closed[0] = true;
      }
    }
    try (Options options = new Options().setCreateIfMissing(true);
        RocksDB db = RocksDB.open(options, folder.toString());
        Watched upper = new Watched("b".getBytes(UTF_8));
        ReadOptions bounded = new ReadOptions().setIterateUpperBound(upper)) {
      assertTrue(upper.getNativeHandle() != 0);
      db.put("a".getBytes(UTF_8), VALUE);
      db.put("b".getBytes(UTF_8), VALUE);
      try (RocksIterator iterator = db.newIterator(bounded)) {
        iterator.seekToFirst();
        assertTrue(iterator.isValid());
        iterator.next();
        assertFalse(iterator.isValid());
      }
      assertFalse(closed[0]);
    }
    assertTrue(closed[0]);
  }
}
