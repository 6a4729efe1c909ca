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
 * A call in flight: the announcement of the handles it uses, and the {@linkplain CallMemory memory} it works in.
 *
 * <p>The calls of a process are a table that grows to the largest number of calls ever in flight at
 * once. Entering takes one that is free by a single compare-and-set, which at the same moment says to
 * everybody which handle is in use; leaving is a plain release store. So the guard against use after
 * close and the scratch memory cost one atomic instruction together, threads do not meet on a shared
 * counter, and a million virtual threads share a few calls.
 *
 * <p>Between {@link #enter} and {@link #exit} the call <em>owns</em> its memory; nothing that lies in it
 * may be looked at afterwards. No code of the user's runs in between.
 */
public final class Call extends CallMemory implements AutoCloseable {
  private static final int FIRST_TABLE =
      Integer.highestOneBit(Runtime.getRuntime().availableProcessors() * 4);
  private static final long NOBODY = -1;
  private static final int MAX_PROBES = 16;

  // Updaters, and not VarHandles: the same instructions in the end, of a fifth of the bytecode, which is compiled anew
  // wherever a call is made.
  private static final AtomicLongFieldUpdater<Call> USED = AtomicLongFieldUpdater.newUpdater(Call.class, "used");
  private static final AtomicLongFieldUpdater<Call> FAMILY = AtomicLongFieldUpdater.newUpdater(Call.class, "family");
  private static final AtomicLongFieldUpdater<Call> SNAPSHOT = AtomicLongFieldUpdater.newUpdater(Call.class, "snapshot");

  static {
    LiveObjects.CALLS_IN_FLIGHT.countBy(CallTable::inFlight);
  }

  // How far from the place of its number a thread begins to look. A thread that finds another there goes to the one that
  // it gets, and stays: two that shared a place would have each other's cache lines to wait for, at every call.
  private static final byte[] SHIFTS = new byte[1 << 10];

  private static volatile Call[] table = tableOf(new Call[0], Math.max(8, FIRST_TABLE));

  // Ids of handles; 0 for none. A handle whose id is here cannot be destroyed.
  private volatile long used;
  private volatile long family;
  private volatile long snapshot;

  // The thread that took this call last.
  private Thread owner;

  // The transaction or batch that this call reads and writes, until it is left, and how it locks keys; null for none.
  private ExclusiveUse overlay;
  private Locking locking;

  // The other objects that the method of this call uses, for a method that uses more than fit here.
  private Object before;

  // The state of the random numbers of the thread that has the call; see isOneIn.
  private int chance;

  // When it began, while the Flight Recorder is on; otherwise 0.
  private long began;

  private Call() {
    chance = (int) resultAddress();
  }

  /**
   * Takes a call that uses the handle, or throws because the handle is closed, or the stack too full to give the call
   * back.
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

  /** Looks at all calls before it makes more: those nearby may be taken for long. */
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
    long begun = FlightRecords.begin(); // may need heap, and so comes before this call is taken
    if (!USED.compareAndSet(this, 0L, id)) {
      return false;
    }
    if (owner != thread) {
      owner = thread;
    }
    began = begun;
    return true;
  }

  private static Call[] tableOf(Call[] calls, int length) {
    Call[] larger = java.util.Arrays.copyOf(calls, length);
    for (int made = calls.length; made < length; made++) {
      larger[made] = new Call();
    }
    return larger;
  }

  /** All that there are; those made meanwhile are not among them. */
  static Call[] all() {
    return table;
  }

  boolean isInFlight() {
    return used != 0;
  }

  /** Whether it is in flight and uses the handle with this id. */
  boolean uses(long id) {
    long now = used;
    return now == id || now != 0 && (family == id || snapshot == id);
  }

  /** The thread that took it last. */
  Thread owner() {
    return owner;
  }

  /** Forgets the thread that took it last, unless it is taken now. */
  void forgetOwner() {
    if (USED.compareAndSet(this, 0L, NOBODY)) {
      owner = null;
      USED.lazySet(this, 0L);
    }
  }

  /** Uses two handles more, each of which may be null; leaves the call and throws if one is closed. */
  public void alsoUse(Handle family, Handle snapshot) {
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
   * Begins to use a transaction, or a batch with an index, and ends that when it is left; leaves at once and throws if
   * another thread uses it. From here on {@link #reader} says where the call reads and writes.
   *
   * @param guarded a handle more that the call uses; null for none
   */
  public Call within(ExclusiveUse overlay, Locking locking, Handle guarded) {
    try {
      SNAPSHOT.lazySet(this, guarded == null ? NOBODY : guarded.id); // which has it looked for more when it is left
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

  public boolean isOverlaid() {
    return overlay != null;
  }

  /** The use of the transaction or batch that this reads and writes; null for none. */
  public ExclusiveUse overlay() {
    return overlay;
  }

  /** How a call in a transaction locks the keys that it reads; one that writes locks them for update. */
  public Locking locking() {
    return locking;
  }

  /** Uses one more handle, and throws if that refuses, but stays entered; false if the call has no room for it. */
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

  /** True by chance, once in so many times, a power of two. Takes less than the thread's own random numbers. */
  public boolean isOneIn(int many) {
    chance = chance * 1_664_525 + 1_013_904_223; // of such a generator the upper bits are the random ones
    return chance >>> Integer.numberOfLeadingZeros(many) + 1 == 0;
  }

  /** The other objects that the method of this call uses; see {@link #before(Object)}. */
  public Object before() {
    return before;
  }

  /** Sets the other objects that the method of this call uses, so that all of them are found from here. */
  public Call before(Object used) {
    before = used;
    return this;
  }

  /** Copies the key that the call is about; if that fails, the call is left. */
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

  /** Gives the call back, with all that it holds. */
  public void exit() {
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
      boolean isLocking = overlay != null && locking != Locking.NONE;
      OpenDatabases.recordSlow(began, isLocking, CallTable.isThisThreadBeside(this), used, family, snapshot);
    }
  }

  private void leaveOverlay() {
    if (overlay != null) {
      overlay.end();
      overlay = null;
    }
  }
}
