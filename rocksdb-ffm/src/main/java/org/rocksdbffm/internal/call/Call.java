/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.call;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.rocksdbffm.internal.foreign.StackRoom;
import org.rocksdbffm.internal.jfr.FlightRecords;
import org.rocksdbffm.internal.leak.LiveObjects;
import org.rocksdbffm.internal.watch.OpenDatabases;

/**
 * A call in flight: a slot that announces the handles in use, with {@linkplain CallMemory memory} for arguments and
 * results.
 *
 * <p>The slots of a process form a table, which grows to the largest number of concurrent calls. Entering takes a free
 * slot by one compare-and-set, which also announces the handle; exiting is a release store. So the protection against
 * use after close and the scratch memory together cost one atomic instruction, threads share no counter, and a million
 * virtual threads share a few slots.
 *
 * <p>Between {@link #enter} and {@link #exit} the call <em>owns</em> its memory, which must not be read afterwards. No
 * user code runs in between.
 */
public final class Call extends CallMemory implements AutoCloseable {
  private static final int FIRST_TABLE =
      Integer.highestOneBit(Runtime.getRuntime().availableProcessors() * 4);
  private static final long NOBODY = -1;
  private static final int MAX_PROBES = 16;

  // Field updaters instead of VarHandles: the same instructions, but a fifth of the bytecode, which is compiled at each
  // call site.
  private static final AtomicLongFieldUpdater<Call> USED = AtomicLongFieldUpdater.newUpdater(Call.class, "used");
  private static final AtomicLongFieldUpdater<Call> FAMILY = AtomicLongFieldUpdater.newUpdater(Call.class, "family");
  private static final AtomicLongFieldUpdater<Call> SNAPSHOT = AtomicLongFieldUpdater.newUpdater(Call.class, "snapshot");

  static {
    LiveObjects.CALLS_IN_FLIGHT.countBy(CallTable::inFlight);
  }

  // By thread id: the distance between the slot of the id and the slot at which the thread starts to search. A thread
  // that finds another thread's slot there takes another slot, and starts there from then on: two threads that share a
  // slot would exchange its cache lines at each call.
  private static final byte[] SHIFTS = new byte[1 << 10];

  private static volatile Call[] table = tableOf(new Call[0], Math.max(8, FIRST_TABLE));

  // Ids of handles; 0 for none. A handle with an announced id cannot be destroyed.
  private volatile long used;
  private volatile long family;
  private volatile long snapshot;

  // The last thread that took this slot.
  private Thread owner;

  // The transaction or batch that this call reads and writes until it exits, and how it locks keys; null for none.
  private ExclusiveUse overlay;
  private Locking locking = Locking.NONE;

  // The ID of the call's thread if methods further down its stack may borrow the call's memory; negative while one
  // does. Only that thread sets its ID, and removes the ID before it exits the call: so a thread that reads its own ID
  // here has entered this call.
  private long lent;

  // The state of the random number generator; see isOneIn.
  private int chance;

  // The start time while the Flight Recorder is on; otherwise 0.
  private long began;

  private Call() {
    chance = (int) resultAddress();
  }

  /**
   * Enters a call that uses the handle. Throws if the handle is closed, or if there is too little stack to exit the
   * call.
   */
  public static Call enter(Handle handle) {
    if (Reentrance.isPossible()) {
      StackRoom.requireForReentrance();
      Reentrance.requireOutside(handle);
    } else {
      StackRoom.require();
    }
    Call call = take(handle.id);
    if (handle.isRefusing()) {
      call.exit();
      throw handle.closedException();
    }
    return call;
  }

  /**
   * Returns a call that is used only for its memory, until the caller exits it: the thread's call that {@link #lend}s
   * its memory, or a separate call without a handle.
   */
  public static Call borrow() {
    StackRoom.require();
    long thread = Thread.currentThread().threadId();
    Call[] calls = table;
    Call near = calls[(int) thread + SHIFTS[(int) thread & SHIFTS.length - 1] & calls.length - 1];
    if (near.lent == thread) {
      near.lent = -thread;
      return near;
    }
    return take(NOBODY);
  }

  /** Lends the memory to methods further down the stack, until this call is {@linkplain #exitWithLoan exited}. */
  public Call lend() {
    lent = owner.threadId();
    return this;
  }

  /** Exits a call that lends its memory, although the memory may not have been returned. */
  public void exitWithLoan() {
    lent = 0;
    exit();
  }

  private static Call take(long id) {
    Call[] calls = table;
    Thread thread = Thread.currentThread();
    int number = (int) thread.threadId();
    int shift = SHIFTS[number & SHIFTS.length - 1];
    int first = number + shift;
    for (int probe = 0; probe < MAX_PROBES; probe++) {
      Call call = calls[(first + probe) & (calls.length - 1)];
      if (call.isTakenFor(id, thread)) {
        if (probe != 0 && calls[first & (calls.length - 1)].owner != thread) {
          SHIFTS[number & SHIFTS.length - 1] = (byte) (shift + probe & Byte.MAX_VALUE);
        }
        return call;
      }
    }
    return takeAnywhere(id, thread);
  }

  /** Tries all slots before adding more, because the nearby slots may be taken for long. */
  private static Call takeAnywhere(long id, Thread thread) {
    while (true) {
      Call[] calls = table;
      for (Call call : calls) {
        if (call.isTakenFor(id, thread)) {
          return call;
        }
      }
      synchronized (Call.class) {
        if (table.length == calls.length) {
          table = tableOf(calls, calls.length * 2);
        }
      }
    }
  }

