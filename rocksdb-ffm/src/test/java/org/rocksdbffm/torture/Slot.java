/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture;

import java.util.concurrent.locks.ReentrantLock;
import org.rocksdbffm.RocksDb;

/** A database that is closed and opened again and again. */
final class Slot {
  final int number;
  final ReentrantLock opening = new ReentrantLock();
  volatile Store store;
  volatile Held<RocksDb> database;
  volatile Place place;
  int refusals; // while nobody could open it; guarded by the lock

  Slot(int number) {
    this.number = number;
  }
}
