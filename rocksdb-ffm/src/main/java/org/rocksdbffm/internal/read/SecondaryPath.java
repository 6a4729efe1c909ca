/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.read;

import java.util.concurrent.locks.Lock;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.db.NativeSnapshot;
import org.rocksdbffm.internal.foreign.StackRoom;

/**
 * A path of a secondary database, whose reads and catching up take turns: the engine takes the number that a read sees
 * before it takes the files, and finds no row in those that were compacted in between. A class of its own, so that reads
 * of other databases look for no lock.
 */
final class SecondaryPath extends ReadPath {
  private final Lock reading;

  SecondaryPath(NativeFamily family, NativeReadOptions options, NativeSnapshot snapshot) {
    super(family, options, snapshot);
    this.reading = family.database().reading();
  }

  @Override
  int get(Call call, long capacity) {
    StackRoom.require(); // a lock that a stack ends in stays taken
    reading.lock();
    try {
      return super.get(call, capacity);
    } finally {
      reading.unlock();
    }
  }

  @Override
  long fill(Call call, long capacity) {
    StackRoom.require();
    reading.lock();
    try {
      return super.fill(call, capacity);
    } finally {
      reading.unlock();
    }
  }

  @Override
  public boolean mayExist(Call call) {
    reading.lock();
    try {
      return super.mayExist(call);
    } finally {
      reading.unlock();
    }
  }

  @Override
  public PinBatch pin(Call call, KeyList keys) {
    reading.lock();
    try {
      return super.pin(call, keys);
    } finally {
      reading.unlock();
    }
  }

  @Override
  public byte[][] copy(Call call, byte[][] keys) {
    reading.lock();
    try {
      return super.copy(call, keys);
    } finally {
      reading.unlock();
    }
  }
}
