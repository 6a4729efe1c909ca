/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run.report;

import java.util.Map;
import org.rocksdbffm.jmh.run.plan.Cell;
import org.rocksdbffm.jmh.run.plan.Engine;
import org.rocksdbffm.jmh.run.plan.PlannedRow;

/** Invented rows, cells and outcomes for the tests. */
public final class Samples {
  static final String ARRAY_LINE = "get | array | Samples.array | sizes=100,4096 | quick=100 | headline=4096";
  static final String DIRECT_LINE = "get | into direct buffer | Samples.direct | sizes=100,4096 | often=100";
  static final String PINNED_LINE =
      "get | pinned | Samples.pinned | sizes=100,4096 | quick=100 | threads=1,8 | jni=array; into direct buffer";

  public static final PlannedRow ARRAY = row(ARRAY_LINE);
  public static final PlannedRow DIRECT = row(DIRECT_LINE);
  public static final PlannedRow PINNED = row(PINNED_LINE + " | engines=native,ffm");

  private Samples() {}

  public static PlannedRow row(String line) {
    return PlannedRow.of(line, Map.of());
  }

  static Cell cell(PlannedRow row, int size, Engine engine) {
    return new Cell(row, size, 1, engine);
  }

  public static Outcome outcome(double nanos) {
    return new Outcome(Map.of("", new double[] {nanos}), 16.4);
  }

  /** Returns a single-threaded result of a row with values of 100 bytes. */
  static Result result(String row, Engine engine, double low, double median, double high) {
    Double vsNative = engine == Engine.NATIVE ? null : 1.0;
    return new Result("get", row, 100, 1, engine.id(), median, low, high, 0.0, null, null, null, vsNative);
  }
}
