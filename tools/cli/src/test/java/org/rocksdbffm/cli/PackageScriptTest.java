/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The scripts use the classes that Maven has built, and name each build tool that the machine lacks. */
class PackageScriptTest {
  private static final List<String> SHELL =
      List.of("bash", "cat", "dirname", "env", "find", "head", "readlink", "sed", "sh", "sort", "uname");

  @TempDir private Path folder;

  private record Result(int code, String text) {}

  @BeforeEach
  void makeATreeThatMavenHasBuilt() throws IOException {
    Files.createDirectories(folder.resolve("build"));
    for (String script : List.of("package", "find-jdk", "find-cc")) {
      Path copy = Files.copy(Repository.ROOT.resolve("build").resolve(script), folder.resolve("build").resolve(script));
      assertTrue(copy.toFile().setExecutable(true));
    }
    Files.createDirectories(folder.resolve("cmake"));
    Files.writeString(folder.resolve("pom.xml"), "");
    Files.createDirectories(folder.resolve("module/src"));
    Files.writeString(folder.resolve("module/src/Source.java"), "");
    Files.createDirectories(folder.resolve("module/target/classes"));
    Path jar = Files.writeString(folder.resolve("module/target/core.jar"), "");
    Files.writeString(folder.resolve("module/target/class-path"), jar.toRealPath().toString());
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path file : all.toList()) {
        boolean isBuilt = file.startsWith(folder.resolve("module/target"));
        Files.setLastModifiedTime(file, FileTime.from(Instant.ofEpochSecond(isBuilt ? 2_000 : 1_000)));
      }
    }
    Path tools = Files.createDirectories(folder.resolve("tools"));
    for (String tool : SHELL) {
      Path found = Files.exists(Path.of("/bin", tool)) ? Path.of("/bin", tool) : Path.of("/usr/bin", tool);
      Files.createSymbolicLink(tools.resolve(tool), found);
    }
  }

  /** Runs the script with a PATH without build tools. */
  private Result build() throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(folder.resolve("tools/bash").toString(), "build/package", "module", "module");
    builder.directory(folder.toFile()).redirectErrorStream(true).environment().put("PATH",
        folder.resolve("tools").toString());
    builder.environment().remove("CC");
    Process process = builder.start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Result(process.waitFor(), text);
  }

  @Test
  void aTreeThatMavenHasBuiltIsNotBuiltAgain() throws Exception {
    assertEquals(new Result(0, ""), build());
  }

  @Test
  void aNewerSourceIsBuiltAndEachMissingToolIsNamedWithItsRemedy() throws Exception {
    Files.setLastModifiedTime(
        folder.resolve("module/src/Source.java"), FileTime.from(Instant.ofEpochSecond(3_000)));
    assertEquals(
        new Result(
            1,
            """
            rocksdb-ffm needs CMake 3.25 or newer and a C compiler and make to build its native stubs: install it (on \
            Debian and Ubuntu: apt install cmake gcc make).
            rocksdb-ffm needs Maven 3.8 or newer to build: install it (on Debian and Ubuntu: apt install maven).
            """),
        build());
  }
}
