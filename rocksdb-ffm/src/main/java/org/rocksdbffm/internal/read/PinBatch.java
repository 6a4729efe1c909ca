/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.read;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.foreign.EngineTable;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.leak.LiveObjects;
import org.rocksdbffm.internal.pin.PinLedger;

/** The values of a multi-get, pinned together until {@link #release}, which the owner calls exactly once. */
public final class PinBatch {
  private static final long ABSENT = -1;

  private final Database database;
  private final List<NativeFamily> families;
  private final MemorySegment pins;
  private final long[] addresses;
  private final long[] sizes;
  private long bytes;

  /**
   * <em>Owns</em> the pins and their array, one pin for each key. {@code families}: the column families of the keys.
   */
  PinBatch(Database database, List<NativeFamily> families, MemorySegment pins, int count) {
    this.database = database;
    this.families = families;
    this.pins = pins;
    this.addresses = new long[count];
    this.sizes = new long[count];
  }

  void set(int index, boolean found, long address, long size) {
    addresses[index] = address;
    sizes[index] = found ? size : ABSENT;
  }

  /** Counts one pin of unknown size, or throws and counts nothing; called within calls that use the database and the families. */
  void pinned() {
    database.pinned(0);
    for (int i = 0; i < families.size(); i++) { // no iterator, for which the heap may have no room
      families.get(i).hold();
    }
  }

  /** Adds the size of the found values to the pinned bytes, or throws if the limit is exceeded. */
  void measured() {
    long size = 0;
    for (long each : sizes) {
      size += Math.max(0, each);
    }
    database.pinned(size);
    database.unpinned(0);
    bytes = size;
  }

  /** Adds the size of one value to the pinned bytes, or throws if the limit is exceeded. */
  void measured(int index) {
    long size = Math.max(0, sizes[index]);
    database.pinned(size);
    database.unpinned(0);
    bytes += size;
  }

  public PinLedger ledger() {
    return database.pins();
  }

  public String name() {
    return "multi-get of " + database.handle();
  }

  public int count() {
    return sizes.length;
  }

  public boolean isPresent(int index) {
    return sizes[index] != ABSENT;
  }

  public long size(int index) {
    return sizes[index];
  }

  /** Returns the address of a value that is present. */
  public long address(int index) {
    return addresses[index];
  }

  /** Returns a copy of a value; null if it is absent. */
  public byte[] bytes(int index) {
    return isPresent(index) ? Memory.toArray(addresses[index], sizes[index]) : null;
  }

  /** Returns a read-only view of a value until the arena is closed, which the owner does before it releases. */
  public MemorySegment view(int index, Arena arena) {
    return isPresent(index) ? Memory.view(addresses[index], sizes[index], arena) : null;
  }

  public void release() {
    RocksDbC.rocksdb_ffm_release(EngineTable.TABLE, pins, sizes.length);
    LiveObjects.PIN_ARRAYS.freed(pins.byteSize());
    Memory.free(pins);
    for (int i = 0; i < families.size(); i++) {
      families.get(i).endHold();
    }
    database.unpinned(bytes);
  }
}
