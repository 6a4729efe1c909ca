/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import java.nio.file.Path;

/** The program of {@link CrashTest}: runs one case that must not take the JVM down. Exits with 0 if all went well. */
final class CrashCases {
  private CrashCases() {}

  public static void main(String[] arguments) throws Exception {
    run(arguments[0], Path.of("").toAbsolutePath().resolve("db"));
    LiveObjectsCheck.assertNone();
    System.out.println(arguments[0] + " done");
  }

  private static void run(String name, Path folder) throws Exception {
    switch (name) {
      case "closeRacesWithCalls" -> new CloseCrashCases(folder).closeRacesWithCalls();
      case "pinsOutliveTheirFamily" -> new PinCrashCases(folder).pinsOutliveTheirFamily();
      case "pinsAreReleasedElsewhereAfterTheClose" -> new PinCrashCases(folder).pinsAreReleasedElsewhereAfterTheClose();
      case "arenaOfTheCollectorReleasesAfterTheClose" ->
          new PinCrashCases(folder).arenaOfTheCollectorReleasesAfterTheClose();
      case "largeRowIsReadWhileAllIsClosed" -> new PinCrashCases(folder).largeRowIsReadWhileAllIsClosed();
      case "callbacksCloseTheDatabase" -> new CloseCrashCases(folder).callbacksCloseTheDatabase();
      case "exitWithCallsInFlight" -> new CloseCrashCases(folder).exitWithCallsInFlight();
      case "virtualThreadsReadWhileItCloses" -> new CloseCrashCases(folder).virtualThreadsReadWhileItCloses();
      case "stackOverflowsLeaveNoCall" -> new LimitCrashCases(folder).stackOverflowsLeaveNoCall();
      case "heapRunsOut" -> new LimitCrashCases(folder).heapRunsOut();
      case "oneReadOfManyFamilies" -> new LimitCrashCases(folder).oneReadOfManyFamilies();
      case "mapsLie" -> new LimitCrashCases(folder).mapsLie();
      case "cachesOfAnySize" -> new LimitCrashCases(folder).cachesOfAnySize();
      case "mappedMemoryOfEveryShape" -> new MemoryCrashCases(folder).mappedMemoryOfEveryShape();
      case "everyDepthOfStackLeavesNothing" -> new MemoryCrashCases(folder).everyDepthOfStackLeavesNothing();
      case "multiGetStopsAtItsLimit" -> new MemoryCrashCases(folder).multiGetStopsAtItsLimit();
      default -> throw new IllegalArgumentException(name);
    }
  }
}
