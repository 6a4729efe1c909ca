/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.crash;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.tools.ChildJvm;

/** Tests that a process ends when requested, whatever the engine's threads do, and loses no acknowledged write. */
@EnabledOnOs(OS.LINUX)
final class ExitTest {
  private static final int SIGTERM = 128 + 15;

  @TempDir private Path folder;

  private Path database() {
    return folder.resolve("db");
  }

  private ChildJvm.Finished run(String name) {
    return ChildJvm.of(ExitCases.class).run(name, database().toString());
  }

  private void assertNothingIsLost() {
    try (RocksDb db = RocksDb.at(database()).openReadOnly()) {
      assertNotNull(db.get(ExitCases.ACKNOWLEDGED));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"halt", "exit"})
  void aProcessEndsWithItsStatusWhileTheEngineWritesForMinutes(String way) {
    run(way).assertExit(ExitCases.STATUS);
    assertNothingIsLost();
  }

  @Test
  void aProcessWhoseMainEndsEndsWhileTheEngineWritesForMinutes() {
    run("endOfMain").assertExit(0);
    assertNothingIsLost();
  }

  @Test
  void aSignalEndsAProcessWhileTheEngineWritesForMinutes() throws Exception {
    try (ChildJvm.Running child = ChildJvm.of(ExitCases.class).start("signal", database().toString())) {
      while (child.process().isAlive() && !child.output().contains(ExitCases.READY)) {
        Thread.sleep(10);
      }
      child.process().destroy();
      child.await().assertExit(SIGTERM);
    }
    assertNothingIsLost();
  }

  @ParameterizedTest
  @ValueSource(strings = {"inACallOfAUser", "inACallOfAVirtualThread", "inAThreadOfTheEngine", "whileItCloses"})
  void aHookThatClosesGivesUpWhereACallbackHasCalledExit(String where) {
    ChildJvm.Finished child = run(where).assertExit(ExitCases.STATUS);
    assertTrue(child.output().contains("is not closed: a callback has called System.exit"), child.output());
    try (RocksDb db =
        RocksDb.at(database()).defaults(FamilyOptions.defaults().mergeOperator("exits", (key, value, operands) -> null))
            .openReadOnly()) {
      assertNotNull(db.get(ExitCases.ACKNOWLEDGED));
    }
  }

  @Test
  void aListenerThatCallsExitKeepsNothingFromBeingClosed() {
    ChildJvm.Finished child = run("inAListener").assertExit(ExitCases.STATUS);
    assertTrue(child.output().contains(ExitCases.READY), child.output());
    assertNothingIsLost();
  }
}
