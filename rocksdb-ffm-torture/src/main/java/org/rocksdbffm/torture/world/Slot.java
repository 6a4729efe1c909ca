/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.world;

import java.util.concurrent.locks.ReentrantLock;
import org.rocksdbffm.RocksDb;

/** A database that is closed and opened again and again. */
public final class Slot {
  final int number;
  public final ReentrantLock opening = new ReentrantLock();
  public volatile Store store;
  public volatile Held<RocksDb> database;
  public volatile Place place;
  public int refusals; // while nobody could open it; guarded by the lock

  Slot(int number) {
    this.number = number;
  }
}
