/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.lifetime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class OwnerTest {
  private final Owner<String> owner = new Owner<>();

  @Test
  void theYoungestChildComesFirst() {
    owner.add("a");
    owner.add("b");
    owner.add("c");
    assertEquals(List.of("c", "b", "a"), owner.children());
  }

  @Test
  void aChildLeavesOnce() {
    owner.add("a");
    Owner.Place<String> second = owner.add("b");
    owner.add("c");
    second.leave();
    second.leave();
    assertEquals(List.of("c", "a"), owner.children());
  }

  @Test
  void theYoungestAndTheOldestLeaveToo() {
    Owner.Place<String> first = owner.add("a");
    owner.add("b");
    Owner.Place<String> last = owner.add("c");
    first.leave();
    last.leave();
    owner.add("d");
    assertEquals(List.of("d", "b"), owner.children());
  }

  @Test
  void takenChildrenAreNotTakenAgain() {
    owner.add("a");
    Owner.Place<String> second = owner.add("b");
    assertEquals(List.of("b", "a"), owner.takeChildren());
    owner.add("c");
    second.leave();
    assertEquals(List.of("c"), owner.takeChildren());
    assertEquals(List.of(), owner.children());
  }

  @Test
  void aClearEndsTheLoansOfBefore() {
    Loan<String> earlier = Loan.untilCleared("lender", owner);
    Loan<String> unlimited = Loan.from("lender");
    owner.clear();
    assertTrue(earlier.isCleared());
    assertFalse(unlimited.isCleared());
    assertFalse(Loan.untilCleared("lender", owner).isCleared());
  }

  @Test
  void aLoanIsLostWithWhatTheLenderContains() {
    boolean[] contains = {true};
    Loan<String> loan = Loan.whileContained("lender", () -> contains[0]);
    assertFalse(loan.isLost());
    contains[0] = false;
    assertTrue(loan.isLost());
    assertFalse(Loan.from("lender").isLost());
  }
}
