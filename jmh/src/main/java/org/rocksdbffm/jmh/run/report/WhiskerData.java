/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run.report;

import java.util.HashMap;
import java.util.Map;
import org.jfree.data.category.DefaultCategoryDataset;

/** Medians by engine and row, each with its spread. */
public final class WhiskerData extends DefaultCategoryDataset {
  private static final long serialVersionUID = 1;

  private record Place(Comparable<?> engine, Comparable<?> row) {}

  private final transient Map<Place, MedianSpread> spreads = new HashMap<>();

  public void add(Result result) {
    spreads.put(new Place(result.engine(), result.row()),
        new MedianSpread(result.nsLow(), result.ns(), result.nsHigh()));
    addValue(result.ns(), result.engine(), result.row());
  }

  /** Returns the spread of a bar; null if not measured. */
  public MedianSpread spread(int engine, int row) {
    return spreads.get(new Place(getRowKey(engine), getColumnKey(row)));
  }

  public double highest() {
    return spreads.values().stream().mapToDouble(MedianSpread::high).max().orElse(1);
  }
}
