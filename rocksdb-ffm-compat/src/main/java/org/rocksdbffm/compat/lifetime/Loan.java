/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.lifetime;

import java.util.function.BooleanSupplier;

/**
 * The state of a borrowed object, which is valid while its lender is open, or only until the lender is cleared, which
 * increments the lender's age. Also an object's companion, which other objects' methods use together with it. One
 * thread lends; any thread may read.
 */
abstract class Loan extends Kinship {
  // The object that contains this one, if it is borrowed; and an object that methods of other objects use together with
  // this one, such as the snapshot in read options.
  volatile Guard lender;
  volatile Guard companion;
  private Object companionItself; // keeps the companion reachable

  // A short loan from a batch or transaction ends when the lender is cleared, which increments its age, or when the
  // lender no longer contains the borrowed object.
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

  /** Lends this object while the lender is open. */
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

  /** Whether the lender serves one thread at a time, like a batch, which moves its bytes when it grows. */
  public boolean livesInBatch() {
    Guard its = lender;
    return its != null && its.servesOneThread();
  }

  /** Ends the short loans of this object. The caller holds the guard. */
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

  /** Throws if a short loan has ended. May be called by any thread. */
  public final void requireNotCleared() {
    if (bornAt != FOR_EVER) {
      requireSameAge();
    }
  }

  private void requireSameAge() {
    if (bornAt != lender.age()) {
      throw new IllegalStateException(
          name() + " is of no use any more: what it is over was committed, rolled back or cleared");
    }
  }

  /** Throws if the loan has ended. The caller uses the lender. */
  final void requireLent() {
    requireNotCleared();
    if (isThere != null && !isThere.getAsBoolean()) {
      throw closedException();
    }
  }

  /** Makes methods of other objects use a companion together with this object; null removes it. */
  void accompaniedBy(Object other) {
    companionItself = other;
    companion = UpstreamFields.guard(other);
  }

  /** Copies the companion of another object. */
  void accompaniedLike(Loan other) {
    companionItself = other.companionItself;
    companion = other.companion;
  }

  /** Whether the object serves one thread at a time. */
  abstract boolean servesOneThread();

  abstract IllegalStateException closedException();
}
