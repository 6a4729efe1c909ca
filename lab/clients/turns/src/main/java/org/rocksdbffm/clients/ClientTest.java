/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs a client's program on both libraries; called in the client's module. */
public class ClientTest {
  private static final int SECONDS = 240;

  @TempDir Path folder;

  @Test
  void theProgramSaysTheSameOnRocksdbjniAndOnTheDropIn() throws IOException {
    Program program =
        new Program(property("client.main"), property("client.class.path"), words(property("client.flags")), SECONDS);
    List<String> expected = program.answers(Turn.ROCKSDBJNI, folder.resolve("rocksdbjni"));
    assertTrue(expected.size() > 2, () -> "too few answers: " + expected);
    expected.forEach(System.out::println);
    assertEquals(lines(expected), lines(program.answers(Turn.DROP_IN, folder.resolve("drop-in"))));
    new ClientTable(Path.of(property("page")))
        .require(
            List.of(property("client.name"), property("client.version"), Turn.version(property("client.class.path"))),
            Boolean.getBoolean("clients.write"));
  }

  private static String property(String name) {
    return System.getProperty(name, "");
  }

  private static List<String> words(String flags) {
    return Arrays.stream(flags.split("\\s+")).filter(word -> !word.isEmpty()).toList();
  }

  private static String lines(List<String> answers) {
    return String.join("\n", answers);
  }
}
