/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.support;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.compat.tools.ChildJvm;

/** With a system property that names a key file, all files that an unchanged program writes are encrypted. */
class EncryptedProgramTest {
  private static final String K1 = "k1 " + "0".repeat(64) + "\n";
  private static final String K2 = "k2 " + "1".repeat(64) + "\n";

  @TempDir Path folder;

  private String run(String keys, String... arguments) throws IOException {
    Path file = folder.resolve("keys");
    List<String> flags = keys == null ? List.of() : List.of("-Dorg.rocksdbffm.compat.encryption=" + file);
    if (keys != null) {
      Files.writeString(file, keys);
    }
    return ChildJvm.run(folder, EncryptedProgram.class, flags, arguments);
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      Set<String> others = Set.of("LOCK", "keys", "output.txt");
      return files
          .filter(file -> Files.isRegularFile(file) && !others.contains(file.getFileName().toString()))
          .filter(file -> !file.startsWith(folder.resolve("tmp")))
          .sorted()
          .toList();
    }
  }

  /** Returns the answers for all ways of {@code everyWay}, which must be equal but for the file that they name. */
  private Set<String> answers(String keys) throws IOException {
    Set<String> answers = new TreeSet<>();
    for (String line : run(keys, "everyWay", "plain").split("\n")) {
      if (line.contains(": ") && !line.contains("INFO")) {
        answers.add(line.substring(line.indexOf(": ") + 2).replaceAll("^\\S*(CURRENT|meta/1|table\\.sst)", "<file>"));
      }
    }
    return answers;
  }

  @Test
  void eachFileOfEachKindOfDatabaseAndCopyIsEncrypted() throws IOException {
    assertTrue(run(K1, "write").contains("all files are encrypted, new ones with the key 'k1'"));
    List<String> plain = new ArrayList<>();
    Set<String> extensions = new TreeSet<>();
    for (Path file : files()) {
      String text = Files.readString(file, ISO_8859_1);
      extensions.add(file.getFileName().toString().replaceAll("-?\\d+", ""));
      if (!text.isEmpty() && !text.startsWith("ffm-aes\n") || text.contains("secret")) {
        plain.add(folder.relativize(file).toString());
      }
    }
    assertEquals(List.of(), plain);
    assertTrue(
        extensions.containsAll(Set.of(".log", ".sst", "LOG", "MANIFEST", "OPTIONS", "CURRENT", "IDENTITY")),
        extensions::toString);
    run(K1, "read", "plain");
  }

  @Test
  void withoutTheRightKeysEveryWayToReadIsRefusedByItsCauseAndNothingChanges() throws IOException {
    run(K1, "write");
    List<Path> before = files();
    assertEquals(
        Set.of(
            "<file> is encrypted, with the key 'k1' (name the keys, with -Dorg.rocksdbffm.compat.encryption=<key file>"
                + " where a database is opened)"),
        answers(null));
    assertEquals(
        Set.of("<file> is encrypted with the key 'k1', and the given keys are [k2] (add this key to the others)"),
        answers(K2));
    assertEquals(
        Set.of(
            "<file> is encrypted with another key than the given one with its id, the key 'k1', or its first bytes are"
                + " damaged (give the key that the file was written with;"
                + " keys with different bytes need different ids)"),
        answers(K2.replace("k2", "k1")));
    assertEquals(before, files());
    run(K1, "read", "plain");
  }

  @Test
  void plainFilesAreRefusedWithKeys() throws IOException {
    run(null, "write");
    List<Path> before = files();
    assertEquals(
        Set.of(
            "<file> is not encrypted, and keys are given (leave out -Dorg.rocksdbffm.compat.encryption=<key file>; to"
                + " encrypt a database, copy its rows into a new one)"),
        answers(K1));
    assertEquals(before, files());
    run(null, "read", "plain");
  }

  @Test
  void theKeyIsChangedByANewFirstLine() throws IOException {
    run(K1, "write");
    run(K2 + K1, "read", "plain");
    assertTrue(Files.readString(folder.resolve("plain/IDENTITY"), ISO_8859_1).contains("k2"));
  }

  @Test
  void plainTablesAreIngestedEncrypted() throws IOException {
    run(null, "write");
    run(K1, "ingest", "new");
    try (Stream<Path> files = Files.list(folder.resolve("new"))) {
      for (Path file : files.toList()) {
        String text = Files.readString(file, ISO_8859_1);
        assertTrue(text.isEmpty() || text.startsWith("ffm-aes\n"), file::toString);
      }
    }
    run(K1, "read", "new");
  }

  @Test
  void aKeyFileThatCannotBeReadIsNamed() throws IOException {
    String output =
        ChildJvm.outputOf(
            folder,
            List.of(
                "-Dorg.rocksdbffm.compat.encryption=missing",
                "-cp",
                ChildJvm.classPath(),
                EncryptedProgram.class.getName(),
                "write"));
    assertTrue(
        output.contains(
            "IllegalArgumentException: -Dorg.rocksdbffm.compat.encryption=missing: file: the keys cannot be read from"
                + " missing: java.nio.file.NoSuchFileException: missing"),
        output);
    assertEquals(List.of(), files());
  }
}
