/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.jni;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.AbstractTransactionNotifier;
import org.rocksdb.FlushJobInfo;
import org.rocksdb.FlushOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Snapshot;
import org.rocksdb.Status;
import org.rocksdb.Transaction;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.WriteOptions;
import org.rocksdbffm.compat.tools.ChildJvm;

/** RocksDB's JNI entry points, called with a JNIEnv made of upcalls. */
class JniCallTest {
  private static final MethodHandle NEW_SLICE =
      link("Slice_createNewSlice1", long.class, byte[].class);
  private static final MethodHandle SLICE_DATA = link("Slice_data0", byte[].class, long.class);
  private static final MethodHandle DISPOSE_SLICE = link("AbstractSlice_disposeInternalJni", void.class, long.class);
  private static final MethodHandle DISPOSE_BYTES =
      link("Slice_disposeInternalBuf", void.class, long.class, long.class);

  private static MethodHandle link(String name, Class<?> result, Class<?>... parameters) {
    RocksDB.loadLibrary();
    return EntryPoint.link(
        "Java_org_rocksdb_" + name, MethodType.methodType(result, parameters).insertParameterTypes(0, Object.class));
  }

  private static byte[] throughTheEngine(byte[] bytes) throws Throwable {
    long slice = (long) NEW_SLICE.invokeExact((Object) null, bytes);
    byte[] back = (byte[]) SLICE_DATA.invokeExact((Object) null, slice);
    DISPOSE_BYTES.invokeExact((Object) null, slice, 0L);
    DISPOSE_SLICE.invokeExact((Object) null, slice);
    return back;
  }

  @Test
  void anArrayGoesToTheEngineAndComesBack() throws Throwable {
    byte[] bytes = "some bytes".getBytes(UTF_8);
    byte[] back = throughTheEngine(bytes);
    assertArrayEquals(bytes, back);
    assertFalse(bytes == back);
    assertArrayEquals(new byte[0], throughTheEngine(new byte[0]));
    byte[] large = new byte[3 << 20];
    large[large.length - 1] = 7;
    assertArrayEquals(large, throughTheEngine(large));
  }

  @Test
  void nullWhereTheEngineNeedsAnArrayIsAnException() {
    assertEquals(
        "C uses null as a reference", assertThrows(NullPointerException.class, () -> throughTheEngine(null))
            .getMessage());
  }

  @Test
  void aTextGoesToTheEngineAndComesBack() throws Throwable {
    MethodHandle create = link("AbstractSlice_createNewSliceFromString", long.class, String.class);
    MethodHandle text = link("AbstractSlice_toString0", String.class, long.class, boolean.class);
    long slice = (long) create.invokeExact((Object) null, "bücher \uD83D\uDCDA");
    assertEquals("bücher \uD83D\uDCDA", (String) text.invokeExact((Object) null, slice, false));
    assertEquals("62C3BC63686572", ((String) text.invokeExact((Object) null, slice, true)).substring(0, 14));
    DISPOSE_BYTES.invokeExact((Object) null, slice, 0L);
    DISPOSE_SLICE.invokeExact((Object) null, slice);
  }

  @Test
  void whatTheEngineThrowsIsThrownWithItsStatus(@TempDir Path folder) {
    MethodHandle open = link("RocksDB_open__JLjava_lang_String_2", long.class, long.class, String.class);
    try (Options options = new Options()) {
      RocksDBException failure =
          assertThrows(
              RocksDBException.class,
              () -> {
                long db = (long) open.invokeExact(
                    (Object) null, options.getNativeHandle(), folder.resolve("absent").toString());
              });
      assertEquals(Status.Code.InvalidArgument, failure.getStatus().getCode());
      assertTrue(failure.getMessage().endsWith("does not exist (create_if_missing is false)"), failure.getMessage());
    }
  }

  @Test
  @SuppressWarnings("unchecked")
  void theEngineMakesObjectsAndCallsTheirMethods(@TempDir Path folder) throws Throwable {
    MethodHandle properties =
        link("RocksDB_getMapProperty", Map.class, long.class, long.class, String.class, int.class);
    String name = "rocksdb.cfstats";
    try (Options options = new Options().setCreateIfMissing(true);
        RocksDB db = RocksDB.open(options, folder.toString())) {
      Map<String, String> map =
          (Map<String, String>) properties.invokeExact((Object) null, db.getNativeHandle(), 0L, name, name.length());
      assertTrue(map.containsKey("compaction.Sum.KeyIn"), map.toString());
    }
  }

