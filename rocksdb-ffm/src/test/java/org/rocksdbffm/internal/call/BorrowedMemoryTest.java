/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.call;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

class BorrowedMemoryTest {
  private final Handle handle = new Handle("the object");

  @Test
  void aThreadBorrowsTheMemoryOfItsCallAndReturnsIt() {
    Call lending = Call.enter(handle).lend();
    for (int round = 0; round < 2; round++) {
      Call borrowed = Call.borrow();
      assertSame(lending, borrowed);
      borrowed.exit();
      assertTrue(handle.isInUse(), "the return of the memory has ended the call");
    }
    lending.exitWithLoan();
    assertFalse(handle.isInUse());
  }

  @Test
  void memoryIsBorrowedOnce() {
    Call lending = Call.enter(handle).lend();
    Call borrowed = Call.borrow();
    Call nested = Call.borrow();
    assertNotSame(lending, nested);
    nested.exit();
    borrowed.exit();
    lending.exitWithLoan();
    assertFalse(handle.isInUse());
  }

  @Test
  void aCallEndsAlthoughItsMemoryWasNotReturned() {
    Call lending = Call.enter(handle).lend();
    Call.borrow();
    lending.exitWithLoan();
    assertFalse(handle.isInUse());
    Call next = Call.enter(handle);
    next.exit();
    assertFalse(handle.isInUse());
  }

  @Test
  void aCallThatLendsNothingIsNotBorrowed() {
    Call entered = Call.enter(handle);
    Call borrowed = Call.borrow();
    assertNotSame(entered, borrowed);
    borrowed.exit();
    entered.exit();
    assertFalse(handle.isInUse());
  }

  @Test
  void anotherThreadBorrowsOtherMemory() throws Exception {
    Call lending = Call.enter(handle).lend();
    FutureTask<Call> other = new FutureTask<>(() -> {
      Call borrowed = Call.borrow();
      borrowed.exit();
      return borrowed;
    });
    Thread.ofPlatform().start(other);
    assertNotSame(lending, other.get());
    lending.exitWithLoan();
  }

  @Test
  void aLargeKeyIsFreedWithTheReturn() {
    Call lending = Call.enter(handle).lend();
    Call borrowed = Call.borrow();
    borrowed.copyKey(new byte[1 << 20], 0, 1 << 20);
    assertTrue(borrowed.hasOverflowed());
    borrowed.exit();
    assertFalse(lending.hasOverflowed());
    lending.exitWithLoan();
  }
}
