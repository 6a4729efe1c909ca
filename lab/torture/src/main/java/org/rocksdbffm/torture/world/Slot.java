/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.world;

import java.util.concurrent.locks.ReentrantLock;
import org.rocksdbffm.RocksDb;

/** A database that is repeatedly closed and reopened. */
public final class Slot {
  final int number;
  public final ReentrantLock opening = new ReentrantLock();
  public volatile Store store;
  public volatile Held<RocksDb> database;
  public volatile Place place;
  public int refusals; // consecutive failures to reopen; guarded by the lock

  Slot(int number) {
    this.number = number;
  }
}
