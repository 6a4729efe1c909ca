/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.sweep;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;
import org.rocksdb.RocksDB;

/**
 * Runs cases of a sweep, one after the other, on the {@code org.rocksdb} of its class path. Prints the name of each before
 * it starts, and its outcome behind it: the last line of a process that died names the case that ended it.
 */
final class SweepProgram {
  static final String BEGUN = "begun";
  static final String DONE = "done";
  static final String THROWS = "throws ";

  private SweepProgram() {}

  /** Arguments: the folder to work in, the first case, a pattern of names, and which of the cases: one in so many. */
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
    Runtime.getRuntime().halt(0); // objects of the cases are left as they are
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
