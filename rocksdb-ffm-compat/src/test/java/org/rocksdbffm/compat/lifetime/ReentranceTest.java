/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.lifetime;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.compat.tools.ChildJvm;

/** Callbacks that would wait for themselves get an exception; with rocksdbjni they deadlock. */
class ReentranceTest {
  private static final String REFUSED = "RocksDB cannot be used by the %s, which its database calls and waits for; %s";

  @TempDir Path folder;

  private void assertComesOf(String useOfCallback, String expected) throws Exception {
    String output = ChildJvm.run(folder, ReentranceProgram.class, List.of(), useOfCallback);
    // Log messages may surround the line.
    assertTrue(output.lines().anyMatch((useOfCallback + ": " + expected)::equals), output);
  }

  private void assertRefused(String useOfCallback, String callback, String caller) throws Exception {
    assertComesOf(useOfCallback, REFUSED.formatted(callback, caller));
  }

  @Test
  void aComparatorThatUsesItsDatabaseFailsTheCallThatAsked() throws Exception {
    for (String use : List.of("put", "get", "iterate")) {
      assertRefused("comparator " + use, "AbstractComparator", "it threw");
    }
    assertRefused("threads'-comparator put", "AbstractComparator", "it threw");
    assertRefused("large-keys'-comparator put", "AbstractComparator", "it threw");
  }

  @Test
  void aListenerThatIsCalledInTheMidstOfACallCannotUseItsDatabase() throws Exception {
    assertRefused("sealed-listener put", "AbstractEventListener", "it returned");
  }

  @Test
  void aListenerOnAThreadOfTheEnginesCanDoAllButClose() throws Exception {
    assertComesOf("flush-listener get", "done; it returned");
    assertComesOf("flush-listener put", "done; it returned");
    assertRefused("flush-listener close", "AbstractEventListener", "it returned");
  }

  @Test
  void aLoggerCannotUseItsDatabase() throws Exception {
    assertRefused("logger put", "Logger", "it returned");
    assertRefused("logger close", "Logger", "it returned");
  }

  @Test
  void aTraceWriterCannotUseItsDatabase() throws Exception {
    assertRefused("trace-writer put", "AbstractTraceWriter", "it threw");
  }
}
