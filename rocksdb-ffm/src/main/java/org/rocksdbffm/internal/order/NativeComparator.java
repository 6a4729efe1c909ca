/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.order;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.util.List;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.callback.Callback;
import org.rocksdbffm.internal.callback.CallbackFrame;
import org.rocksdbffm.internal.callback.CallbackOwner;
import org.rocksdbffm.internal.callback.RawComparator;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.foreign.Upcalls;
import org.rocksdbffm.internal.lifetime.RefCounted;
import org.rocksdbffm.internal.lifetime.Shared;

/**
 * A Java comparator of a column family. The engine has only a pointer to it, so it is <em>shared</em> by the options
 * that created it and the database that was opened with them, and destroyed with the last of them.
 *
 * <p>A comparator cannot report a failure, and a wrong answer would mean a wrong order on disk. So after an exception
 * the database is stopped, and the user's operation fails when its engine call returns. Then the comparator is called
 * once more for the same keys, so that a comparator that failed only once still gives consistent answers. If it fails
 * again, a harmless answer is given. An engine thread first waits until the engine has been made to discard its output;
 * if the thread holds the engine's lock, the wait times out. If the engine stores no result, as in a read, keys compare
 * as equal. If the engine is writing a file, or is being stopped, or the database is being opened, the first key is the
 * smaller one ({@link FallbackAnswers}): RocksDB checks that each key it writes is larger than the one before, and so
 * discards the file. With equal keys, rows would be left out of the file, and lost with the WAL.
 *
 * <p>A comparator that contradicts itself can crash the engine. {@link CheckedComparator} detects that, and the
 * comparator is not asked again. Until then {@link AnswerCache} gives engine threads consistent answers.
 */
public final class NativeComparator extends Callback implements Shared {
  private static final MemorySegment COMPARE = Upcalls.to(MethodHandles.lookup(), "compareKeys");

  // A thread that holds the engine's lock keeps the engine from stopping while it waits for that, so each wait must be
  // short.
  private static final long WAIT_NANOS = 50_000_000;

  private final String name;
  private final CheckedComparator code;
  private final FileBounds boundaries;
  private final MemorySegment pointer;
  private final RefCounted holders = new RefCounted();
  private volatile Throwable failure;
  private volatile boolean contradicts;

  public NativeComparator(String name, RawComparator code) {
    super("comparator", name);
    this.name = name;
    this.code = new CheckedComparator("the " + this, code);
    boundaries = new FileBounds(this.code);
    pointer = RocksDbC.rocksdb_comparator_create(state(), DESTROYED, COMPARE, NAME);
  }

  /** Returns the name that the engine stores. */
  public String name() {
    return name;
  }

  public MemorySegment pointer() {
    return pointer;
  }

  public NativeComparator share() {
    holders.retain();
    return this;
  }

  /** Releases a share; the last release destroys the comparator, once the engine has no caller left. */
  @Override
  public void release() {
    if (holders.release()) {
      RocksDbC.rocksdb_comparator_destroy(pointer);
    }
  }

  @SuppressWarnings("unused") // the engine calls it
  private static int compareKeys(long id, long a, long aSize, long b, long bSize) {
    NativeComparator asked = (NativeComparator) at(id);
    if (asked.failure == null) {
      try {
        return asked.ask(a, aSize, b, bSize);
      } catch (Throwable e) {
        asked.failed(e);
      }
    }
    return asked.compareAfterFailure(a, aSize, b, bSize);
  }

  /** Kept short, because the compiler does not inline a method at the end of a long call chain. */
  private int ask(long a, long aSize, long b, long bSize) {
    CallbackFrame frame = CallbackFrame.enter(this);
    try {
      OrderState state = OrderState.of(frame);
      int order =
          state.isAmongFiles()
              ? answerAmongFiles(frame, state, a, aSize, b, bSize)
              : code.compare(frame, a, aSize, b, bSize);
      state.fallback.compared(a, b);
      return order;
    } catch (CheckedComparator.Contradiction e) {
      contradicts = true;
      throw e;
    } finally {
      frame.exit();
    }
  }

