/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.world;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.rocksdbffm.RocksDbException;

/** Counts results, exceptions, checks and closes, for the report. Thread-safe. */
public final class Tally {
  private final LongAdder checks = new LongAdder();
  private final LongAdder closed = new LongAdder();
  private final LongAdder closedInWrongOrder = new LongAdder();
  private final LongAdder forgotten = new LongAdder();
  private final Map<String, LongAdder> answers = new ConcurrentHashMap<>();
  private final Map<String, LongAdder> exceptions = new ConcurrentHashMap<>();

  void checked() {
    checks.increment();
  }

  void closed(boolean inWrongOrder) {
    closed.increment();
    if (inWrongOrder) {
      closedInWrongOrder.increment();
    }
  }

  void forgotten() {
    forgotten.increment();
  }

  public long allForgotten() {
    return forgotten.sum();
  }

  void answered(Operation operation) {
    answers.computeIfAbsent(operation.name(), ignored -> new LongAdder()).increment();
  }

  public void threw(Throwable e) {
    String message = String.valueOf(e.getMessage());
    String kind =
        e instanceof RocksDbException failed
            ? failed.code().toString()
            : message.replaceAll(
                "(?s).*?( is (not|in|closed|released)| was moved| holds views| reads at| has no)\\b.*", "...$1")
                .replaceAll("\\d+", "N");
    exceptions.computeIfAbsent(e.getClass().getSimpleName() + ": " + kind, ignored -> new LongAdder()).increment();
  }

  /** Returns the names of the operations that never succeeded. */
  public String silent(List<Operation> all) {
    return String.join(
        " ",
        all.stream().map(Operation::name).filter(name -> !answers.containsKey(name)).sorted().toList());
  }

  @Override
  public String toString() {
    long answered = answers.values().stream().mapToLong(LongAdder::sum).sum();
    long threw = exceptions.values().stream().mapToLong(LongAdder::sum).sum();
    StringBuilder text = new StringBuilder();
    text.append(
        "%d operations: %d answered, %d threw what is documented%n".formatted(answered + threw, answered, threw));
    text.append("%d answers held against the model%n".formatted(checks.sum()));
    text.append(
        "%d objects closed, %d of them in the wrong order, %d never%n"
            .formatted(closed.sum(), closedInWrongOrder.sum(), forgotten.sum()));
    new TreeMap<>(exceptions).forEach((kind, count) -> text.append("  %9d x %s%n".formatted(count.sum(), kind)));
    return text.toString();
  }
}
