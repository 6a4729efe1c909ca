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

/**
 * A comparator in Java, for the column family that is opened with it. The engine has but a pointer to it, so it is
 * <em>shared</em> by the options that made it and the database that was opened with them, and goes with the last.
 *
 * <p>A comparator has no way to fail, and a wrong answer would be a wrong order on disk. So once its code has thrown,
 * the database is stopped, and the call of the user's fails when it returns. The code is asked once more, so that an
 * order that failed once is still one order. A comparison that it cannot answer is made to do no harm. A thread of the
 * engine waits until the engine has been told to give up what it writes; if it holds the lock that this takes, it goes
 * on. Where nothing that follows from it is kept, keys are the same. Where the engine writes a file or gives it up, and
 * where a database is only being opened, the first key is the smaller one ({@link FallbackAnswers}): of whatever the
 * engine writes it asks whether the later key is smaller, and so throws it away. Rows that were the same would be left
 * out of the file, and lost with the log.
 *
 * <p>An order that contradicts itself can take the engine down. A {@link CheckedComparator} finds out, and is not asked
 * again; until then an {@link AnswerCache} keeps the threads of the engine from hearing what does not go together.
 */
public final class NativeComparator extends Callback {
  private static final MemorySegment COMPARE = Upcalls.to(MethodHandles.lookup(), "compareKeys");

  // A thread that holds the engine's lock waits in vain for the engine to stop, and is not to wait for long each time.
  private static final long WAIT_NANOS = 50_000_000;

  private final String name;
  private final CheckedComparator code;
  private final FileBounds boundaries;
  private final MemorySegment pointer;
  private volatile Throwable failure;
  private volatile boolean contradicts;
  private int owners = 1;

  public NativeComparator(String name, RawComparator code) {
    super("comparator", name);
    this.name = name;
    this.code = new CheckedComparator("the " + this, code);
    boundaries = new FileBounds(this.code);
    pointer = RocksDbC.rocksdb_comparator_create(state(), DESTROYED, COMPARE, NAME);
  }

  /** The name that the engine has for it. */
  public String name() {
    return name;
  }

  public MemorySegment pointer() {
    return pointer;
  }

  public synchronized NativeComparator share() {
    owners++;
    return this;
  }

  /** Gives up a share; the last one destroys it, when the engine has nothing left that would call it. */
  public synchronized void release() {
    owners--;
    if (owners == 0) {
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

  /** The way to the code is kept short: the compiler leaves a method uninlined at the end of a long one. */
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

  /** A thread of the engine has to recall what it was answered, but not of all the rows that it goes through. */
  private int answerAmongFiles(CallbackFrame frame, OrderState state, long a, long aSize, long b, long bSize) {
    KeyPositions ends = boundaries.ranks();
    if (!state.isThroughRows()) {
      return state.answers().compare(frame, code, ends, a, aSize, b, bSize);
    }
    int known = ends.order(a, aSize, b, bSize);
    return known != KeyPositions.UNKNOWN ? known : code.compare(frame, a, aSize, b, bSize);
  }

  /** Throws if the files of its family are not in order; what the code throws goes on. */
  public void requireInOrder(List<FileBounds.Range> files) {
    CallbackFrame frame = CallbackFrame.enter(this);
    try {
      boundaries.renew(frame, files);
    } finally {
      frame.exit();
    }
  }

  /** Takes note of a key that is to be written; it is not, if the order is lost by it. */
  public void requirePlace(MemorySegment key, long size) {
    if (failure != null) {
      return; // the engine is told, and the operation fails
    }
    CallbackFrame frame = CallbackFrame.enter(this);
    try {
      code.hear(frame, key, size);
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
    tell(thrown, "the order of keys is unknown, and the database stops");
  }

  private int compareAfterFailure(long a, long aSize, long b, long bSize) {
    if (!contradicts) {
      try {
        return ask(a, aSize, b, bSize);
      } catch (Throwable e) { // what was thrown first has been told
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

  /** Whether nothing is kept of what the thread that asks has the engine write, for which this waits. */
  private boolean givesUpWhatItWrites(OrderState state) {
    CallbackOwner owner = owner();
    if (owner == null) {
      return true;
    }
    if (owner.handle().isUsedByThisThread()) {
      return false;
    }
    // Each time: it gives back the lock that it may hold before it writes, and the engine is to stop before that.
    // A flush or a compaction that writes all the same fails by its rows, which are not in order.
    return owner.awaitStopOfEngine(WAIT_NANOS) || state.isThroughRows() || state.isFlushing(owner);
  }

  /** Compares keys for the database itself; what the code throws stops it. */
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

  /** Throws if the code has thrown while a database was being opened. */
  public void requireSound(String database) {
    Throwable thrown = failure;
    if (thrown != null) {
      throw new IllegalStateException(database + " was not opened, because the " + this + " threw", thrown);
    }
  }
}
