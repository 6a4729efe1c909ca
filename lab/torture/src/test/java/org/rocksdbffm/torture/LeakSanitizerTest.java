/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.rocksdbffm.tools.ChildJvm;
import org.rocksdbffm.torture.world.Folders;

/**
 * Runs the hostile clients in a JVM with LeakSanitizer: at the end, the engine and this library must have freed all
 * memory. Memory that the JVM itself does not free is not counted.
 *
 * <p>Runs only with {@code -Drocksdbffm.lsan=true}, because the sanitizer itself sometimes crashes in a JVM that starts
 * and ends hundreds of threads.
 */
@EnabledOnOs(OS.LINUX)
@EnabledIfSystemProperty(named = "rocksdbffm.lsan", matches = "true")
final class LeakSanitizerTest {
  private static final String NOT_OURS =
      "leak:libjvm.so\nleak:libjava.so\nleak:libjli.so\nleak:libnio.so\nleak:libnet.so\n"
          + "leak:libzip.so\nleak:libjimage.so\n";
  private static final String SECONDS = "5";

  @Test
  void nothingIsLostWhenAllIsClosed() throws Exception {
    Path sanitizer = Path.of(outputOf("cc", "-print-file-name=liblsan.so"));
    assumeTrue(sanitizer.isAbsolute(), "the C compiler comes with LeakSanitizer on some systems only");
    Path suppressions = Files.createTempFile("lsan", ".txt");
    Path folder = Folders.create();
    try {
      Files.writeString(suppressions, NOT_OURS);
      ChildJvm.Finished child =
          ChildJvm.of(TortureChild.class)
              .with("-Xmx512m", "-Dtorture.folder=" + folder, "-Dtorture.leakSanitizer=" + sanitizer)
              .launchedBy(
                  "env",
                  "LD_PRELOAD=" + sanitizer,
                  "LSAN_OPTIONS=exitcode=0:fast_unwind_on_malloc=0:suppressions=" + suppressions)
              .run("run", SECONDS, "1");
      assumeTrue(!child.output().contains("LeakSanitizer has encountered a fatal error"), "nobody may trace here");
      assertEquals(0, child.assertNoCrash().exitCode(), child.output());
      assertTrue(child.output().contains("no native object is left"), child.output());
      assertTrue(child.output().contains("LeakSanitizer answers"), "LeakSanitizer looked: " + child.output());
      assertTrue(!child.output().contains("detected memory leaks"), child.output());
    } finally {
      Files.delete(suppressions);
      Folders.delete(folder);
    }
  }

  private static String outputOf(String... command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes()).strip();
    process.waitFor();
    return output;
  }
}
