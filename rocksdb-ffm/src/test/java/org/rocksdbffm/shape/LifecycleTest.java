/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.shape;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.rocksdbffm.Backups;
import org.rocksdbffm.BlockCache;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.Cursor;
import org.rocksdbffm.DatabaseFiles;
import org.rocksdbffm.DatabaseMetrics;
import org.rocksdbffm.Entity;
import org.rocksdbffm.FamilyFiles;
import org.rocksdbffm.FamilyMetrics;
import org.rocksdbffm.Follower;
import org.rocksdbffm.IndexedBatch;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeyReader;
import org.rocksdbffm.KeySpace;
import org.rocksdbffm.MemoryBudget;
import org.rocksdbffm.MultiGet;
import org.rocksdbffm.OptimisticTransactionDb;
import org.rocksdbffm.PinnedValue;
import org.rocksdbffm.PinnedValues;
import org.rocksdbffm.RateLimiter;
import org.rocksdbffm.ReadOptions;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RowCache;
import org.rocksdbffm.Scan;
import org.rocksdbffm.Snapshot;
import org.rocksdbffm.SstFileManager;
import org.rocksdbffm.TableWriter;
import org.rocksdbffm.Transaction;
import org.rocksdbffm.TransactionDb;
import org.rocksdbffm.TransactionalDb;
import org.rocksdbffm.WriteBatch;
import org.rocksdbffm.tools.LiveObjectsCheck;

/**
 * Tests every public type with a lifecycle, in every state: each public method, found by reflection, returns or throws
 * a documented exception.
 */
@ExtendWith(LiveObjectsCheck.class)
final class LifecycleTest {
  private static final int THREADS = 8;

  /** The methods that need no native object, and so may return after a close. */
  private static final Pattern ALWAYS =
      Pattern.compile(
          ".*\\.(close|multiGet|with|async|asyncWriter|typed|entities|files|metrics|pins)\\(.*|Pins\\..*"
              + "|MultiGet\\.(add|clear|count)\\(.*");

  /** More of them. */
  private static final Set<String> ALWAYS_TOO =
      Set.of(
          "RocksDb.family(String)",
          "RocksDb.families()",
          "RocksDb.path()",
          "ColumnFamily.id()",
          "ColumnFamily.name()",
          "Scan.stream(Function)",
          "AsyncReader.get(byte[])",
          "AsyncReader.getPinned(byte[])",
          "Entity.count()",
          "Entity.size()",
          "PinnedValue.publisher()",
          "PinnedValue.size()",
          "PinnedValues.count()",
          "PinnedValues.isPresent(int)",
          "PinnedValues.size(int)",
          "Transaction.isOpen()",
          "Transaction.preparedName()",
          "Transaction.forUpdate()",
          "Transaction.toShare()",
          "IndexedBatch.in(ColumnFamily)",
          "IndexedBatch.in(TypedKeys)",
          "DatabaseFiles.Hold.sequenceNumber()",
          "DatabaseFiles.Pause.isInEffect()",
          "FamilyFiles.ExportedFamily.folder()");

  /** Methods of a family that concern the whole database, and work after the family was closed. */
  private static final Set<String> OF_THE_DATABASE = Set.of("snapshot()", "write(WriteBatch)");

  /**
   * The methods that a specimen's transaction always refuses, because the family belongs to another database, or ranges
   * are not supported.
   */
  private static final Set<String> REFUSED =
      Set.of(
          "Transaction.in(ColumnFamily)",
          "Transaction.in(TypedKeys)",
          "Transaction.forUpdate(TypedKeys)",
          "IndexedBatch.deleteRange(byte[],byte[])",
          "IndexedBatch.deleteRange(MemorySegment,MemorySegment)",
          "IndexedBatch.deleteRange(KeyRange)",
          "IndexedBatch.mergeOperands(byte[])",
          "Transaction.mergeOperands(byte[])",
          "TableWriter.putEntity(byte[],Columns)",
          "TableWriter.putEntity(MemorySegment,Columns)",
          "TableWriter.singleDelete(byte[])",
          "TableWriter.singleDelete(MemorySegment)",
          "Transaction.deleteRange(byte[],byte[])",
          "Transaction.deleteRange(MemorySegment,MemorySegment)",
          "Transaction.deleteRange(KeyRange)");

  /**
   * The methods that would affect other calls: for example, the engine stops writes if single and plain deletes of a
   * key meet.
   */
  private static final Set<String> NOT_FOR_ALL =
      Set.of("close", "retain", "dropFamily", "singleDelete", "merge");

  @TempDir Path folder;

