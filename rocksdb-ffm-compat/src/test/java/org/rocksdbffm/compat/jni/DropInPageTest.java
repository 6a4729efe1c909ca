/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.jni;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.compat.tools.ChildJvm;

/** The examples in docs/drop-in.md and its reference match the build and print the output on the page. */
class DropInPageTest {
  private static final Path ROOT = Path.of("..");
  private static final String ROCKSDBJNI = System.getProperty("rocksdbjni.jar");

  @TempDir Path folder;

  @Test
  void theProgramOfTheReadmeCrashesWithRocksdbjniAndThrowsWithTheDropIn() throws IOException {
    String readme = Files.readString(ROOT.resolve("README.md"));
    String program =
        blocks(readme, "java").stream().filter(block -> block.contains("import org.rocksdb.")).findFirst()
            .orElseThrow();
    String shown = blocks(readme, "console").getFirst();
    Path source = folder.resolve("Closed.java");
    Files.writeString(source, program);
    String crash =
        ChildJvm.outputOf(folder, List.of("-XX:-CreateCoredumpOnCrash", "-cp", ROCKSDBJNI, source.toString()));
    assertTrue(crash.contains("SIGSEGV (0xb) at pc="), crash);
    assertTrue(shown.contains("SIGSEGV (0xb) at pc="), shown);
    String thrown = ChildJvm.outputOf(folder, List.of("-cp", ChildJvm.classPath(), source.toString()));
    assertEquals(
        "Exception in thread \"main\" java.lang.IllegalStateException: RocksDB is closed",
        thrown.lines().toList().getFirst());
  }

  private static String page() throws IOException {
    return Files.readString(ROOT.resolve("docs/drop-in.md"));
  }

  private static List<String> blocks(String language) throws IOException {
    return blocks(page(), language);
  }

  private static List<String> blocks(String page, String language) {
    return Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
        .matcher(page)
        .results()
        .map(block -> block.group(1))
        .toList();
  }

  @Test
  void theProgramPrintsWhatThePageSays() throws IOException {
    Path source = folder.resolve("Program.java");
    Files.writeString(source, blocks("java").getFirst());
    assertEquals(blocks("text").getFirst(), ChildJvm.runSource(folder, source));
  }

  @Test
  void aForgottenIteratorIsLoggedAsThePageSays() throws IOException {
    Path source = folder.resolve("Store.java");
    Files.writeString(
        source,
        """
        import java.util.concurrent.*;
        import java.util.logging.*;
        import java.util.logging.Logger;
        import org.rocksdb.*;

        class Store {
          static final Logger LOGGER = Logger.getLogger("org.rocksdbffm");

          static void range(RocksDB db) {
            db.newIterator();
          }

          public static void main(String[] arguments) throws Exception {
            CountDownLatch logged = new CountDownLatch(1);
            LOGGER.addHandler(new ConsoleHandler() {
              @Override
              public void publish(LogRecord warning) {
                super.publish(warning);
                logged.countDown();
              }
            });
            LOGGER.setUseParentHandlers(false);
            try (Options options = new Options().setCreateIfMissing(true);
                RocksDB db = RocksDB.open(options, "store-db")) {
              range(db);
              for (int i = 0; i < 1000 && logged.getCount() > 0; i++) {
                System.gc();
              }
            }
          }
        }
        """);
    String output =
        ChildJvm.outputOf(
            folder,
            List.of(
                "-Dorg.rocksdbffm.leaks=all", "-Duser.language=en", "-cp", ChildJvm.classPath(), source.toString()));
    String logged = output.replaceAll("\\.java:\\d+\\)", ".java)");
    String reference = Files.readString(ROOT.resolve("docs/drop-in-reference.md"));
    blocks(reference, "log").getFirst().lines()
        .forEach(line -> assertTrue(logged.lines().anyMatch(line::equals), output));
  }

  @Test
  void theArtifactsThatItNamesAreThoseOfTheBuild() throws IOException {
    String parent = Files.readString(ROOT.resolve("pom.xml"));
    String version = Pattern.compile("<version>(.*?)</version>").matcher(parent).results().findFirst().get().group(1);
    List<MatchResult> named =
        Pattern.compile("<artifactId>(rocksdb-ffm-\\w+)</artifactId>\\s*<version>(.*?)</version>")
            .matcher(page())
            .results()
            .toList();
    assertEquals(List.of("rocksdb-ffm-compat", "rocksdb-ffm-native"), named.stream().map(it -> it.group(1)).toList());
    named.forEach(artifact -> assertEquals(version, artifact.group(2)));
    for (String block : blocks("kotlin")) {
      assertTrue(block.contains(":rocksdb-ffm-compat:" + version + "\""), block);
    }
  }

  @Test
  void theExclusionAndTheBanAreThoseOfTheTestsOfKafkaStreams() throws IOException {
    String pom = squeezed(Files.readString(ROOT.resolve("lab/kafka-streams/pom.xml")));
    String version = Pattern.compile("<kafka.version>(.*?)<").matcher(pom).results().findFirst().get().group(1);
    List<String> xml = blocks("xml").stream().map(DropInPageTest::squeezed).toList();
    assertTrue(xml.get(1).contains("<version>" + version + "</version>"), version);
    String inBuild =
        xml.get(1).replace(version, "${kafka.version}").replace("<exclusions>", "<scope>test</scope><exclusions>");
    assertTrue(pom.contains(inBuild), inBuild);
    String parent = squeezed(Files.readString(ROOT.resolve("lab/pom.xml")));
    assertTrue(parent.contains(xml.get(2).replace("</bannedDependencies>", "")), xml.get(2));
  }

  private static String squeezed(String xml) {
    return xml.replaceAll("\\s*\n\\s*", "");
  }
}
