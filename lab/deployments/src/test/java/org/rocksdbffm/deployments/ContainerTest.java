/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.deployments;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdbffm.deployments.Application.Finished;

/**
 * Starts the program as containers do: as a user without an account and a home, who can write to few folders. Only root
 * can become this user; for other users these tests are skipped.
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
  void aUserWithoutAHomeHasTheLibrariesInMemory() throws IOException {
    assertInMemory(as(USER, start()), "This user has no home that could keep it.");
    assertEquals(List.of(), Application.list(temporary));
  }

  @ParameterizedTest
  @ValueSource(ints = {0555, 0700})
  void aHomeThatTheUserCannotWriteIsPassedOver(int mode) throws IOException {
    Path home = Files.createDirectory(folder.resolve("home"));
    Files.setAttribute(home, "unix:mode", mode);
    assertInMemory(as(USER, start("-Duser.home=" + home)), "Cannot keep RocksDB's native library in " + home);
    assertEquals(List.of(), Application.list(home));
  }

  @ParameterizedTest
  @ValueSource(ints = {0777, 02777})
  void nothingIsLoadedByWayOfAVolumeThatEveryUserCanReplaceFilesIn(int mode) throws IOException {
    Files.setAttribute(temporary, "unix:mode", mode);
    for (String flag : List.of("-Duser.home=", "-Dorg.rocksdbffm.cache=")) {
      assertInMemory(as(USER, start(flag + temporary)), "is not loaded by way of " + temporary.toRealPath());
    }
    assertEquals(List.of(), libraries(temporary));
  }

  @Test
  void aVolumeThatIsStickyOrTheUsersOwnKeepsTheLibraries() throws IOException {
    assertWorks(start("-Duser.home=" + temporary));
    Path own = temporary.resolve(".cache/rocksdb-ffm");
    assertEquals(2, libraries(own).size());
    assertEquals(Integer.parseInt(USER), Files.getAttribute(own, "unix:uid"));
    assertEquals(0700, (int) Files.getAttribute(own, "unix:mode") & 0777);
    Path home = Files.createDirectory(folder.resolve("home"));
    Files.setAttribute(home, "unix:mode", 0700);
    Files.setAttribute(home, "unix:uid", Integer.parseInt(USER));
    assertWorks(start("-Duser.home=" + home));
    assertEquals(2, libraries(home).size());
  }

  @Test
  void aFolderThatIsMissingIsMadeWhereTheUserMay() throws IOException {
    assertWorks(start("-Dorg.rocksdbffm.cache=" + temporary.resolve("not/yet")));
    assertEquals(2, libraries(temporary).size());
    assertInMemory(as(USER, start("-Dorg.rocksdbffm.cache=/not/yet")), "Cannot keep RocksDB's native library in /not");
  }

  @Test
  void aFolderThatSomebodyElseMadeIsNotTrusted() throws IOException {
    Path taken = Files.createDirectory(temporary.resolve("taken"));
    Files.setAttribute(taken, "unix:uid", 54322);
    assertInMemory(as(USER, start("-Dorg.rocksdbffm.cache=" + taken)), "it belongs to user 54322");
    assertEquals(List.of(), Application.list(taken));
  }

  @Test
  void aFolderThatRootFilledServesEveryUserAndIsOnlyRead() throws IOException {
    Path filled = folder.resolve("filled");
    assertWorks("0", start("-Dorg.rocksdbffm.cache=" + filled));
    assertInMemory(as(USER, start("-Dorg.rocksdbffm.cache=" + filled)), "AccessDenied"); // only root can read it
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
    assertInMemory(refused, reason);
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

  @ParameterizedTest
  @ValueSource(strings = {"noexec,mode=1777", "ro"})
  void aHomeThatIsMountedNoexecOrReadOnlyIsPassedOver(String options) throws IOException {
    Path home = Files.createDirectory(folder.resolve("home"));
    String mount = "mount -t tmpfs -o " + options + " tmpfs " + home;
    assumeMounts(mount);
    Finished finished = inNamespace(mount + " && " + words(asWords(USER, start("-Duser.home=" + home))));
    assertInMemory(finished, "RocksDB's native library is kept in memory");
  }

  /** A pod as in docs/deploy.md: a read-only root, and a volume without the sticky bit for temporary files. */
  @Test
  void aReadOnlyRootWithAnEmptyDirForTemporaryFilesIsEnough() throws IOException {
    String pod = "mount -o remount,ro,bind / && mount -t tmpfs -o mode=2777 tmpfs " + temporary;
    String readOnly = "mount --rbind / / && " + pod;
    assumeMounts(readOnly);
    Finished finished = inNamespace(readOnly + " && ! touch /read-only 2>&- && " + words(asWords(USER, start())));
    assertInMemory(finished, "This user has no home that could keep it.");
  }

  @Test
  void withoutProcTheMessageNamesTheWaysOut() throws IOException {
    String none = "mount -t tmpfs tmpfs /proc";
    assumeMounts(none);
    Finished refused = inNamespace(none + " && " + words(withLibraryPath(asWords(USER, start()))));
    assertTrue(refused.output().contains("Neither a folder nor memory can keep RocksDB's"), refused::output);
    assertTrue(refused.output().contains("- mount /proc, and allow"), refused::output);
  }

  /** Adds the JDK's library folder, which the dynamic linker cannot find without /proc. */
  private static List<String> withLibraryPath(List<String> command) {
    List<String> words = new ArrayList<>(command);
    words.add(words.indexOf("-i") + 1, "LD_LIBRARY_PATH=" + Path.of(System.getProperty("java.home"), "lib"));
    return words;
  }

  private static String words(List<String> command) {
    return "exec " + String.join(" ", command);
  }

  /** Asserts that the program works, and logs why its libraries are in memory and not in a folder. */
  private static void assertInMemory(Finished finished, String reason) {
    assertEquals(0, finished.status(), finished::output);
    assertTrue(finished.output().endsWith(Application.WORKS + "\n"), finished::output);
    assertTrue(finished.output().contains("INFO: RocksDB's native library is kept in memory"), finished::output);
    assertTrue(finished.output().contains(reason), finished::output);
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

  /** Returns the command that starts a JVM without environment variables, not even HOME. */
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
