/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.examples;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Measures several ways to read the same rows, in rounds that run each way once. */
final class Race {
  private static final int WARM_UP_ROUNDS = 5;
  private static final int ROUNDS = 15;
  private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(40);
  private static final int READS_BETWEEN_LOOKS_AT_THE_CLOCK = 50;

  private final Rows rows;
  private final List<Form> forms;
  private final int[] order;
  private final int[] position;
  private long seen;

  Race(Rows rows, List<Form> forms) {
    this.rows = rows;
    this.forms = forms;
    this.order = rows.shuffled();
    this.position = new int[forms.size()];
  }

  /** Returns the nanoseconds of a read for each form. */
  List<Spread> run() throws Exception {
    checkAndFillCaches();
    double[][] rounds = new double[forms.size()][ROUNDS];
    for (int round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
      for (int turn = 0; turn < forms.size(); turn++) {
        // Alternates the order, so that no form always runs after the same other one.
        int form = round % 2 == 0 ? turn : forms.size() - 1 - turn;
        double nanos = turn(form);
        if (round >= 0) {
          rounds[form][round] = nanos;
        }
      }
    }
    if (seen == 0) {
      throw new IllegalStateException("nothing was read");
    }
    return IntStream.range(0, rounds.length).mapToObj(form -> Spread.of(forms.get(form).name(), rounds[form])).toList();
  }

  private void checkAndFillCaches() throws Exception {
    for (int row = 0; row < rows.count(); row++) {
      byte[] expected = rows.value(row);
      for (Form form : forms) {
        if (!Arrays.equals(expected, form.bytes().of(row))) {
          throw new IllegalStateException(form.name() + ": row " + row + " has other bytes than were written");
        }
      }
    }
  }

  private double turn(int form) throws Exception {
    Form.Read read = forms.get(form).read();
    long start = System.nanoTime();
    long nanos;
    int reads = 0;
    do {
      for (int i = 0; i < READS_BETWEEN_LOOKS_AT_THE_CLOCK; i++) {
        seen += read.of(order[position[form]]);
        position[form] = (position[form] + 1) % order.length;
      }
      reads += READS_BETWEEN_LOOKS_AT_THE_CLOCK;
      nanos = System.nanoTime() - start;
    } while (nanos < TURN_NANOS);
    return (double) nanos / reads;
  }
}
