/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.leak;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.rocksdbffm.internal.loader.Warnings;

/**
 * Logs leaked objects: the first one of each creation site immediately, then the number of further objects once a
 * minute. Thread-safe.
 */
final class LeakReports {
  static final LeakReports OF_LOADER = new LeakReports();

  /** Limit of creation sites; objects of further sites are counted together. */
  private static final int MOST_PLACES = 256;

  private static final Place ELSEWHERE = new Place(Level.WARNING, "objects of other kinds or places", List.of());
  private static final long MINUTE = 60_000_000_000L;

  // Guarded by this: creation sites, with the number of objects not yet logged.
  private final Map<Place, Long> unreported = new LinkedHashMap<>();
  private boolean isDue;

  /** A creation site: a kind of object and the stack of creation, which is empty if it was not recorded. */
  private record Place(Level level, String name, List<StackTraceElement> stack) {
    /** Returns a new throwable for each report: a retained one would keep the program's classes loaded. */
    Throwable origin() {
      if (stack.isEmpty()) {
        return null;
      }
      Throwable origin = new Throwable(name + " was created here");
      origin.setStackTrace(stack.toArray(StackTraceElement[]::new));
      return origin;
    }
  }

  private record Report(Place place, long count) {}

  private LeakReports() {}

  /** Logs or counts a leaked object; the origin may be null. */
  void forgotten(Level level, String name, boolean isFreed, Throwable origin) {
    Place place = new Place(level, name, origin == null ? List.of() : List.of(origin.getStackTrace()));
    if (isFirst(place)) {
      String freed = isFreed ? "; its memory has been freed." : ".";
      String advice = " To see where it was created, start the JVM with -D" + LeakLevel.PROPERTY + "=all.";
      log(name + " was never closed" + freed + (origin == null ? advice : ""), place);
    }
  }

  private synchronized boolean isFirst(Place place) {
    Place counted = unreported.containsKey(place) || unreported.size() < MOST_PLACES ? place : ELSEWHERE;
    Long before = unreported.get(counted);
    if (before == null && counted == place) {
      unreported.put(place, 0L);
      return true;
    }
    unreported.merge(counted, 1L, Long::sum);
    if (!isDue) {
      isDue = true;
      Reclaimer.perform(last -> reportRest(), MINUTE);
    }
    return false;
  }

  /** Logs the counts. Runs once a minute after an object was counted; the next counted object schedules it again. */
  private long reportRest() {
    for (Report report : takeUnreported()) {
      String where = report.place == ELSEWHERE ? "" : ", created at the same place";
      log(report.place.name + ": " + report.count + " more were never closed" + where + ".", report.place);
    }
    return 0;
  }

  private synchronized List<Report> takeUnreported() {
    isDue = false;
    List<Report> reports = new ArrayList<>();
    unreported.forEach((place, count) -> {
      if (count > 0) {
        reports.add(new Report(place, count));
      }
    });
    unreported.replaceAll((place, count) -> 0L);
    return reports;
  }

  private static void log(String message, Place place) {
    Warnings.log(place.level, message, place.origin());
  }
}
