/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.deployments;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.deployments.Application.Finished;

/**
 * Starts the program as containers do: as a user that the system does not know, who has no home and can write little.
 * Only root can become that user, so for others these tests are skipped.
 */
class ContainerTest {
  private static final String USER = "54321";

  @TempDir Path folder;
  private Application application;
  private Path temporary;

  @BeforeEach
  void build() throws IOException {
    application = Application.in(folder);
    temporary = Files.createDirectory(folder.resolve("tmp"));
    Files.setAttribute(temporary, "unix:mode", 01777);
    String reach = "cat " + application.jar() + " > /dev/null && " + Application.java() + " -version";
    Finished reached = as(USER, List.of("sh", "-c", reach));
    assumeTrue(reached.status() == 0, () -> "Another user cannot start the JDK or read its classes: " + reached);
  }

  @Test
  void aUserWithoutAHomeKeepsTheLibrariesInATemporaryFolderOfItsOwn() throws IOException {
    assertWorks(start());
    Path own = temporary.resolve("rocksdb-ffm-" + USER);
    assertEquals(2, libraries(own).size());
    assertEquals(Integer.parseInt(USER), Files.getAttribute(own, "unix:uid"));
    assertEquals(0700, (int) Files.getAttribute(own, "unix:mode") & 0777);
  }

  @Test
  void aHomeThatTheUserCannotWriteIsPassedOver() throws IOException {
    Path home = Files.createDirectory(folder.resolve("home"));
    assertWorks(start("-Duser.home=" + home));
    assertEquals(2, libraries(temporary).size());
    assertEquals(List.of(), Application.list(home));
  }

  @Test
  void aHomeThatTheUserCannotReadIsPassedOver() throws IOException {
    Path home = Files.createDirectory(folder.resolve("home"));
    Files.setAttribute(home, "unix:mode", 0700);
    assertWorks(start("-Duser.home=" + home));
    assertEquals(2, libraries(temporary).size());
  }

  @Test
  void aTemporaryFolderThatSomebodyElseMadeIsNotTrusted() throws IOException {
    Path taken = Files.createDirectory(temporary.resolve("rocksdb-ffm-" + USER));
    Files.setAttribute(taken, "unix:uid", 54322);
    Finished finished = as(USER, start());
    Path other = Path.of("/var/tmp/rocksdb-ffm-" + USER);
    try {
      assertEquals(0, finished.status(), finished::output);
      assertEquals(List.of(), Application.list(taken));
      assertEquals(2, libraries(other).size());
    } finally {
      Application.run(folder, List.of("rm", "-rf", other.toString()));
    }
  }

  @Test
  void aFolderThatRootFilledServesEveryUserAndIsOnlyRead() throws IOException {
    Path filled = folder.resolve("filled");
    assertWorks("0", start("-Dorg.rocksdbffm.cache=" + filled));
    assertFalse(as(USER, start("-Dorg.rocksdbffm.cache=" + filled)).status() == 0, "it is root's alone");
    Application.run(folder, List.of("chmod", "-R", "a+rX,a-w", filled.toString()));
    assertWorks(start("-Dorg.rocksdbffm.cache=" + filled));
    assertEquals(List.of(), libraries(temporary));
  }

  @Test
  void aFolderThatAnotherUserFilledServesIfThatUserOwnsTheJarsAsWell() throws IOException {
    Path filled = folder.resolve("filled");
    assertWorks("0", start("-Dorg.rocksdbffm.cache=" + filled));
    Application.run(folder, List.of("chmod", "-R", "a+rX,a-w", filled.toString()));
    Application.run(folder, List.of("chown", "-R", "54322", filled.toString()));
    Finished refused = as(USER, start("-Dorg.rocksdbffm.cache=" + filled));
    String reason = "it belongs to user 54322 and this process runs as user 54321";
    assertTrue(refused.output().contains(reason), refused::output);
    Application.run(folder, List.of("chown", "-R", "54322", application.jars().toString()));
    assertWorks(start("-Dorg.rocksdbffm.cache=" + filled));
  }