  @Test
  void theEngineCallsJavaOnItsOwnThreads(@TempDir Path folder) throws Exception {
    Set<String> threads = ConcurrentHashMap.newKeySet();
    CountDownLatch flushed = new CountDownLatch(1);
    AbstractEventListener listener =
        new AbstractEventListener() {
          @Override
          public void onFlushCompleted(RocksDB db, FlushJobInfo info) {
            threads.add(Thread.currentThread().getName());
            assertEquals("default", info.getColumnFamilyName());
            assertTrue(info.getFilePath().endsWith(".sst"));
            flushed.countDown();
          }
        };
    try (Options options = new Options().setCreateIfMissing(true).setListeners(List.of(listener));
        FlushOptions flush = new FlushOptions();
        RocksDB db = RocksDB.open(options, folder.toString())) {
      db.put(new byte[] {1}, new byte[] {2});
      db.flush(flush);
      assertTrue(flushed.await(60, TimeUnit.SECONDS));
    }
    assertFalse(threads.contains(Thread.currentThread().getName()));
  }

  @Test
  void whatJavaThrowsIntoTheEngineIsLoggedAndTheEngineGoesOn(@TempDir Path folder) throws Exception {
    try (Options options = new Options().setCreateIfMissing(true);
        TransactionDBOptions transactionDbOptions = new TransactionDBOptions();
        TransactionDB db = TransactionDB.open(options, transactionDbOptions, folder.toString());
        WriteOptions write = new WriteOptions();
        Transaction transaction = db.beginTransaction(write);
        AbstractTransactionNotifier notifier =
            new AbstractTransactionNotifier() {
              @Override
              public void snapshotCreated(Snapshot snapshot) {
                throw new IllegalArgumentException("thrown by a test: it is to be logged");
              }
            }) {
      transaction.setSnapshotOnNextOperation(notifier);
      transaction.put(new byte[] {1}, new byte[] {2});
      transaction.commit();
      assertArrayEquals(new byte[] {2}, db.get(new byte[] {1}));
    }
  }

  @Test
  void aProcessEndsWhileTheEnginesThreadsBelongToTheJvm(@TempDir Path folder) throws IOException {
    assertEquals("done\n", ChildJvm.run(folder, Ending.class, List.of()));
  }

  static final class Ending {
    public static void main(String[] arguments) throws Exception {
      AtomicInteger flushes = new AtomicInteger();
      AbstractEventListener listener =
          new AbstractEventListener() {
            @Override
            public void onFlushCompleted(RocksDB db, FlushJobInfo info) {
              flushes.incrementAndGet();
            }
          };
      Options options = new Options().setCreateIfMissing(true).setListeners(List.of(listener));
      RocksDB db = RocksDB.open(options, "db");
      db.put(new byte[] {1}, new byte[] {2});
      db.flush(new FlushOptions());
      System.out.println(flushes.get() == 1 ? "done" : "not flushed");
      System.exit(0);
    }
  }

  @Test
  void aReferenceMeansSomethingInItsCallOnly() throws Throwable {
    throughTheEngine(new byte[1]);
    assertNull(JniCall.current());
  }

  @Test
  void manyThreadsCallAtOnce() {
    IntStream.range(0, 2000)
        .parallel()
        .forEach(
            i -> {
              byte[] bytes = ("thread's " + i).getBytes(UTF_8);
              try {
                assertArrayEquals(bytes, throughTheEngine(bytes));
              } catch (Throwable e) {
                throw new AssertionError(e);
              }
            });
  }

  @Test
  void aFullStackIsAnErrorAndNoCrash(@TempDir Path folder) throws IOException {
    assertEquals("overflowed\n", ChildJvm.run(folder, FullStack.class, List.of("-Xss512k")));
  }

  static final class FullStack {
    public static void main(String[] arguments) throws Throwable {
      throughTheEngine(new byte[1]);
      for (int i = 0; i < 50; i++) {
        try {
          deeper(i % 7);
        } catch (StackOverflowError e) {
          continue;
        }
        throw new AssertionError("the stack has no end");
      }
      System.out.println("overflowed");
    }

    private static int deeper(int offset) throws Throwable {
      throughTheEngine(new byte[1]);
      return offset == 0 ? deeper(0) + 1 : deeper(offset - 1) + offset;
    }
  }
}
