/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.upkeep;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.call.Handle;
import org.rocksdbffm.internal.call.HandledResource;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.db.Child;
import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.db.WorkPauses;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.foreign.StackRoom;
import org.rocksdbffm.internal.leak.LiveObjects;
import org.rocksdbffm.internal.leak.ServiceThread;

/**
 * A pause of one kind of background work; a child of its database. Pauses may overlap: the engine counts them.
 * Thread-safe.
 */
public final class NativePause extends Child implements HandledResource {
  private final Database database;
  private final WorkPauses.Kind kind;
  private final Handle handle;
  private final AtomicBoolean ended = new AtomicBoolean();

  private NativePause(Database database, WorkPauses.Kind kind) {
    this.database = database;
    this.kind = kind;
    this.handle = new Handle(kind.pause + database.handle());
  }

  /** Starts a pause that lasts until it is closed. */
  public static NativePause begin(Database database, WorkPauses.Kind kind) {
    StackRoom.require();
    try (Call call = Call.enter(database.handle())) {
      database.requireWritable();
      NativePause pause = new NativePause(database, kind);
      database.pauses().begin(kind);
      try {
        kind.begin(database.pointer(), call.error);
        Status.check(call.error, pause.name());
      } catch (Throwable e) {
        database.pauses().end(kind);
        throw e;
      }
      LiveObjects.PAUSES.made();
      try {
        database.register(pause); // not earlier: a close would end a pause that has not started
        return pause;
      } catch (Throwable e) {
        pause.end();
        throw e;
      }
    }
  }

  /** Starts a pause that ends after a time limit. */
  public static NativePause ofAtMost(Database database, WorkPauses.Kind kind, long nanos) {
    NativePause pause = begin(database, kind);
    try {
      ServiceThread.start("end of a " + pause.name(), () -> pause.endAfter(nanos));
      return pause;
    } catch (Throwable e) {
      pause.close();
      throw e;
    }
  }

  private void endAfter(long nanos) {
    if (isEndedWithin(nanos)) {
      return;
    }
    try {
      endWithinCall();
    } catch (IllegalStateException closing) {
      return; // the closing database ends it
    }
  }

  private synchronized boolean isEndedWithin(long nanos) {
    long until = System.nanoTime() + nanos;
    for (long left = nanos; left > 0 && !ended.get(); left = until - System.nanoTime()) {
      try {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      } catch (InterruptedException e) {
        continue; // nothing interrupts this thread
      }
    }
    return ended.get();
  }

  /** Whether the pause has neither been closed nor reached its time limit. */
  public boolean isInEffect() {
    boolean isLeftToDatabase = handle.isClosed() && database.handle().isRefusing();
    return !ended.get() && !isLeftToDatabase;
  }

  @Override
  public Handle handle() {
    return handle;
  }

  /** Idempotent. */
  public void close() {
    handle.close();
    try {
      endWithinCall();
    } catch (IllegalStateException e) {
      if (!database.handle().isRefusing()) {
        throw e; // a callback closes this, and the engine may wait for the callback
      }
    }
  }

  private void endWithinCall() {
    try (Call _ = Call.enter(database.handle())) {
      endAndGoOn();
      database.unregister(this);
    }
  }

  /**
   * Ends the pause because the database is being closed, and a call that the close waits for may wait for the pause.
   */
  @Override
  protected void letCallsEnd() {
    if (kind == WorkPauses.Kind.BACKGROUND_WORK || kind == WorkPauses.Kind.COMPACTIONS) {
      endAndGoOn();
    }
  }

  /**
   * Ends the pause, and schedules compactions that it has aborted: the engine does so only after the next flush of their
   * family, which may wait for them.
   */
  private void endAndGoOn() {
    if (end() && kind == WorkPauses.Kind.COMPACTIONS) {
      FileWork.scheduleCompactions(database);
    }
  }

  @Override
  public void closeByParent() {
    handle.close();
    end();
  }

  /** Returns false if the pause had ended. */
  private boolean end() {
    if (!ended.compareAndSet(false, true)) {
      return false;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment error = arena.allocate(ValueLayout.JAVA_LONG);
      kind.end(database.pointer(), error);
      if (Memory.pointer(error, 0) != 0) {
        Status.takeText(error); // the pause has ended in any case
      }
    } finally {
      database.pauses().end(kind);
      LiveObjects.PAUSES.freed();
      synchronized (this) {
        notifyAll();
      }
    }
    return true;
  }
}
