/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.lifetime;

import java.lang.ref.WeakReference;
import java.util.concurrent.ConcurrentHashMap;
import org.rocksdb.AbstractImmutableNativeReference;
import org.rocksdb.RocksDB;

/**
 * The objects that a callback is given: they are over memory that the engine frees when the callback returns, and are
 * closed from then on. A database that a callback is given is an object of its own over one that the program opened,
 * and lives as long as that. Thread-safe.
 */
public final class CallbackLoans {
  private static final ConcurrentHashMap<Long, WeakReference<Guard>> DATABASES = new ConcurrentHashMap<>();

  /** The loans of one callback, as a chain. */
  private record Loan(Object object, Guard guard, Loan before) {}

  private CallbackLoans() {}

  /** Remembers an open database by its pointer; called by its constructor, and that of what callbacks get too. */
  public static void opened(Object database) {
    Guard guard = UpstreamFields.guard(database);
    DATABASES.values().removeIf(its -> isClosed(its.get()));
    DATABASES.putIfAbsent(((RocksDB) database).getNativeHandle(), new WeakReference<>(guard));
  }

  /** Whether it, or the database with transactions that it lives in, was closed: another may have its pointer since. */
  private static boolean isClosed(Guard guard) {
    return guard == null || guard.isClosing() || guard.lender != null && isClosed(guard.lender);
  }

  /** Adds to the loans of a callback an object that was made for it or is an argument of it. */
  public static Object lend(Object object, Object loans) {
    Guard guard = UpstreamFields.guard(object);
    if (guard == null || object instanceof AbstractImmutableNativeReference its && !isLent(its)) {
      return loans;
    }
    return new Loan(object, guard, (Loan) loans);
  }

  /** A database is not yet given up by its constructor; nothing else that a callback is given is owned. */
  private static boolean isLent(AbstractImmutableNativeReference object) {
    return object instanceof RocksDB || !object.isOwningHandle();
  }

  /** Ends the loans of a callback that returns; waits for other threads that use them. */
  public static void end(Object loans) {
    for (Loan loan = (Loan) loans; loan != null; loan = loan.before) {
      if (!(loan.object instanceof RocksDB database) || !livesOn(database, loan.guard)) {
        loan.guard.close();
      }
    }
  }

  private static boolean livesOn(RocksDB database, Guard guard) {
    WeakReference<Guard> known = DATABASES.get(database.getNativeHandle());
    Guard opened = known == null ? null : known.get();
    if (isClosed(opened) || opened == guard) {
      return false;
    }
    guard.isOf(opened.database());
    guard.livesIn(opened);
    return true;
  }
}
