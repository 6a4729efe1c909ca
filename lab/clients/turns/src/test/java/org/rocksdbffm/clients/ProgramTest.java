/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramTest {
  @TempDir Path folder;
  private String classPath;

  @BeforeEach
  void rocksdbjni() throws IOException {
    Path jar = Files.createFile(folder.resolve("rocksdbjni-9.9.9.jar"));
    classPath = jar + java.io.File.pathSeparator + System.getProperty("surefire.test.class.path");
  }

  /** Prints its library and folder; fails or hangs on request. */
  public static final class Subject {
    private Subject() {}

    public static void main(String[] arguments) throws InterruptedException {
      System.out.println("talk of the client");
      Answers.say("folder", Path.of("").toAbsolutePath().getFileName(), arguments[0]);
      if (arguments[0].equals("fail")) {
        throw new IllegalStateException("asked to");
      }
      if (arguments[0].equals("hang")) {
        Thread.currentThread().join();
      }
    }
  }

  private Program program(int seconds) {
    return new Program(Subject.class.getName(), classPath, List.of(), seconds);
  }

  @Test
  void theAnswersAreTheMarkedLines() throws IOException {
    assertEquals(List.of("answer: folder: turn work"),
        program(60).answers(Turn.ROCKSDBJNI, folder.resolve("turn"), "work"));
  }

  @Test
  void aProgramThatFailsIsAnErrorWithItsOutput() {
    AssertionError failed =
        assertThrows(AssertionError.class, () -> program(60).answers(Turn.ROCKSDBJNI, folder.resolve("turn"), "fail"));
    assertTrue(failed.getMessage().contains("Subject on ROCKSDBJNI ends with 1: \ntalk of the client"),
        failed.getMessage());
    assertTrue(failed.getMessage().contains("IllegalStateException: asked to"), failed.getMessage());
  }

  @Test
  void aProgramThatHangsIsEnded() {
    AssertionError hanging =
        assertThrows(AssertionError.class, () -> program(1).answers(Turn.ROCKSDBJNI, folder.resolve("turn"), "hang"));
    assertTrue(hanging.getMessage().contains("Subject on ROCKSDBJNI takes more than 1 s: "), hanging.getMessage());
  }

  @Test
  void aClassPathHasRocksdbjniOnce() {
    assertEquals("9.9.9", Turn.version(classPath));
    assertThrows(IllegalArgumentException.class, () -> Turn.version("other.jar"));
    assertThrows(IllegalArgumentException.class, () ->
        Turn.version(classPath + java.io.File.pathSeparator + classPath));
  }
}
