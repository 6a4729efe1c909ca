/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.lifetime;

import java.util.function.BooleanSupplier;

/**
 * That an object lives in another, its lender: it is of use while that is open. A short loan of a batch or a transaction
 * ends when that is cleared, which increments its age; another one, when the object is not there any more.
 */
record Loan(Guard lender, int bornAt, BooleanSupplier isThere) {
  private static final int FOR_EVER = -1;

  static Loan by(Guard lender, BooleanSupplier isThere) {
    return new Loan(lender, FOR_EVER, isThere);
  }

  static Loan forNow(Guard lender) {
    return new Loan(lender, lender.age(), null);
  }

  /** Throws if a short loan has ended; asked by any thread. */
  void requireNotCleared(Guard borrowed) {
    if (bornAt != FOR_EVER && bornAt != lender.age()) {
      throw new IllegalStateException(
          borrowed.name() + " is of no use any more: what it is over was committed, rolled back or cleared");
    }
  }

  /** Throws if the loan has ended; asked by a method that uses the lender. */
  void requireLent(Guard borrowed) {
    requireNotCleared(borrowed);
    if (isThere != null && !isThere.getAsBoolean()) {
      throw borrowed.closedException();
    }
  }
}
