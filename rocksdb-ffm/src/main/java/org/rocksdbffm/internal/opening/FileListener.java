/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.opening;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.callback.Callback;
import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.foreign.Upcalls;
import org.rocksdbffm.internal.order.CheckedComparator;
import org.rocksdbffm.internal.order.FileBounds.Range;
import org.rocksdbffm.internal.order.NativeComparator;
import org.rocksdbffm.internal.order.OrderState;
import org.rocksdbffm.internal.upkeep.FileWork;
import org.rocksdbffm.internal.upkeep.LiveOptions;

/**
 * Checks that table files are in the order of their Java comparators: no file's last key comes before its first, and
 * all these keys are in order. RocksDB relies on this order, and ends the process when it picks files for a compaction
 * from files that are out of order. A comparator that was changed since the files were written, or that is circular,
 * produces such files. So they are checked before automatic compactions are enabled, and after each flush and
 * compaction.
 *
 * <p><em>Owned</em> by its database.
 */
@SuppressWarnings("unused") // the engine calls some of its methods
final class FileListener extends Callback {
  private static final MemorySegment COMPLETED = Upcalls.to(MethodHandles.lookup(), "completed");
  private static final MemorySegment FLUSH_STARTED = Upcalls.to(MethodHandles.lookup(), "flushStarted");
  private static final MemorySegment BEGUN = Upcalls.to(MethodHandles.lookup(), "started");
  private static final MemorySegment ROWS_STARTED = Upcalls.to(MethodHandles.lookup(), "rowsStarted");
  private static final MemorySegment ROWS_ENDED = Upcalls.to(MethodHandles.lookup(), "rowsEnded");
  private static final MemorySegment IGNORED = Upcalls.to(MethodHandles.lookup(), "ignored");
  private static final MemorySegment FAILED = Upcalls.to(MethodHandles.lookup(), "failed");
  private static final long WAIT_NANOS = 10_000_000_000L;

  // The families whose automatic compactions were disabled for the check.
  private final Set<String> held = new HashSet<>();

  private FileListener() {
    super("look at the order of files", "after compactions");
  }

  /**
   * Adds a listener to the options of a request that {@link Request#writesInJavaOrder}, and disables automatic
   * compactions until the files are checked.
   */
  static FileListener listening(Request request) {
    FileListener order = new FileListener();
    RocksDbC.rocksdb_options_add_eventlistener(
        request.options.pointer(),
        RocksDbC.rocksdb_eventlistener_create(
            order.state(),
            DESTROYED,
            FLUSH_STARTED,
            COMPLETED,
            BEGUN,
            COMPLETED,
            ROWS_STARTED,
            ROWS_ENDED,
            BEGUN,
            FAILED,
            IGNORED,
            IGNORED));
    request.families.forEach((family, options) -> {
      if (options.isOrderedInJava() && options.holdCompactions()) {
        order.held.add(family);
      }
    });
    return order;
  }

  /** Starts to check files after each change; enables automatic compactions, because the files are in order. */
  void serve(Database database, List<NativeFamily> families) {
    serves(database);
    families.stream().filter(family -> held.contains(family.name())).forEach(LiveOptions::letCompact);
  }

  private static void completed(long id, long db, long info) {
    OrderState.goThroughRows(false);
    OrderState.flush(null);
    ((FileListener) at(id)).lookAgain(MemorySegment.ofAddress(db));
  }

  private static void flushStarted(long id, long db, long info) {
    OrderState.flush(((FileListener) at(id)).owner());
  }

  private static void started(long id, long db, long info) {}

  private static void rowsStarted(long id, long info) {
    OrderState.goThroughRows(true);
  }

  private static void rowsEnded(long id, long info) {
    OrderState.goThroughRows(false);
  }

  private static void ignored(long id, long info) {}

  private static void failed(long id, int reason, long status) {
    OrderState.flush(null);
  }

  /** If files are out of order, stops the database, and returns after the engine has stopped picking files. */
  private void lookAgain(MemorySegment db) {
    if (!(owner() instanceof Database database) || database.handle().wasStopped()) {
      return;
    }
    lookAt(database, db, (comparator, disorder) -> {
      comparator.stopFor(disorder);
      database.awaitStopOfEngine(WAIT_NANOS);
    });
  }

  /** Throws if a file of a newly opened database is not in order. */
  static void require(Database database) {
    lookAt(database, database.pointer(), (comparator, disorder) -> {
      throw new IllegalStateException(
          database.name() + " was not opened: " + disorder.getMessage()
              + "; open it with the order that it was written in, and give another order another name");
    });
  }

  private interface Remedy {
    void take(NativeComparator comparator, CheckedComparator.Contradiction disorder);
  }

  private static void lookAt(Database database, MemorySegment db, Remedy remedy) {
    for (var files : filesByOrder(database, db).entrySet()) {
      try {
        files.getKey().requireInOrder(files.getValue());
      } catch (CheckedComparator.Contradiction e) {
        remedy.take(files.getKey(), e);
        return;
      }
    }
  }

  private static Map<NativeComparator, List<Range>> filesByOrder(Database database, MemorySegment db) {
    Map<NativeComparator, List<Range>> byOrder = new HashMap<>();
    for (FileWork.Live file : FileWork.live(db)) {
      NativeComparator comparator = database.comparatorOf(file.family());
      if (comparator != null) {
        String name = "/" + file.path().getFileName();
        Range range = new Range(name, file.level(), file.first().array(), file.last().array());
        byOrder.computeIfAbsent(comparator, _ -> new ArrayList<>()).add(range);
      }
    }
    return byOrder;
  }
}
