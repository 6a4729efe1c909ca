/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.older;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rocksdbffm.compat.tools.ChildJvm;

/** Programs for older releases compile and run on the drop-in, with the same output as on their release. */
class OlderProgramsTest {
  private static final Path SOURCES = Path.of("src/test/older");

  /** A program, its release, and its output. */
  enum Program {
    BacksUp7(
        "7.0.3",
        """
        compressed 0 2
        SEQUENTIAL 65536 true 2
        rows 99 false
        backups 1
        deletions 1
        written true 0
        old of today
        stalled 0.0 BLOB_DB_GC_MICROS
        logged true
        restored value99
        families 1 true
        """),
    Transacts8(
        "8.8.1",
        """
        WILLNEED 1048576 5 4 1
        true true
        Busy
        first
        0 0
        """);

    private final String release;
    private final String output;

    Program(String release, String output) {
      this.release = release;
      this.output = output;
    }

    Path jar() {
      return Path.of(System.getProperty("older.releases", ""), "rocksdbjni-" + release + ".jar").toAbsolutePath();
    }
  }

  @TempDir Path folder;

  /** Compiles a file into the folder, and returns the compiler's messages. */
  private String compile(Path source, String classPath, String... options) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter said = new StringWriter();
    List<String> words = new ArrayList<>(List.of("-proc:none", "-cp", classPath, "-d", folder.toString()));
    words.addAll(List.of(options));
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      boolean compiled =
          compiler.getTask(said, files, null, words, null, files.getJavaFileObjects(source)).call();
      assertTrue(compiled, said::toString);
    }
    return said.toString();
  }

  /** Runs a program in a separate folder for its databases. */
  private String run(Program program, String classPath) throws IOException {
    Path data = Files.createTempDirectory(folder, "data");
    return ChildJvm.outputOf(
        data, List.of("-cp", folder + File.pathSeparator + classPath, program.name(), data.toString()));
  }

  @ParameterizedTest
  @EnumSource
  void aProgramOfAnOlderReleaseIsCompiledAndRun(Program program) throws IOException {
    compile(SOURCES.resolve(program + ".java"), ChildJvm.classPath());
    assertEquals(program.output, run(program, ChildJvm.classPath()));
  }

  @ParameterizedTest
  @EnumSource
  @EnabledIfSystemProperty(named = "older.releases", matches = ".+")
  void aProgramThatWasCompiledAgainstAnOlderReleaseRunsAsOnIt(Program program) throws IOException {
    compile(SOURCES.resolve(program + ".java"), program.jar().toString());
    assertEquals(program.output, run(program, program.jar().toString()));
    assertEquals(program.output, run(program, ChildJvm.classPath()));
  }

  /** On the current rocksdbjni, these programs fail with the errors that the drop-in avoids. */
  @ParameterizedTest
  @EnumSource
  void upstreamsPresentReleaseLacksWhatTheyCall(Program program) throws IOException {
    compile(SOURCES.resolve(program + ".java"), ChildJvm.classPath());
    String output = run(program, System.getProperty("rocksdbjni.jar"));
    assertTrue(output.matches("(?s).*NoSuch(Method|Field)Error.*|.*NoClassDefFoundError.*"), output);
  }

  @Test
  void theCompilerWarnsOfWhatIsDeprecatedAndTakesALoggerAsEver() throws IOException {
    Path source = folder.resolve("Warned.java");
    Files.writeString(
        source,
        """
        import org.rocksdb.*;
        class Warned {
          void f(RocksDB db, Options options, Logger logger) throws RocksDBException {
            db.deleteFile("f");
            options.setLogger(logger);
            options.setLogger(null);
          }
        }
        """);
    String said = compile(source, ChildJvm.classPath(), "-Xlint:deprecation");
    assertTrue(said.contains("[deprecation] deleteFile(String) in RocksDB has been deprecated"), said);
    assertTrue(said.contains("1 warning"), said);
  }
}
