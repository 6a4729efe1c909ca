/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.metrics;


/**
 * Code that is told of a database's events: flushes, compactions, failures in the background, stalls of writes.
 *
 * <p>It is told by a thread of its own, one event after the other, soon after they happen. The engine does not wait for
 * it: it may take its time, use the database, and close it. While 1024 events wait for it, later ones are dropped, and it
 * is told how many. An exception of it is logged, and it is told of the next event all the same. The last events of a
 * database may come behind its close.
 */
@FunctionalInterface
public interface DatabaseListener {
  /**
   * Takes an event.
   *
   * @param event a value, which may be kept
   */
  void onEvent(DatabaseEvent event);
}
