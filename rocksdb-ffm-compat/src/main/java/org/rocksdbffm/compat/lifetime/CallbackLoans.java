/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.lifetime;

import java.lang.ref.WeakReference;
import java.util.concurrent.ConcurrentHashMap;
import org.rocksdb.AbstractImmutableNativeReference;
import org.rocksdb.RocksDB;

/**
 * Closes the objects that a callback received, when the callback returns, because the engine then frees their memory.
 * Exception: an object for a database that the program opened is valid until the program's database is closed.
 * Thread-safe.
 */
public final class CallbackLoans {
  private static final ConcurrentHashMap<Long, WeakReference<Guard>> DATABASES = new ConcurrentHashMap<>();

  /** The loans of one callback, as a linked list. */
  private record Loan(Object object, Guard guard, Loan before) {}

  private CallbackLoans() {}

  /** Registers a database by its pointer. Called by the constructor, including for objects that callbacks receive. */
  public static void opened(Object database) {
    Guard guard = UpstreamFields.guard(database);
    if (!DATABASES.isEmpty()) {
      DATABASES.values().removeIf(known -> isClosed(known.get()));
    }
    DATABASES.putIfAbsent(((RocksDB) database).getNativeHandle(), new WeakReference<>(guard));
  }

  /**
   * Whether the database, or the transaction database that contains it, was closed; another database may have the same
   * pointer since.
   */
  private static boolean isClosed(Guard guard) {
    return guard == null || guard.isClosing() || guard.isBorrowed() && isClosed(guard.lender());
  }

  /** Adds an argument of a callback, or an object made for it, to its loans. */
  public static Object lend(Object object, Object loans) {
    Guard guard = UpstreamFields.guard(object);
    if (guard == null || object instanceof AbstractImmutableNativeReference reference && !isLent(reference)) {
      return loans;
    }
    return new Loan(object, guard, (Loan) loans);
  }

  /**
   * Whether the callback does not own the object. The constructor of a database has not called disownNativeHandle yet.
   */
  private static boolean isLent(AbstractImmutableNativeReference object) {
    return object instanceof RocksDB || !object.isOwningHandle();
  }

  /** Ends the loans of a callback that returns. Waits for other threads that use the objects. */
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
