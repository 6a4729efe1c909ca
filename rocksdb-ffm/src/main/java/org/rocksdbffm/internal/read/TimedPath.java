/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.read;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.db.NativeSnapshot;
import org.rocksdbffm.internal.foreign.StackRoom;
import org.rocksdbffm.internal.transaction.NativeOverlay;

/**
 * A path whose reads have a deadline. RocksDB's deadline is a point in time, so concurrent reads cannot share options:
 * each borrows a path with a copy of the options, which is kept for later reads. A separate class, so that other reads
 * need no check for a deadline.
 */
final class TimedPath extends ReadPath {
  private final NativeSnapshot snapshot;
  private final Queue<ReadPath> idle = new ConcurrentLinkedQueue<>();

  TimedPath(NativeFamily family, NativeReadOptions options, NativeSnapshot snapshot) {
    super(family, options, snapshot);
    this.snapshot = snapshot;
  }

  /** Returns a path for one read, whose deadline is counted from now. */
  private ReadPath lend(Call call) {
    StackRoom.require(); // more than a read without a deadline needs
    ReadPath path = idle.poll();
    if (path == null) {
      path = new ReadPath(family(), options().copy(), snapshot);
    }
    path.options().beginTime();
    if (call.isOverlaid()) {
      NativeOverlay.readWith(call, path.options().pointer().address());
    }
    return path;
  }

  @Override
  int get(Call call, long capacity) {
    ReadPath path = lend(call);
    try {
      return path.get(call, capacity);
    } finally {
      idle.add(path);
    }
  }

  @Override
  long fill(Call call, long capacity) {
    ReadPath path = lend(call);
    try {
      return path.fill(call, capacity);
    } finally {
      idle.add(path);
    }
  }

  @Override
  public PinBatch pin(Call call, KeyList keys) {
    ReadPath path = lendOrLeave(call);
    try {
      return path.pin(call, keys);
    } finally {
      idle.add(path);
    }
  }

  @Override
  public byte[][] copy(Call call, byte[][] keys) {
    ReadPath path = lendOrLeave(call);
    try {
      return path.copy(call, keys);
    } finally {
      idle.add(path);
    }
  }

  private ReadPath lendOrLeave(Call call) {
    try {
      return lend(call);
    } catch (Throwable e) {
      call.exit();
      throw e;
    }
  }
}
