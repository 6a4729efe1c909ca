/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.clients.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rocksdbffm.clients.raft.Operation.Kind;

class HistoryTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          an acknowledged put is lost         | x 0 0 9 put 0 1; x 1 20 29 get 0 0
          a read is of a value never put      | x 0 0 9 put 0 1; x 1 20 29 get 0 2
          a read is older than one before it  | x 0 0 99 put 0 1; x 1 10 19 get 0 1; x 1 20 29 get 0 0
          two puts show in turns               | x 0 0 9 put 0 1; x 1 0 9 put 0 2; x 2 10 19 get 0 1; x 2 20 29 get 0 2
          a value comes back                  | x 0 0 9 put 0 1; x 0 10 19 put 0 2; x 1 20 29 get 0 1
          a put shows before it was asked for | x 1 0 9 get 0 1; x 0 10 - put 0 1
          two swaps of the same value are done | x 0 0 9 put 0 1; x 0 10 29 swap 1 2; x 1 10 29 swap 1 3
          a swap is done of another value     | x 0 0 9 put 0 1; x 0 10 19 swap 2 3
          a swap is refused without a reason  | x 0 0 9 put 0 1; x 0 10 19 refused 1 2
          a refused swap shows                | x 0 0 9 put 0 1; x 0 10 19 refused 7 2; x 1 20 29 get 0 2
          an unanswered put shows twice       | x 0 0 - put 0 1; x 1 1 2 get 0 1; x 1 3 4 put 0 2; x 1 5 6 get 0 1
          an unanswered swap has no occasion  | x 0 0 9 put 0 1; x 0 10 - swap 2 3; x 1 20 29 get 0 3
          """)
  void itIsNotLinearizableIf(String reason, String lines) {
    assertEquals(Set.of("x"), violations(lines).keySet(), reason);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          nothing was done                    | x 0 0 9 get 0 0
          a read overlaps the put that it saw | x 0 0 99 put 0 1; x 1 10 19 get 0 1
          a read overlaps the put it missed   | x 0 0 99 put 0 1; x 1 10 19 get 0 0; x 1 20 29 get 0 1
          an unanswered put shows late        | x 0 0 - put 0 1; x 1 0 9 get 0 0; x 1 10 19 get 0 1
          an unanswered put never shows       | x 0 0 - put 0 1; x 1 10 19 get 0 0
          an unanswered swap shows late       | x 0 0 9 put 0 1; x 0 9 - swap 1 2; x 1 20 29 get 0 1; x 1 30 39 get 0 2
          an unanswered swap was in vain      | x 0 0 9 put 0 1; x 0 10 - swap 5 2; x 1 20 29 get 0 1
          swaps follow each other             | x 0 0 9 put 0 1; x 0 9 29 swap 2 3; x 1 9 29 swap 1 2; x 1 30 39 get 0 3
          keys know nothing of each other     | x 0 0 9 put 0 1; y 0 10 19 get 0 0; x 0 20 29 get 0 1
          """)
  void itIsLinearizableIf(String reason, String lines) {
    assertEquals(Map.of(), violations(lines), reason);
  }

  private static Map<String, List<Operation>> violations(String lines) {
    return History.parse(lines.replace(';', '\n')).violations();
  }

  @Test
  void theSearchFindsWhatTryingEachOrderFinds() {
    Random random = new Random(1);
    int rejected = 0;
    for (int round = 0; round < 5000; round++) {
      History history = random(random);
      assertEquals(hasOrder(history.operations()), history.violations().isEmpty(), history::toString);
      rejected += history.violations().size();
    }
    assertTrue(rejected > 1000 && rejected < 4000, rejected + " of 5000 are rejected");
  }

  private static History random(Random random) {
    List<Operation> operations = new ArrayList<>();
    for (int client = 0; client < 5; client++) {
      long start = random.nextInt(8);
      Kind kind = Kind.values()[random.nextInt(4)];
      boolean unanswered = random.nextInt(3) == 0 && (kind == Kind.PUT || kind == Kind.SWAP);
      long end = unanswered ? Operation.NEVER : start + random.nextInt(8);
      operations.add(new Operation("x", client, start, end, kind, random.nextInt(3), 1 + random.nextInt(2)));
    }
    return new History(operations);
  }

  private static boolean hasOrder(List<Operation> operations) {
    return hasOrder(new ArrayList<>(), operations);
  }

  private static boolean hasOrder(List<Operation> order, List<Operation> left) {
    if (left.stream().allMatch(operation -> operation.end() == Operation.NEVER) && isRegister(order)) {
      return true;
    }
    for (Operation next : left) {
      List<Operation> longer = new ArrayList<>(order);
      longer.add(next);
      List<Operation> rest = new ArrayList<>(left);
      rest.remove(next);
      if (hasOrder(longer, rest)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isRegister(List<Operation> order) {
    OptionalLong value = OptionalLong.of(Operation.ABSENT);
    for (int at = 0; at < order.size() && value.isPresent(); at++) {
      Operation operation = order.get(at);
      boolean late = order.subList(at, order.size()).stream().anyMatch(other -> other.end() < operation.start());
      value = late ? OptionalLong.empty() : operation.after(value.getAsLong());
    }
    return value.isPresent();
  }

  @Test
  void aFileOfAHistoryIsReadAsItWasWritten() {
    History history = random(new Random(2));
    assertEquals(history, History.parse(history.toString()));
  }

  /** Uses the maximum number of operations of a key, and of operations without a reply. */
  @Test
  void aLongHistoryIsDecidedToo() {
    List<Operation> operations = new ArrayList<>();
    for (int at = 1; at <= 600; at++) {
      long end = at % 150 == 0 ? Operation.NEVER : at * 10 + 35;
      operations.add(new Operation("x", at % 4, at * 10, end, Kind.PUT, 0, at));
      operations.add(new Operation("x", 5, at * 10 + 4, at * 10 + 6, Kind.GET, 0, at));
    }
    assertEquals(Map.of(), new History(operations).violations());
    operations.add(new Operation("x", 5, 90_000, 90_001, Kind.GET, 0, 17));
    assertEquals(Set.of("x"), new History(operations).violations().keySet());
  }
}