  private static Stream<Class<?>> closeable() {
    return Stream.of(
        RocksDb.class,
        ColumnFamily.class,
        Snapshot.class,
        Cursor.class,
        Scan.class,
        Entity.class,
        PinnedValue.class,
        PinnedValue.View.class,
        PinnedValues.class,
        PinnedValues.View.class,
        BlockCache.class,
        RowCache.class,
        MemoryBudget.class,
        RateLimiter.class,
        SstFileManager.class,
        Backups.class,
        TransactionDb.class,
        TransactionalDb.class,
        OptimisticTransactionDb.class,
        Transaction.class,
        IndexedBatch.class,
        DatabaseFiles.LogReader.class,
        Follower.class,
        TableWriter.class,
        FamilyFiles.ExportedFamily.class,
        DatabaseFiles.Pause.class,
        DatabaseFiles.Hold.class);
  }

  /** Returns the types whose objects are closed with their database. */
  private static Stream<Class<?>> ofDatabase() {
    return Stream.of(
        RocksDb.class,
        ColumnFamily.class,
        KeySpace.class,
        KeyReader.class,
        Snapshot.class,
        Cursor.class,
        Scan.class,
        DatabaseFiles.LogReader.class,
        DatabaseFiles.class,
        FamilyFiles.class,
        DatabaseMetrics.class,
        FamilyMetrics.class,
        MultiGet.class);
  }

  @Test
  void everyCloseableTypeIsHere() {
    Set<String> found = new TreeSet<>();
    for (Class<?> type : PublicApi.types()) {
      if (AutoCloseable.class.isAssignableFrom(type)) {
        found.add(type.getName());
      }
    }
    Set<String> covered = new TreeSet<>();
    closeable().forEach(type -> covered.add(type.getName()));
    assertEquals(found, covered);
  }

  private static String nameOf(Class<?> type, Method method) {
    Class<?> known = TransactionalDb.class.isAssignableFrom(type) ? RocksDb.class : type;
    String name = known.getCanonicalName().replace("org.rocksdbffm.", "");
    return name + "." + PublicApi.signature(method);
  }

  /** Returns the fault in the outcome of a call on a closed object; null if the outcome is as documented. */
  private String problemAfterClose(Class<?> type, Object closed, Method method, Specimens specimens) throws Exception {
    String name = nameOf(type, method);
    Throwable thrown = failureOf(closed, method, specimens);
    boolean mayAnswer =
        ALWAYS.matcher(name).matches() || ALWAYS_TOO.contains(name) || type == ColumnFamily.class
        && OF_THE_DATABASE.contains(PublicApi.signature(method));
    if (thrown == null || name.equals("RocksDb.family(String)") && isNoSuchFamily(thrown)) {
      return mayAnswer ? null : name + " answered";
    }
    boolean isForeign = TransactionalDb.class.isAssignableFrom(type) && method.getName().equals("dropFamily");
    if (isForeign || REFUSED.contains(name)) {
      return null;
    }
    boolean says =
        thrown.getClass() == IllegalStateException.class
        && thrown.getMessage().matches("(?s).* is (closed|released).*");
    return says ? null : name + " threw " + thrown;
  }

  private static boolean isNoSuchFamily(Throwable thrown) {
    return thrown.getClass() == IllegalArgumentException.class && thrown.getMessage().startsWith("name: ");
  }

  private Throwable failureOf(Object target, Method method, Specimens specimens) throws Exception {
    try {
      Object made =
          method.invoke(target, PublicApi.arguments(method, specimens.db, specimens.family, folder.resolve("none")));
      if (made instanceof AutoCloseable closeable && made != target && made != specimens.family) {
        closeable.close();
      }
      return null;
    } catch (InvocationTargetException e) {
      return e.getCause();
    }
  }

  @ParameterizedTest
  @MethodSource("closeable")
  void afterItsCloseAMethodAnswersOrNamesWhatIsClosed(Class<?> type) throws Exception {
    List<String> wrong = new ArrayList<>();
    try (Specimens specimens = new Specimens(folder.resolve("db"))) {
      Object specimen = specimens.of(type);
      ((AutoCloseable) specimen).close();
      for (Method method : PublicApi.methods(type)) {
        addUnlessNull(wrong, problemAfterClose(type, specimen, method, specimens));
      }
    }
    assertEquals("", String.join("\n", wrong));
  }

