/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.crash;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.rocksdbffm.tools.LiveObjectsCheck;

/** The program of {@link CrashTest}: runs one case that must not crash the JVM. Exits with 0 on success. */
final class CrashCases {
  /** All cases by name; a new case is added only here. */
  static final Map<String, Case> CASES = new LinkedHashMap<>();

  /** A case in a separate folder. */
  interface Case {
    void run(Path folder) throws Exception;
  }

  static {
    CASES.put("closeRacesWithCalls", folder -> new CloseCrashCases(folder).closeRacesWithCalls());
    CASES.put("pinsOutliveTheirFamily", folder -> new PinCrashCases(folder).pinsOutliveTheirFamily());
    CASES.put("pinsAreReleasedElsewhereAfterTheClose",
        folder -> new PinCrashCases(folder).pinsAreReleasedElsewhereAfterTheClose());
    CASES.put("arenaOfTheCollectorReleasesAfterTheClose",
        folder -> new PinCrashCases(folder).arenaOfTheCollectorReleasesAfterTheClose());
    CASES.put("largeRowIsReadWhileAllIsClosed", folder -> new PinCrashCases(folder).largeRowIsReadWhileAllIsClosed());
    CASES.put("callbacksCloseTheDatabase", folder -> new CloseCrashCases(folder).callbacksCloseTheDatabase());
    CASES.put("exitWithCallsInFlight", folder -> new CloseCrashCases(folder).exitWithCallsInFlight());
    CASES.put("virtualThreadsReadWhileItCloses",
        folder -> new CloseCrashCases(folder).virtualThreadsReadWhileItCloses());
    CASES.put("stackOverflowsLeaveNoCall", folder -> new StackCrashCases(folder).stackOverflowsLeaveNoCall());
    CASES.put("everyDepthOfStackLeavesNothing", folder -> new StackCrashCases(folder).everyDepthOfStackLeavesNothing());
    CASES.put("firstCallsAtTheEndOfAStack", folder -> new StackCrashCases(folder).firstCallsAtTheEndOfAStack());
    CASES.put("overlaysAtTheEndOfAStack", folder -> new StackCrashCases(folder).overlaysAtTheEndOfAStack());
    CASES.put("pausesAtTheEndOfAStack", folder -> new StackCrashCases(folder).pausesAtTheEndOfAStack());
    CASES.put("tablesAtTheEndOfAStack", folder -> new StackCrashCases(folder).tablesAtTheEndOfAStack());
    CASES.put("eventsAtTheEndOfAStack", folder -> new StackCrashCases(folder).eventsAtTheEndOfAStack());
    CASES.put("heapRunsOut", folder -> new LimitCrashCases(folder).heapRunsOut());
    CASES.put("groupThatExceedsTheHeap", folder -> new LimitCrashCases(folder).groupThatExceedsTheHeap());
    CASES.put("oneReadOfManyFamilies", folder -> new LimitCrashCases(folder).oneReadOfManyFamilies());
    CASES.put("mapsLie", folder -> new LimitCrashCases(folder).mapsLie());
    CASES.put("cachesOfAnySize", folder -> new LimitCrashCases(folder).cachesOfAnySize());
    CASES.put("cachesOfAnyShape", folder -> new LimitCrashCases(folder).cachesOfAnyShape());
    CASES.put("mappedMemoryOfEveryShape", folder -> new MemoryCrashCases(folder).mappedMemoryOfEveryShape());
    CASES.put("multiGetStopsAtItsLimit", folder -> new MemoryCrashCases(folder).multiGetStopsAtItsLimit());
    CASES.put("disorder", folder -> new CallbackCrashCases(folder).disorder());
    CASES.put("circles", folder -> new CallbackCrashCases(folder).circles());
    CASES.put("changes", folder -> new CallbackCrashCases(folder).changes());
    CASES.put("ingestsAnotherOrder", folder -> new CallbackCrashCases(folder).ingestsAnotherOrder());
    CASES.put("failsWhileFilesAreSorted", folder -> new CallbackCrashCases(folder).failsWhileFilesAreSorted());
    CASES.put("changesWhileFilesAreSorted", folder -> new CallbackCrashCases(folder).changesWhileFilesAreSorted());
    CASES.put("codeIsKnownByItsNameAlone", folder -> new NamedCodeCases(folder).codeIsKnownByItsNameAlone());
    CASES.put("stackOverflows", folder -> new CallbackCrashCases(folder).stackOverflows());
  }

  private CrashCases() {}

  public static void main(String[] arguments) throws Exception {
    CASES.get(arguments[0]).run(Files.createDirectories(Path.of("").toAbsolutePath().resolve("db")));
    LiveObjectsCheck.assertNone();
    System.out.println(arguments[0] + " done");
  }
}
