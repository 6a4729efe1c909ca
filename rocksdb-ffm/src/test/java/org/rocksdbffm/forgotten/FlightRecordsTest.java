/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.forgotten;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.rocksdbffm.internal.jfr.FlightRecords;
import org.rocksdbffm.tools.ChildJvm;

/** Tests the library's Flight Recorder events, and that everything else works without the module {@code jdk.jfr}. */
final class FlightRecordsTest {
  @Test
  void aRecordingHasTheEventsOfTheLibraryAndTheLibraryStartsNone() {
    String output =
        ChildJvm.of(RecordedCases.class)
            .with("-Dorg.rocksdbffm.leaks=all", "-Dorg.rocksdbffm.slowMillis=0", "-Dorg.rocksdbffm.longPinMillis=10")
            .run()
            .assertExit(0)
            .output();
    for (String event :
        new String[] {
          "DatabaseOpened", "DatabaseClosed", "Leak", "PinHeld", "SlowOperation", "LockWait", "TransactionConflict",
          "Transaction",
          "WriteStall", "LiveObjects"
        }) {
      assertTrue(output.contains("recorded org.rocksdbffm." + event + ": true"), output);
    }
    assertEquals(7, output.lines().filter(line -> line.matches("counted .*: true")).count(), output);
    for (String slow :
        new String[] {
          "KeySpace.put of db ", "KeyReader.get of db users", "Cursor.first of db default",
          "TransactionKeys.getForUpdate of transactions "
        }) {
      assertTrue(output.contains("slow " + slow + "\n"), slow + " in " + output);
    }
    assertTrue(output.contains("org.rocksdbffm.forgotten.RecordedCases.forget(RocksDb)")
        || output.contains("RecordedCases.forget("), output);
  }

  @Test
  void withoutTheModuleOfTheRecorderEverythingElseWorks() {
    // Without the module in the JVM, code on the class path cannot use it either.
    String output =
        ChildJvm.of(ForgottenCases.class)
            .with("--limit-modules", "java.base,java.logging", "-Dorg.rocksdbffm.leaks=all")
            .run("cursor")
            .assertExit(0)
            .output();
    assertTrue(output.contains("all is reclaimed"), output);
    assertTrue(output.contains(" was never closed"), output);
  }

  @Test
  void leaksAreCountedByAHundredKindsAtMost() {
    FlightRecords.leaked("database /a\nof b", null);
    FlightRecords.leaked("column family 'a' of database /b", null);
    assertTrue(FlightRecords.LEAKS.keySet().containsAll(Set.of("database", "column family")));
    for (int i = 0; i < 200; i++) {
      FlightRecords.leaked("kind " + i, null);
    }
    assertEquals(101, FlightRecords.LEAKS.size());
    assertTrue(FlightRecords.LEAKS.get("(others)").sum() >= 100);
  }
}
