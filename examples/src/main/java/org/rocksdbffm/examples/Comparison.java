/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.examples;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Compares the time of a get through rocksdbjni and through this library, as a bar chart. Both read the same files with
 * the same options and engine version, read-only, through separate block caches that contain all rows.
 */
final class Comparison {
  /** A terminal in the POSIX locale, as containers have, shows only ASCII. */
  private static final String BLOCK = System.out.charset().newEncoder().canEncode('█') ? "█" : "=";

  private static final Rows SMALL = new Rows(10_000, 100);
  private static final Rows LARGE = new Rows(500, 64 << 10);
  private static final long CACHE_SIZE = 128L << 20;
  private static final int WIDTH = 40;
  private static final double BUSY = 0.2;

  private Comparison() {}

  static void print(Path folder) throws Exception {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    othersUse(system);
    List<Spread> large = race(folder.resolve("large"), LARGE);
    List<Spread> small = race(folder.resolve("small"), SMALL);
    double others = othersUse(system);

    System.out.println("   a value of 64 KiB, which is looked at where it lies and not copied:");
    printBars(fastest("rocksdbjni", large), fastest("getPinned", large));
    System.out.println("\n   a value of 100 B, where most of the time is the engine's:");
    printBars(fastest("rocksdbjni", small), fastest("get", small));
    System.out.println("\n   Medians of rounds by turns, and all rounds but the fastest and the slowest.");
    if (others > BUSY) {
      System.out.printf(
          "   BUSY: other programs used %.1f of %d processors. Do not trust these figures.%n",
          others, system.getAvailableProcessors());
    }
  }

  private static List<Spread> race(Path folder, Rows rows) throws Exception {
    rows.writeTo(folder);
    try (JniReader jni = new JniReader(folder, CACHE_SIZE);
        FfmReader ffm = new FfmReader(folder, CACHE_SIZE)) {
      return new Race(rows, Stream.concat(jni.forms(rows).stream(), ffm.forms(rows).stream()).toList()).run();
    }
  }

  private static Spread fastest(String forms, List<Spread> of) {
    return of.stream()
        .filter(spread -> spread.form().startsWith(forms))
        .min(Comparator.comparingDouble(Spread::median))
        .orElseThrow();
  }

  private static void printBars(Spread jni, Spread own) {
    double most = Math.max(jni.median(), own.median());
    for (Spread spread : List.of(jni, own)) {
      String bar = BLOCK.repeat((int) Math.max(1, Math.round(WIDTH * spread.median() / most)));
      System.out.printf("   %-26s %-" + WIDTH + "s %s%n", spread.form(), bar, spread);
    }
    System.out.printf("   %-26s %s%n", "", own.against(jni));
  }

  /** Returns the number of processors that other programs used since the last call. */
  private static double othersUse(OperatingSystemMXBean system) {
    return (system.getCpuLoad() - system.getProcessCpuLoad()) * system.getAvailableProcessors();
  }
}
