/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import org.rocksdbffm.torture.operations.Operations;
import org.rocksdbffm.torture.runs.Shrinker;
import org.rocksdbffm.torture.world.Step;

/** The lists of steps of clients that run concurrently. Written to a file with one line for each client. */
record Case(List<List<Step>> clients) {
  static final int MOST_CLIENTS = 8;
  private static final int[] CLIENTS = {1, 1, 2, 3, 4, 8};
  private static final int MOST_STEPS = System.getProperty("torture.only", "").isEmpty() ? 2000 : 60; // some are slow

  /** Creates a random case; the same seed gives the same case. */
  static Case of(long seed) {
    Random random = new Random(seed);
    int count = CLIENTS[random.nextInt(CLIENTS.length)];
    int length = 50 + random.nextInt(MOST_STEPS);
    List<List<Step>> clients = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      List<Step> steps = new ArrayList<>();
      for (int s = 0; s < length; s++) {
        steps.add(new Step(Operations.choose(random).name(), random.nextLong()));
      }
      clients.add(steps);
    }
    return new Case(clients);
  }

  /** A step, and the number of the client that runs it. */
  private record ClientStep(int client, Step step) {}

  /**
   * Returns a smaller case that fails. Clients without steps stay, so that the keys of the other clients do not change.
   */
  Case smallest(Predicate<Case> fails, Duration most) {
    return new Shrinker<>(fails, most).shrink(this, Case::all, Case::with);
  }

  private List<ClientStep> all() {
    List<ClientStep> all = new ArrayList<>();
    for (int client = 0; client < clients.size(); client++) {
      int number = client;
      clients.get(client).forEach(step -> all.add(new ClientStep(number, step)));
    }
    return all;
  }

  private Case with(List<ClientStep> steps) {
    List<List<Step>> lists = new ArrayList<>();
    clients.forEach(_ -> lists.add(new ArrayList<>()));
    steps.forEach(each -> lists.get(each.client).add(each.step));
    return new Case(lists);
  }

  int steps() {
    return clients.stream().mapToInt(List::size).sum();
  }

  static Case read(Path file) throws IOException {
    List<List<Step>> clients = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      if (!line.startsWith("//")) {
        clients.add(line.isBlank() ? List.of() : List.of(line.trim().split(" ")).stream().map(Step::parse).toList());
      }
    }
    return new Case(clients);
  }

  void write(Path file) throws IOException {
    Files.writeString(file, toString());
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (List<Step> steps : clients) {
      text.append(String.join(" ", steps.stream().map(Step::toString).toList())).append('\n');
    }
    return text.toString();
  }
}