  private boolean isTakenFor(long id, Thread thread) {
    if (used != 0) {
      return false;
    }
    long started = FlightRecords.begin(); // before a slot is taken, because this may run out of heap
    if (!USED.compareAndSet(this, 0L, id)) {
      return false;
    }
    if (owner != thread) {
      owner = thread;
    }
    began = started;
    return true;
  }

  private static Call[] tableOf(Call[] calls, int length) {
    Call[] larger = java.util.Arrays.copyOf(calls, length);
    for (int made = calls.length; made < length; made++) {
      larger[made] = new Call();
    }
    return larger;
  }

  /** Returns the current slots; slots added concurrently may be missing. */
  static Call[] all() {
    return table;
  }

  boolean isInFlight() {
    return used != 0;
  }

  /** Whether the call is in flight and uses the handle with this id. */
  boolean uses(long id) {
    long now = used;
    return now == id || now != 0 && (family == id || snapshot == id);
  }

  /** Returns the last thread that took this slot. */
  Thread owner() {
    return owner;
  }

  /** Clears the last thread, unless the slot is taken. */
  void forgetOwner() {
    if (USED.compareAndSet(this, 0L, NOBODY)) {
      owner = null;
      USED.lazySet(this, 0L);
    }
  }

  /** Enters a call that uses up to three handles; the second and the third may be null. Throws if one is closed. */
  public static Call enter(Handle handle, Handle family, Handle snapshot) {
    Call call = enter(handle);
    if (family != null || snapshot != null) {
      call.alsoUse(family, snapshot);
    }
    return call;
  }

  private void alsoUse(Handle family, Handle snapshot) {
    FAMILY.lazySet(this, family == null ? 0L : family.id);
    SNAPSHOT.lazySet(this, snapshot == null ? 0L : snapshot.id);
    VarHandle.fullFence();
    if (family != null && family.isClosed()) {
      exit();
      throw family.closedException();
    }
    if (snapshot != null && snapshot.isClosed()) {
      exit();
      throw snapshot.closedException();
    }
  }

  /**
   * Takes exclusive access to a transaction or indexed batch until the call exits; exits and throws if another thread
   * has access. From here on {@link #reader} determines where the call reads and writes.
   *
   * @param guarded another handle that the call uses; null for none
   */
  public Call within(ExclusiveUse overlay, Locking locking, Handle guarded) {
    try {
      SNAPSHOT.lazySet(this, guarded == null ? NOBODY : guarded.id); // non-zero, so that exit() also clears the overlay
      overlay.begin();
      this.locking = locking;
      this.overlay = overlay;
      VarHandle.fullFence();
      if (guarded != null && guarded.isClosed()) {
        throw guarded.closedException();
      }
      return this;
    } catch (Throwable e) {
      exit();
      throw e;
    }
  }

  /** Returns the exclusive use of the transaction or batch that this call uses; null for none. */
  public ExclusiveUse overlay() {
    return overlay;
  }

  /** Returns how a call in a transaction locks the keys that it reads; writes lock for update. */
  public Locking locking() {
    return locking;
  }

  /**
   * Announces another handle; throws if that handle is closed, but this call stays entered. Returns false if the call
   * has no slot for it.
   */
  public boolean alsoUses(Handle more) {
    long id = more.id;
    if (uses(id)) {
      return true;
    }
    AtomicLongFieldUpdater<Call> free = family == 0 ? FAMILY : SNAPSHOT;
    if (free.get(this) != 0) {
      return false;
    }
    free.lazySet(this, id);
    VarHandle.fullFence();
    if (more.isRefusing()) {
      free.lazySet(this, 0L);
      throw more.closedException();
    }
    return true;
  }

  /**
   * Returns true with a probability of one in {@code many}, a power of two. Cheaper than the thread's random numbers.
   */
  public boolean isOneIn(int many) {
    chance = chance * 1_664_525 + 1_013_904_223; // the upper bits of this generator are the random ones
    return chance >>> Integer.numberOfLeadingZeros(many) + 1 == 0;
  }

  /** Copies the key; exits the call if that fails. */
  public Call withKey(byte[] bytes) {
    try {
      copyKey(bytes);
      return this;
    } catch (Throwable e) {
      exit();
      throw e;
    }
  }

  public Call withKey(MemorySegment bytes) {
    try {
      copyKey(bytes);
      return this;
    } catch (Throwable e) {
      exit();
      throw e;
    }
  }

  /** Exits the call: frees the slot, its large buffers and the overlay. Borrowed memory is only returned. */
  public void exit() {
    if (lent < 0) {
      lent = -lent;
      returnMemory();
    } else {
      exitTaken();
    }
  }

  private void returnMemory() {
    if (hasOverflowed()) {
      freeOverflow();
    }
  }

  private void exitTaken() {
    try {
      if (hasOverflowed()) {
        freeOverflow();
      }
      if (began != 0) {
        record();
      }
    } finally {
      try {
        if (family != 0 || snapshot != 0) {
          FAMILY.lazySet(this, 0L);
          SNAPSHOT.lazySet(this, 0L);
          leaveOverlay();
        }
      } finally {
        USED.lazySet(this, 0L);
      }
    }
  }

  @Override
  public void close() {
    exit();
  }

  private void record() {
    if (FlightRecords.isSlow(began)) {
      OpenDatabases.recordSlow(began, locking != Locking.NONE, CallTable.isThisThreadBeside(this), used, family, snapshot);
    }
  }

  private void leaveOverlay() {
    if (overlay != null) {
      overlay.end();
      overlay = null;
      locking = Locking.NONE;
    }
  }
}
