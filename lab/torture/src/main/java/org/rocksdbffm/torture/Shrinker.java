/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.rocksdbffm.torture.world.Step;

/** Removes clients and steps from a failing case, as long as it still fails. */
final class Shrinker {
  private final Predicate<Case> fails;
  private final long end;

  Shrinker(Predicate<Case> fails, Duration most) {
    this.fails = fails;
    this.end = System.nanoTime() + most.toNanos();
  }

  Case shrink(Case failing) {
    Case smallest = withoutClients(failing);
    for (int part = largestPart(smallest); part >= 1 && inTime(); part /= 2) {
      smallest = withoutParts(smallest, part);
    }
    return withoutClients(smallest);
  }

  private boolean inTime() {
    return System.nanoTime() < end;
  }

  private static int largestPart(Case of) {
    return Math.max(1, of.clients().stream().mapToInt(List::size).max().orElse(1) / 2);
  }

  /** Clients without steps are kept, so that the numbers and keys of the other clients do not change. */
  private Case withoutClients(Case failing) {
    Case smallest = failing;
    for (int client = 0; client < smallest.clients().size() && inTime(); client++) {
      if (!smallest.clients().get(client).isEmpty()) {
        smallest = smallerOf(smallest, without(smallest, client, 0, smallest.clients().get(client).size()));
      }
    }
    return smallest;
  }

  private Case withoutParts(Case failing, int part) {
    Case smallest = failing;
    for (int client = 0; client < smallest.clients().size(); client++) {
      for (int from = 0; from < smallest.clients().get(client).size() && inTime(); ) {
        Case without = without(smallest, client, from, part);
        if (fails.test(without)) {
          smallest = without;
        } else {
          from += part;
        }
      }
    }
    return smallest;
  }

  private Case smallerOf(Case failing, Case smaller) {
    return fails.test(smaller) ? smaller : failing;
  }

  private static Case without(Case of, int client, int from, int count) {
    List<List<Step>> clients = new ArrayList<>(of.clients());
    List<Step> steps = new ArrayList<>(clients.get(client));
    steps.subList(from, Math.min(steps.size(), from + count)).clear();
    clients.set(client, steps);
    return new Case(clients);
  }
}
