/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.files;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Function;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.SubCode;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.call.ExclusiveUse;
import org.rocksdbffm.internal.call.Handle;
import org.rocksdbffm.internal.call.HandledResource;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.db.Child;
import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.foreign.Critical;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.foreign.StackRoom;
import org.rocksdbffm.internal.leak.LiveObjects;

/**
 * Reads the WAL of a database batch by batch; a child of the database. RocksDB's iterator ends at the file that was the
 * last at its creation, and must not be asked twice for a batch, nor moved without one: so a new iterator is created
 * where it ended. Used by one thread at a time.
 */
public final class NativeLog extends Child implements HandledResource {
  private static final int MOST_TRIES = 10;

  private final Database database;
  private final Handle handle;
  private final ExclusiveUse turn;

  // Used with exclusive access and within a call, or after the last of them.
  private MemorySegment iterator; // null if not open; an open iterator is at a batch, or was before it ended
  private long next;
  private LogBatch batch; // the current batch; null before the first and after the last
  private boolean freed;

  /**
   * Whether the iterator starts at the oldest WAL file, instead of the file that the engine finds by number. The engine
   * finds the file of a number by a binary search over their first numbers, and takes 1 for a compressed file that is
   * empty, or was when it was read first, so it may miss the file.
   */
  private boolean isSearching;

  private NativeLog(Database database, long from) {
    this.database = database;
    this.handle = new Handle("log of " + database.handle());
    this.turn = new ExclusiveUse(handle.name());
    this.next = Math.max(1, from); // the first sequence number of all
    LiveObjects.LOGS.made();
  }

  public static NativeLog open(Database database, long from) {
    StackRoom.require();
    database.requireOpen();
    database.requireWritable();
    try (Call _ = Call.enter(database.handle())) {
      NativeLog log = new NativeLog(database, from);
      database.register(log);
      return log;
    }
  }

  private interface Work<T> {
    T run(MemorySegment error, Arena arena);
  }

  private <T> T within(Work<T> work) {
    return turn.call(() -> {
      StackRoom.require();
      Call call = Call.enter(database.handle(), null, handle);
      try (call; Arena arena = Arena.ofConfined()) {
        return work.run(call.error, arena);
      }
    });
  }

  /** Moves to the next batch; returns false if the log has no further one yet. */
  public boolean next() {
    return within((error, arena) -> {
      dropBatch();
      while (true) {
        boolean isFresh = iterator == null;
        if (isFresh && !begin(error)) {
          return false;
        }
        if (!isFresh) {
          RocksDbC.rocksdb_wal_iter_next(iterator);
        }
        if (RocksDbC.rocksdb_wal_iter_valid(iterator) != 0) {
          if (take(error, arena)) {
            return true;
          }
        } else if (!goesOn(isFresh, error)) {
          return false;
        }
      }
    });
  }

  /** Creates an iterator; returns false if nothing has been written yet from {@code next} on. */
  private boolean begin(MemorySegment error) {
    if (next > latest()) {
      return false;
    }
    RocksDbC.rocksdb_flush_wal(database.pointer(), (byte) 0, error); // buffered writes cannot be read
    Status.check(error, handle.name());
    iterator = updates(error);
    return true;
  }

  /** The engine lists the logs, and then asks each for its size, which fails if a flush has deleted it in between. */
  private MemorySegment updates(MemorySegment error) {
    for (int tries = 1; ; tries++) {
      MemorySegment made =
          RocksDbC.rocksdb_get_updates_since(database.pointer(), isSearching ? 0 : next, MemorySegment.NULL, error);
      try {
        Status.check(error, handle.name());
        return made;
      } catch (RocksDbException e) {
        if (e.subCode() != SubCode.PATH_NOT_FOUND || tries == MOST_TRIES) {
          throw e;
        }
      }
    }
  }

  private long latest() {
    return Critical.latestSequenceNumber(database.pointer().address());
  }

