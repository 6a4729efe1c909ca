/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.metrics;


/**
 * Code that is notified of a database's events: flushes, compactions, failures in the background, stalls of writes.
 *
 * <p>A thread of its own calls it for one event after the other, soon after they happen. The engine does not wait for it:
 * it may take its time, use the database, and close it. While 1024 events wait, later ones are dropped, and an event says
 * how many. An exception that it throws is logged, and the next event follows. The last events of a database may come
 * after its close.
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
