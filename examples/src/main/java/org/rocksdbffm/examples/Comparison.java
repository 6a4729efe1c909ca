/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.examples;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A program that prints a small table of the time of one get through JNI and through FFM. Both read the same files with
 * the same options and the same engine, read-only, each through a block cache of its own that holds everything.
 */
final class Comparison {
  private static final Rows SMALL = new Rows(10_000, 100);
  private static final Rows LARGE = new Rows(1_000, 64 << 10);
  private static final long CACHE_SIZE = 256L << 20;

  /** The nanoseconds that each form takes for one get, at one size of values. */
  private record Column(List<Form> forms, double[] nanos) {
    double best(String binding) {
      return IntStream.range(0, forms.size())
          .filter(form -> forms.get(form).name().startsWith(binding))
          .mapToDouble(form -> nanos[form])
          .min()
          .orElseThrow();
    }

    double of(String form) {
      return IntStream.range(0, forms.size())
          .filter(i -> forms.get(i).name().equals(form))
          .mapToDouble(i -> nanos[i])
          .findFirst()
          .orElseThrow();
    }

    /** How many times as fast as JNI's fastest form. */
    double speed(int form) {
      return best("JNI") / nanos[form];
    }
  }

  private Comparison() {}

  static void run(Path folder) throws Exception {
    System.out.println(
        """
        One get through JNI (rocksdbjni) and through FFM (this library): the same engine and version, files
        and options, a hot block cache each, keys in random order. This takes a quarter of a minute.

                                       100 B values          64 KiB values
                                       ns     speed          ns     speed""");
    Column small = race(folder.resolve("small"), SMALL);
    Column large = race(folder.resolve("large"), LARGE);
    for (int form = 0; form < small.forms.size(); form++) {
      System.out.printf(
          "  %-26s %9.0f %8.2fx   %9.0f %8.2fx%n",
          small.forms.get(form).name(), small.nanos[form], small.speed(form), large.nanos[form], large.speed(form));
    }
    System.out.printf(
        """

        ns:     nanoseconds a get, the median of interleaved rounds.
        speed:  against the fastest form of JNI in that column; 2.00x takes half the time.
        byte[]  is a new array each time, into copies to memory of the caller's, pinned shows the engine's own
                bytes. A small get is mostly the engine's work, whoever calls; a large one is mostly copying.
        FFM against JNI: fastest against fastest %.2fx at 100 B and %.2fx at 64 KiB; byte[] against byte[]
        %.2fx and %.2fx.
        """,
        small.best("JNI") / small.best("FFM"),
        large.best("JNI") / large.best("FFM"),
        small.of("JNI byte[]") / small.of("FFM byte[]"),
        large.of("JNI byte[]") / large.of("FFM byte[]"));
  }

  private static Column race(Path folder, Rows rows) throws Exception {
    rows.writeTo(folder);
    try (JniReader jni = new JniReader(folder, CACHE_SIZE);
        FfmReader ffm = new FfmReader(folder, CACHE_SIZE)) {
      List<Form> forms = Stream.concat(jni.forms(rows).stream(), ffm.forms(rows).stream()).toList();
      return new Column(forms, new Race(rows, forms).run());
    }
  }
}
