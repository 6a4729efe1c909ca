/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.sweep;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;
import org.rocksdb.RocksDB;

/**
 * Runs cases of a sweep in sequence, with the {@code org.rocksdb} on the class path. Prints the name of each case
 * before it starts, and then its outcome, so the last line of a crashed process names the case that crashed.
 */
final class SweepProgram {
  static final String BEGUN = "begun";
  static final String DONE = "done";
  static final String THROWS = "throws ";

  private SweepProgram() {}

  /** Arguments: the working folder, the first case, a pattern for names, and a step: one in how many cases to run. */
  public static void main(String[] arguments) throws Exception {
    Pattern names = Pattern.compile(arguments[2]);
    int step = Integer.parseInt(arguments[3]);
    List<SweepCase> chosen =
        Cases.all().stream()
            .filter(its -> Math.floorMod(its.name().hashCode(), step) == 0 && names.matcher(its.name()).find())
            .toList();
    run(chosen, Path.of(arguments[0]), Integer.parseInt(arguments[1]));
  }

  static void run(List<SweepCase> cases, Path folder, int first) throws Exception {
    RocksDB.loadLibrary();
    for (int i = first; i < cases.size(); i++) {
      System.out.println(BEGUN + " " + i + " " + cases.get(i).name());
      System.out.println(DONE + " " + i + " " + outcome(cases.get(i), Files.createTempDirectory(folder, "case")));
    }
    System.out.flush();
    Runtime.getRuntime().halt(0); // without closing the objects of the cases
  }

  private static String outcome(SweepCase its, Path folder) {
    try {
      return its.use().in(folder);
    } catch (Exception | LinkageError | OutOfMemoryError e) {
      Throwable cause = e instanceof ExecutionException ? e.getCause() : e;
      return THROWS + cause.getClass().getSimpleName() + ": " + String.valueOf(cause.getMessage()).replace('\n', ' ');
    }
  }
}
