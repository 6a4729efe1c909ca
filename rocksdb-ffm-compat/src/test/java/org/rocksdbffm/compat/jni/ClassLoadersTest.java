/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.jni;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.compat.tools.ChildJvm;

/**
 * Several class loaders in one process. Class loaders that share the library file also share the engine's static
 * variables.
 */
class ClassLoadersTest {
  private static final String ALL =
      "{comparator=1, filter factory=1, listener=1, listeners=1, live files=1, logger=1, map property=1, notifier=1,"
          + " puts in the batch=2, row of the log=1, rows of filtered tables=20, table properties=1, trace writer=1,"
          + " wal filter=1, wal filter's families=1}\n";
  private static final String SOME =
      "{logger=1, map property=1, puts in the batch=2, rows of filtered tables=20}\n";

  private static final int LOADERS = 8;

  @TempDir Path folder;

  private static String dropIn() {
    return ChildJvm.classPath();
  }

  private static String rocksdbjni() {
    String tests = EveryCallback.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    return tests + File.pathSeparator + System.getProperty("rocksdbjni.jar");
  }

  private String run(String... parts) throws Exception {
    return ChildJvm.run(folder, ClassLoadersProgram.class, List.of(), parts).replaceFirst("left: \\d+\n", "");
  }

  /** The JDK's soft references to recently used classes may keep a class loader reachable. */
  @Test
  void aClassLoaderGoesWhenAllThatTheEngineCallsIsClosed() throws Exception {
    String[] parts = new String[LOADERS];
    Arrays.fill(parts, "use=" + dropIn());
    String output = ChildJvm.run(folder, ClassLoadersProgram.class, List.of(), parts);
    Matcher left = Pattern.compile("left: (\\d+)").matcher(output);
    assertTrue(left.find() && Integer.parseInt(left.group(1)) <= LOADERS / 2, output);
  }

  @Test
  void eachClassLoaderHearsWhatTheEngineCalls() throws Exception {
    assertEquals(ALL + ALL + ALL + "ended\n", run("use=" + dropIn(), "use=" + dropIn(), "use=" + dropIn()));
  }

  @Test
  void theDropInRunsBesideRocksdbjniThatCameLater() throws Exception {
    assertEquals(
        SOME + SOME + ALL + "ended\n",
        run("useSome=" + dropIn(), "useSome=" + rocksdbjni(), "use=" + dropIn()));
  }

  @Test
  void theDropInRunsBesideRocksdbjniThatCameFirst() throws Exception {
    assertEquals(SOME + ALL + "ended\n", run("useSome=" + rocksdbjni(), "use=" + dropIn()));
  }
}
