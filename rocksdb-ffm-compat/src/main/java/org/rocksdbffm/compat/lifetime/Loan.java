/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.lifetime;

import java.util.function.BooleanSupplier;

/**
 * The loan of an object that lives in another: it is of use while its lender is open, for some only until the lender is
 * cleared, which increments the lender's age. Also the companion that methods of other objects use along with it. One
 * thread lends; any thread may look.
 */
abstract class Loan extends Kinship {
  // The object that this one lives in, if it is borrowed; and one that is used along with it by methods of other
  // objects, as a snapshot is with the options that name it.
  volatile Guard lender;
  volatile Guard companion;
  private Object companionItself; // so that it is not forgotten

  // A short loan of a batch or a transaction ends when that is cleared, which increments its age, or when the object is
  // not there any more.
  private static final int FOR_EVER = -1;
  private volatile int age;
  private int bornAt = FOR_EVER;
  private BooleanSupplier isThere;

  Loan(Object object, boolean isPrompt) {
    super(object, isPrompt);
  }

  Guard companion() {
    return companion;
  }

  public boolean isBorrowed() {
    return lender != null;
  }

  /** Lends this object: it is of use while the lender is open. */
  void livesIn(Guard lender) {
    this.lender = lender;
  }

  /** Lends this object until the short loans of the lender end. */
  final void livesForNowIn(Guard lender) {
    bornAt = lender.age();
    this.lender = lender;
  }

  /** Lends this object while the lender is open and the condition holds. */
  void livesIn(Guard lender, BooleanSupplier isThere) {
    this.isThere = isThere;
    this.lender = lender;
  }

  /** Whether it lives in an object that serves one thread at a time, which moves its bytes as it grows. */
  public boolean livesInBatch() {
    Guard its = lender;
    return its != null && its.servesOneThread();
  }

  /** Ends the short loans of this object; called by a method that holds it. */
  @SuppressWarnings("NonAtomicOperationOnVolatileField")
  void endLoans() {
    if (livesInBatch()) {
      lender.endLoans();
    } else {
      age++;
    }
  }

  final int age() {
    return livesInBatch() ? lender.age() : age;
  }

  /** Throws if a short loan has ended; asked by any thread. */
  public final void requireNotCleared() {
    if (bornAt != FOR_EVER && bornAt != lender.age()) {
      throw new IllegalStateException(
          name() + " is of no use any more: what it is over was committed, rolled back or cleared");
    }
  }

  /** Throws if the loan has ended; asked by a method that uses the lender. */
  final void requireLent() {
    requireNotCleared();
    if (isThere != null && !isThere.getAsBoolean()) {
      throw closedException();
    }
  }

  /** Has the other used along with this object wherever it is used by others; null ends that. */
  void accompaniedBy(Object other) {
    companionItself = other;
    companion = UpstreamFields.guard(other);
  }

  /** The same as with the other object. */
  void accompaniedLike(Loan other) {
    companionItself = other.companionItself;
    companion = other.companion;
  }

  /** Whether it serves one thread at a time. */
  abstract boolean servesOneThread();

  abstract IllegalStateException closedException();
}