  @ParameterizedTest
  @MethodSource("ofDatabase")
  void afterItsDatabasesCloseAMethodAnswersOrNamesTheDatabase(Class<?> type) throws Exception {
    List<String> wrong = new ArrayList<>();
    try (Specimens specimens = new Specimens(folder.resolve("db"))) {
      Object specimen = specimens.of(type);
      specimens.db.close();
      for (Method method : PublicApi.methods(type)) {
        addUnlessNull(wrong, problemAfterClose(type, specimen, method, specimens));
        Throwable thrown = failureOf(specimen, method, specimens);
        if (thrown != null && !isNoSuchFamily(thrown)
            && !thrown.getMessage().equals("database " + folder.resolve("db") + " is closed")) {
          wrong.add(nameOf(type, method) + " says " + thrown.getMessage());
        }
      }
    }
    assertEquals("", String.join("\n", wrong));
  }

  private static void addUnlessNull(List<String> problems, String problem) {
    if (problem != null) {
      problems.add(problem);
    }
  }

  @ParameterizedTest
  @MethodSource("closeable")
  void aSecondCloseDoesNothing(Class<?> type) throws Exception {
    try (Specimens specimens = new Specimens(folder.resolve("db"))) {
      AutoCloseable specimen = (AutoCloseable) specimens.of(type);
      specimen.close();
      specimen.close();
      specimens.db.close();
      specimen.close();
    }
  }

  @ParameterizedTest
  @MethodSource("closeable")
  void anotherThreadCloses(Class<?> type) throws Exception {
    try (Specimens specimens = new Specimens(folder.resolve("db"))) {
      AutoCloseable specimen = (AutoCloseable) specimens.of(type);
      Throwable thrown = inAnotherThread(specimen::close);
      boolean isView = type == PinnedValue.View.class || type == PinnedValues.View.class;
      assertEquals(isView ? WrongThreadException.class : null, thrown == null ? null : thrown.getClass());
    }
  }

  private static Throwable inAnotherThread(org.junit.jupiter.api.function.Executable code) throws Exception {
    try (ExecutorService other = Executors.newSingleThreadExecutor()) {
      return other
          .submit(
              () -> {
                try {
                  code.execute();
                  return null;
                } catch (Throwable e) {
                  return e;
                }
              })
          .get();
    }
  }