  /** An engine thread uses cached answers, but not for the rows of a compaction. */
  private int answerAmongFiles(CallbackFrame frame, OrderState state, long a, long aSize, long b, long bSize) {
    KeyPositions ends = boundaries.ranks();
    if (!state.isThroughRows()) {
      return state.answers().compare(frame, code, ends, a, aSize, b, bSize);
    }
    int known = ends.order(a, aSize, b, bSize);
    return known != KeyPositions.UNKNOWN ? known : code.compare(frame, a, aSize, b, bSize);
  }

  /** Throws if the family's files are not in order; an exception of the user's code is passed on. */
  public void requireInOrder(List<FileBounds.Range> files) {
    CallbackFrame frame = CallbackFrame.enter(this);
    try {
      boundaries.renew(frame, files);
    } finally {
      frame.exit();
    }
  }

  /** Checks a key that is to be written; throws if its order is contradictory. */
  public void requirePlace(MemorySegment key, long size) {
    if (failure != null) {
      return; // the database is stopped, and the operation fails
    }
    CallbackFrame frame = CallbackFrame.enter(this);
    try {
      code.check(frame, key, size);
    } catch (CheckedComparator.Contradiction e) {
      stopFor(e);
    } catch (Throwable e) {
      failed(e);
    } finally {
      frame.exit();
    }
    if (failure != null) {
      owner().requireSound();
    }
  }

  public void stopFor(CheckedComparator.Contradiction contradiction) {
    contradicts = true;
    failed(contradiction);
  }

  private void failed(Throwable thrown) {
    failure = thrown;
    CallbackOwner owner = owner();
    if (owner != null) {
      owner.stop("has stopped, because the " + this + " threw: close it and open it again", thrown);
    }
    report(thrown, "the order of keys is unknown, and the database stops");
  }

  private int compareAfterFailure(long a, long aSize, long b, long bSize) {
    if (!contradicts) {
      try {
        return ask(a, aSize, b, bSize);
      } catch (Throwable e) { // the first exception was logged
        return answerWithoutHarm(a, aSize, b, bSize);
      }
    }
    return answerWithoutHarm(a, aSize, b, bSize);
  }

  private int answerWithoutHarm(long a, long aSize, long b, long bSize) {
    int known = boundaries.order(a, aSize, b, bSize);
    if (known != KeyPositions.UNKNOWN) {
      return known;
    }
    byte[] keyA = Memory.toArray(a, aSize);
    byte[] keyB = Memory.toArray(b, bSize);
    CallbackFrame frame = CallbackFrame.enter(this);
    try {
      OrderState state = OrderState.of(frame);
      FallbackAnswers fallback = state.fallback;
      return givesUpWhatItWrites(state)
          ? fallback.smaller(this, a, keyA, b, keyB)
          : fallback.same(this, keyA, keyB);
    } finally {
      frame.exit();
    }
  }

  /**
   * Waits until the engine has stopped for the owning database; returns whether the engine discards the output of the
   * calling thread.
   */
  private boolean givesUpWhatItWrites(OrderState state) {
    CallbackOwner owner = owner();
    if (owner == null) {
      return true;
    }
    if (owner.handle().isUsedByThisThread()) {
      return false;
    }
    // Waits at each answer: the thread may release the engine's lock before it writes, and the engine must be stopped
    // before the write. A flush or compaction that writes nevertheless fails, because its rows are out of order.
    return owner.awaitStopOfEngine(WAIT_NANOS) || state.isThroughRows() || state.isFlushing(owner);
  }

  /** Compares keys for the database; an exception of the user's code stops the database. */
  public int compare(MemorySegment a, long aSize, MemorySegment b, long bSize) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment copies = arena.allocate(aSize + bSize + 1);
      MemorySegment.copy(a, ValueLayout.JAVA_BYTE, 0, copies, ValueLayout.JAVA_BYTE, 0, aSize);
      MemorySegment.copy(b, ValueLayout.JAVA_BYTE, 0, copies, ValueLayout.JAVA_BYTE, aSize, bSize);
      int order = compareKeys(id(), copies.address(), aSize, copies.address() + aSize, bSize);
      if (failure != null) {
        owner().requireSound();
      }
      return order;
    }
  }

  /** Throws if the comparator failed while a database was being opened. */
  public void requireSound(String database) {
    Throwable thrown = failure;
    if (thrown != null) {
      throw new IllegalStateException(database + " was not opened, because the " + this + " threw", thrown);
    }
  }
}
