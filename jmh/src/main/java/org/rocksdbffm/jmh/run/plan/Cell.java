/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run.plan;

/** The unit that a process measures: a row with an engine, a size and a number of threads. */
public record Cell(PlannedRow row, int size, int threads, Engine engine) {
  /** Formats a size. */
  public static String sizeText(long size) {
    if (size == 0) {
      return "";
    }
    if (size >= 1 << 20 && size % (1 << 20) == 0) {
      return (size >> 20) + " MiB";
    }
    return size >= 1 << 10 && size % (1 << 10) == 0 ? (size >> 10) + " KiB" : size + " B";
  }

  /** Returns the row, the size and the threads, without the engine. */
  public String rowText() {
    String atSize = size == 0 ? "" : ", " + sizeText(size);
    String byThreads = threads == 1 ? "" : ", " + threads + " threads";
    return row.group().id() + ": " + row.name() + atSize + byThreads;
  }

  @Override
  public String toString() {
    return rowText() + ", " + engine.id();
  }
}
