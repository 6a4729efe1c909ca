/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.lifetime;

import java.util.function.BooleanSupplier;

/**
 * A loan of an object that is part of another object, the lender. It ends with the lender; a short loan ends earlier,
 * when the lender is cleared or does not contain the object any more. Immutable.
 */
public final class Loan<L> {
  private final L lender;
  private final Owner<?> cleared; // null unless a clear ends the loan
  private final int age;
  private final BooleanSupplier contains; // null unless the lender may lose the object

  private Loan(L lender, Owner<?> cleared, BooleanSupplier contains) {
    this.lender = lender;
    this.cleared = cleared;
    this.age = cleared == null ? 0 : cleared.age();
    this.contains = contains;
  }

  /** Returns a loan that lasts while the lender is open. */
  public static <L> Loan<L> from(L lender) {
    return new Loan<>(lender, null, null);
  }

  /** Returns a loan that lasts until the next {@link Owner#clear}. */
  public static <L> Loan<L> untilCleared(L lender, Owner<?> cleared) {
    return new Loan<>(lender, cleared, null);
  }

  /** Returns a loan that lasts while {@code contains}, which is called within a use of the lender, returns true. */
  public static <L> Loan<L> whileContained(L lender, BooleanSupplier contains) {
    return new Loan<>(lender, null, contains);
  }

  public L lender() {
    return lender;
  }

  /** Whether a clear has ended the loan. */
  public boolean isCleared() {
    return cleared != null && age != cleared.age();
  }

  /** Whether the lender does not contain the object any more. The caller uses the lender. */
  public boolean isLost() {
    return contains != null && !contains.getAsBoolean();
  }
}
