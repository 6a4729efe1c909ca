/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.read;

import java.lang.foreign.MemorySegment;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.db.NativeSnapshot;
import org.rocksdbffm.internal.db.Parent;
import org.rocksdbffm.internal.foreign.StackRoom;

/**
 * A path whose reads have a deadline. RocksDB's deadline is a point in time, so concurrent reads cannot share options:
 * each borrows a path with a copy of the options, which is kept for later reads. A separate class, so that other reads
 * need no check for a deadline.
 */
final class TimedPath extends ReadPath {
  private final ReadPath model;
  private final Queue<ReadPath> idle = new ConcurrentLinkedQueue<>();

  /** Creates a path that reads as {@code model} does, which has a deadline in its options. */
  TimedPath(ReadPath model) {
    super(model.family(), model.options());
    this.model = model;
  }

  /** Returns a path whose deadline is counted from now. */
  @Override
  ReadPath lend(Call call) {
    StackRoom.require(); // more than a read without a deadline needs
    ReadPath path = idle.poll();
    if (path == null) {
      path = model.copy();
    }
    path.options().beginTime();
    path.adopt(call);
    return path;
  }

  @Override
  void takeBack(ReadPath lent) {
    idle.add(lent);
  }

  @Override
  int get(Call call, long capacity) {
    ReadPath path = lend(call);
    try {
      return path.get(call, capacity);
    } finally {
      takeBack(path);
    }
  }

  @Override
  long fill(Call call, long capacity) {
    ReadPath path = lend(call);
    try {
      return path.fill(call, capacity);
    } finally {
      takeBack(path);
    }
  }

  @Override
  public boolean mayExist(Call call) {
    ReadPath path;
    try {
      path = lend(call);
    } catch (Throwable e) {
      call.exit();
      throw e;
    }
    try {
      return path.mayExist(call);
    } finally {
      takeBack(path);
    }
  }

  @Override
  ReadPath another(NativeReadOptions options, NativeSnapshot snapshot) {
    return model.another(options, snapshot);
  }

  @Override
  ReadPath copy() {
    return model.copy();
  }

  @Override
  void adopt(Call call) {
    model.adopt(call);
  }

  @Override
  public Call enter() {
    return model.enter();
  }

  @Override
  void lock(Call call, NativeFamily family, long key, long size) {
    model.lock(call, family, key, size);
  }

  @Override
  MemorySegment reader(Call call) {
    return model.reader(call);
  }

  @Override
  int entitySource() {
    return model.entitySource();
  }

  @Override
  int togetherIfPossible() {
    return model.togetherIfPossible();
  }

  @Override
  int oneByOne() {
    return model.oneByOne();
  }

  @Override
  public Parent parent() {
    return model.parent();
  }

  @Override
  public MemorySegment iterator(MemorySegment options) {
    return model.iterator(options);
  }

  @Override
  public String toString() {
    return model.toString();
  }
}
