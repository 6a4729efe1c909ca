/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.files.run;

import java.nio.file.Path;
import org.rocksdbffm.jmh.files.work.FileRow;
import org.rocksdbffm.jmh.files.work.RepeatedFileWork;
import org.rocksdbffm.jmh.process.Printed;

/** Repeats work with files on an engine for some time, and prints its measurements. */
public final class FilesProcess {
  private static final int LEAST_RUNS = 3;
  private static final double SECOND = 1e9;

  private FilesProcess() {}

  /**
   * Runs the work.
   *
   * @param arguments the engine, the row, an empty folder, the MiB of data, and the seconds of warm-up and measurement
   */
  public static void main(String[] arguments) throws Exception {
    FilesFigures figures =
        measure(
            FileRow.of(arguments[1]).work(arguments[0], Path.of(arguments[2]), Integer.parseInt(arguments[3])),
            Double.parseDouble(arguments[4]),
            Double.parseDouble(arguments[5]));
    System.out.println(Printed.line(figures));
  }

  static FilesFigures measure(RepeatedFileWork its, double warmUp, double measured) throws Exception {
    try (RepeatedFileWork work = its) {
      work.prepare();
      repeat(work, warmUp, 1);
      FilesFigures figures = repeat(work, measured, LEAST_RUNS);
      return new FilesFigures(figures.units(), figures.nanos(), figures.runs(), work.checksum());
    }
  }

  private static FilesFigures repeat(RepeatedFileWork work, double seconds, int least) throws Exception {
    double units = 0;
    long nanos = 0;
    int runs = 0;
    while (runs < least || nanos < seconds * SECOND) {
      work.before();
      long begin = System.nanoTime();
      units += work.run();
      nanos += System.nanoTime() - begin;
      work.after();
      runs++;
    }
    return new FilesFigures(units, nanos, runs, 0);
  }
}