  @Test
  void parentsMayBeClosedBeforeTheirChildren() throws Exception {
    List<AutoCloseable> opened = new ArrayList<>();
    try (Specimens specimens = new Specimens(folder.resolve("db"))) {
      opened.add(specimens.db);
      closeable().filter(type -> type != RocksDb.class).forEach(type -> opened.add((AutoCloseable) specimens.of(type)));
      for (AutoCloseable each : opened) {
        each.close();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("closeable")
  void eightThreadsUseItWhileItIsClosed(Class<?> type) throws Exception {
    Set<String> wrong = java.util.concurrent.ConcurrentHashMap.newKeySet();
    for (int round = 0; round < 3; round++) {
      try (Specimens specimens = new Specimens(folder.resolve("db" + round))) {
        AutoCloseable specimen = (AutoCloseable) specimens.of(type);
        List<Method> methods =
            PublicApi.methods(type).stream()
                .filter(method -> !NOT_FOR_ALL.contains(method.getName()))
                .toList();
        CountDownLatch busy = new CountDownLatch(THREADS * 50);
        AtomicBoolean closed = new AtomicBoolean();
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
          Random random = new Random(round * 31 + t);
          threads.add(
              Thread.ofPlatform()
                  .start(
                      () -> {
                        for (int left = 100; left > 0; left -= closed.get() ? 1 : 0) {
                          Method method = methods.get(random.nextInt(methods.size()));
                          Throwable thrown = outcomeOf(specimen, method, specimens);
                          if (thrown != null && !isDocumented(thrown)) {
                            wrong.add(nameOf(type, method) + " threw " + thrown);
                          }
                          busy.countDown();
                        }
                      }));
        }
        try {
          assertTrue(busy.await(5, TimeUnit.MINUTES), "no thread got along with " + type);
          specimen.close();
        } finally {
          closed.set(true);
        }
        for (Thread thread : threads) {
          thread.join(); // to the end of the thread, when its views end
        }
      }
    }
    assertEquals("", String.join("\n", wrong));
  }

  private Throwable outcomeOf(Object specimen, Method method, Specimens specimens) {
    try {
      return failureOf(specimen, method, specimens);
    } catch (Exception e) {
      return e;
    }
  }

  private static boolean isDocumented(Throwable thrown) {
    Class<?> type = thrown.getClass();
    return type == IllegalStateException.class
        || type == WrongThreadException.class
        // A family with the name exists, or a map is empty. Another thread creates a copy with the same name, or has
        // deleted a backup.
        || type == RocksDbException.class
            && Set.of(
                    RocksDbException.Code.INVALID_ARGUMENT,
                    RocksDbException.Code.BUSY,
                    RocksDbException.Code.NOT_FOUND,
                    RocksDbException.Code.IO_ERROR, // a file to be ingested is missing
                    RocksDbException.Code.NOT_SUPPORTED) // a range deletion in a database that locks keys
                .contains(((RocksDbException) thrown).code())
        || type == UnsupportedOperationException.class // a range deletion in a transaction
        || isNoSuchFamily(thrown)
        || type == IllegalArgumentException.class
            && thrown.getMessage().matches("(?s)((columnF|f)amily|keys): .*|key: .* does not come behind .*");
  }

  @Test
  void whoDidNotAskForTheViewsLetsGoAllTheSame() throws Exception {
    try (RocksDb db = RocksDb.open(folder)) {
      db.put("key".getBytes(), "value".getBytes());
      PinnedValue value = db.getPinned("key".getBytes());
      MemorySegment segment = value.segment();
      assertEquals(null, inAnotherThread(value::close));
      assertEquals('v', segment.get(ValueLayout.JAVA_BYTE, 0));
      assertEquals(1, db.pins().count());
      value.close();
      assertEquals(0, db.pins().count());
    }
  }

  @Test
  void viewsOfAThreadThatEndedKeepNothing() throws Exception {
    try (RocksDb db = RocksDb.open(folder)) {
      db.put("key".getBytes(), "value".getBytes());
      PinnedValue value = db.getPinned("key".getBytes());
      Thread asking = Thread.ofPlatform().start(value::segment);
      asking.join();
      value.close();
      assertEquals(0, db.pins().count());
    }
  }

  @Test
  void viewsAreOfTheThreadThatAskedForThem() throws Exception {
    try (Specimens specimens = new Specimens(folder.resolve("db"))) {
      PinnedValue value = (PinnedValue) specimens.of(PinnedValue.class);
      PinnedValue.View view = (PinnedValue.View) specimens.of(PinnedValue.View.class);
      PinnedValues.View views = (PinnedValues.View) specimens.of(PinnedValues.View.class);
      Cursor cursor = (Cursor) specimens.of(Cursor.class);
      Scan scan = (Scan) specimens.of(Scan.class);
      List<MemorySegment> segments =
          List.of(value.segment(), view.segment(), views.segment(0), cursor.value(), scan.value());
      for (MemorySegment segment : segments) {
        assertEquals(Specimens.LARGE, segment.byteSize());
        Throwable thrown = inAnotherThread(() -> segment.get(ValueLayout.JAVA_BYTE, 0));
        assertEquals(WrongThreadException.class, thrown.getClass());
      }
      assertEquals(WrongThreadException.class, inAnotherThread(value::segment).getClass());
      assertEquals(WrongThreadException.class, inAnotherThread(view::segment).getClass());
      Throwable moved = inAnotherThread(cursor::next);
      assertEquals(IllegalStateException.class, moved.getClass());
      assertEquals(true, moved.getMessage().endsWith("it must call releaseRow() first"), moved.getMessage());
    }
  }

  private static Stream<Arguments> empty() {
    return Stream.of(Arguments.of("an empty key", new byte[0]));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("empty")
  void emptyKeysAndValuesAreKeysAndValues(String what, byte[] empty) {
    try (RocksDb db = RocksDb.open(folder)) {
      db.put(empty, empty);
      db.put(MemorySegment.ofArray(empty), Arena.global().allocate(0));
      db.flush();
      assertEquals(0, db.get(empty).length);
      assertEquals(0, db.getInto(empty, new byte[0]));
      assertEquals(0, db.getInto(MemorySegment.NULL, MemorySegment.NULL));
      assertEquals(0, db.get(empty, Arena.ofAuto()).byteSize());
      assertEquals(0L, db.get(empty, MemorySegment::byteSize));
      try (PinnedValue pinned = db.getPinned(empty)) {
        assertEquals(0, pinned.segment().byteSize());
      }
      assertEquals(0, db.multiGet(List.of(empty)).get(0).length);
      assertEquals(List.of(), db.multiGet(List.of()));
      WriteBatch batch = new WriteBatch(ByteSize.bytes(0));
      db.write(batch);
      batch.delete(empty);
      db.write(batch);
      assertEquals(null, db.get(empty));
      try (Cursor cursor = db.cursor(KeyRange.between(empty, empty))) {
        assertEquals(false, cursor.first());
        assertEquals(false, cursor.seek(empty));
      }
      assertNotNull(db.with(ReadOptions.defaults()));
      assertThrowsExactly(IllegalArgumentException.class, () -> BlockCache.hyperClock(ByteSize.bytes(0)));
    }
  }
}