  /** Takes the iterator's batch; returns false if it has no new writes. */
  private boolean take(MemorySegment error, Arena arena) {
    LogBatch taken = LogBatch.take(iterator, arena.allocate(2 * Long.BYTES, Long.BYTES));
    try {
      boolean isNew = isNew(taken, error);
      if (isNew) {
        next = taken.sequence + taken.count();
        batch = taken;
        isSearching = false;
      }
      return isNew;
    } finally {
      if (batch != taken) {
        taken.drop();
      }
    }
  }

  private boolean isNew(LogBatch taken, MemorySegment error) {
    if (isSearching && taken.sequence + taken.count() <= next) {
      if (failure(error) != null) {
        end();
        throw gap("cannot be read up to it");
      }
      return false;
    }
    LogBatch.Uncounted uncounted = taken.uncounted();
    if (uncounted != null) {
      end();
      throw Status.parse(
          "Not implemented: the log has " + uncounted.what + " at number " + next,
          handle.name() + ": " + uncounted.why + "; begin again from a checkpoint");
    }
    if (failure(error) != null) {
      end(); // otherwise the iterator would stay at the batch that was taken
    }
    if (taken.sequence > next) {
      end();
      if (isSearching) {
        throw gap("continues at number " + taken.sequence);
      }
      isSearching = true;
      return false;
    }
    return taken.sequence + taken.count() > next;
  }

  private RuntimeException gap(String what) {
    return Status.parse(
        "NotFound: the log has no write number " + next + ", and " + what,
        handle.name() + ": it was deleted, or written without the log; begin again from a checkpoint");
  }

  /**
   * Called when the iterator has no batch: returns whether a new iterator may find more batches; throws if no iterator
   * ever will.
   */
  private boolean goesOn(boolean wasFresh, MemorySegment error) {
    String failure = failure(error);
    if (failure == null && !wasFresh && next > latest()) {
      return false; // a later move may succeed
    }
    end();
    if (!isSearching) {
      isSearching = wasFresh;
      return true;
    }
    if (failure != null && !failure.startsWith("Operation failed. Try again")) {
      throw gap("cannot be read there: " + failure);
    }
    throw gap("ends before it");
  }

  private String failure(MemorySegment error) {
    RocksDbC.rocksdb_wal_iter_status(iterator, error);
    return Memory.pointer(error, 0) == 0 ? null : Status.takeText(error);
  }

  private void end() {
    if (iterator != null) {
      MemorySegment ended = iterator;
      iterator = null;
      RocksDbC.rocksdb_wal_iter_destroy(ended);
    }
  }

  /**
   * Passes the current batch to a function, serialized and without a copy: with exclusive access, but not within a
   * call, so that a close does not wait for user code.
   */
  public <R> R look(Function<? super MemorySegment, R> look) {
    turn.begin();
    try (Arena arena = Arena.ofConfined()) {
      StackRoom.require();
      return look.apply(lent(arena));
    } finally {
      turn.end();
    }
  }

  private MemorySegment lent(Arena arena) {
    Call call = Call.enter(database.handle(), null, handle);
    try {
      LogBatch current = atBatch();
      MemorySegment bytes = current.lend();
      return Memory.view(bytes.address(), bytes.byteSize(), arena, current::giveBack);
    } finally {
      call.exit();
    }
  }

  private LogBatch atBatch() {
    if (batch == null) {
      throw new IllegalStateException(handle.name() + " is not at a batch: next() must have returned true");
    }
    return batch;
  }

  public long sequence() {
    return within((error, arena) -> atBatch().sequence);
  }

  public long nextSequence() {
    return within((error, arena) -> next);
  }

  @Override
  public Handle handle() {
    return handle;
  }

  public void close() {
    handle.close();
    database.endUnlessClosed(() -> {
      release();
      database.unregister(this);
    });
  }

  @Override
  public void closeByParent() {
    handle.close();
    release();
  }

  private void dropBatch() {
    LogBatch current = batch;
    batch = null;
    if (current != null) {
      current.drop();
    }
  }

  private synchronized void release() {
    end();
    dropBatch();
    if (!freed) {
      freed = true;
      LiveObjects.LOGS.freed();
    }
  }
}