  @Test
  void aFolderThatWasFilledAndChangedIsNotLoaded() throws IOException {
    Path filled = folder.resolve("filled");
    assertWorks("0", start("-Dorg.rocksdbffm.cache=" + filled));
    Path library = libraries(filled).getFirst();
    byte[] content = Files.readAllBytes(library);
    content[content.length / 2] ^= 1;
    Files.write(library, content);
    Application.run(folder, List.of("chmod", "-R", "a+rX,a-w", filled.toString()));
    Finished refused = as(USER, start("-Dorg.rocksdbffm.cache=" + filled));
    assertTrue(refused.output().contains(library + " was changed after it was written"), refused::output);
  }

  @Test
  void aNoexecTemporaryFolderIsPassedOver() throws IOException {
    String mount = "mount -t tmpfs -o noexec,mode=1777 tmpfs " + temporary;
    assumeMounts(mount);
    Finished finished =
        inNamespace(mount + " && exec " + String.join(" ", asWords(USER, start("-Djava.io.tmpdir=" + temporary))));
    Application.run(folder, List.of("rm", "-rf", "/var/tmp/rocksdb-ffm-" + USER));
    assertEquals(Application.WORKS, finished.output().strip());
  }

  @Test
  void aReadOnlyRootNeedsAFilledFolderOrOneThatIsMounted() throws IOException {
    Path filled = folder.resolve("filled");
    String data = "mount -t tmpfs -o noexec,mode=1777 tmpfs " + temporary;
    String readOnly = data + " && mount -t tmpfs -o ro tmpfs /var/tmp";
    assumeMounts(readOnly);
    assertWorks("0", start("-Dorg.rocksdbffm.cache=" + filled));
    Application.run(folder, List.of("chmod", "-R", "a+rX,a-w", filled.toString()));
    Finished refused = inNamespace(readOnly + " && exec " + String.join(" ", asWords(USER, start())));
    assertTrue(refused.output().contains("No folder can keep RocksDB's native library"), refused::output);
    assertTrue(refused.output().contains("mounted noexec"), refused::output);
    Finished finished =
        inNamespace(
            readOnly + " && exec " + String.join(" ", asWords(USER, start("-Dorg.rocksdbffm.cache=" + filled))));
    assertEquals(Application.WORKS, finished.output().strip());
  }

  private void assumeMounts(String mount) throws IOException {
    Finished mounted = inNamespace(mount);
    assumeTrue(mounted.status() == 0, () -> "These tests need to mount, which this system refuses: " + mounted);
  }

  private Finished inNamespace(String script) throws IOException {
    return Application.run(folder, List.of("unshare", "--mount", "sh", "-c", script));
  }

  private void assertWorks(List<String> command) throws IOException {
    assertWorks(USER, command);
  }

  private void assertWorks(String user, List<String> command) throws IOException {
    Finished finished = as(user, command);
    assertEquals(Application.WORKS, finished.output().strip());
    assertEquals(0, finished.status());
  }

  /** The start of a JVM with nothing in its environment, HOME included. */
  private List<String> start(String... flags) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                "env", "-i", Application.java().toString(), "--enable-native-access=ALL-UNNAMED",
                "-Djava.io.tmpdir=" + temporary));
    command.addAll(List.of(flags));
    command.addAll(List.of("-cp", application.classPath(), Application.MAIN));
    return command;
  }

  private Finished as(String user, List<String> command) throws IOException {
    return Application.run(folder, asWords(user, command));
  }

  private static List<String> asWords(String user, List<String> command) {
    List<String> words =
        new ArrayList<>(List.of("setpriv", "--reuid", user, "--regid", user, "--clear-groups"));
    words.addAll(command);
    return words;
  }

  private static List<Path> libraries(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(".so")).sorted().toList();
    }
  }
}
