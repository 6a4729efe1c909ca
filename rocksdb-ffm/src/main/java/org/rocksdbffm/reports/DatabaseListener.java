/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.reports;


/**
 * A callback for a database's events: flushes, compactions, background failures and write stalls.
 *
 * <p>A separate thread calls it for one event at a time, soon after the event. The engine does not wait for it: it may
 * be slow, use the database, and close it. While 1024 events are queued, later ones are dropped, and {@link
 * DatabaseEvent.Dropped} reports their number. Exceptions are logged. The last events of a database may arrive after
 * its close.
 */
@FunctionalInterface
public interface DatabaseListener {
  /**
   * Receives an event.
   *
   * @param event immutable
   */
  void onEvent(DatabaseEvent event);
}
