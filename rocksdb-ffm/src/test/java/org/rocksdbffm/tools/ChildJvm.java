/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A main class of the tests that runs in a separate JVM, with the classes of this one, native access, and a working
 * folder that is deleted afterwards. For code that must not run in the JVM of the tests: crashes, exits, first uses.
 */
public final class ChildJvm {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  private final Class<?> main;
  private final List<String> flags;
  private final Set<String> classPath;
  private final Duration timeout;
  private final List<String> launcher;
  private Consumer<ProcessBuilder> configuration = _ -> {};

  private ChildJvm(Class<?> main, List<String> flags, Set<String> classPath, Duration timeout, List<String> launcher) {
    this.main = main;
    this.flags = flags;
    this.classPath = classPath;
    this.timeout = timeout;
    this.launcher = launcher;
  }

  public static ChildJvm of(Class<?> main) {
    ChildJvm child =
        new ChildJvm(main, List.of("--enable-native-access=ALL-UNNAMED", "-Xmx256m"), ownClassPath(main), TIMEOUT,
            List.of());
    String sweep = System.getProperty(Sweeps.PROPERTY);
    return sweep == null ? child : child.with("-D" + Sweeps.PROPERTY + "=" + sweep).within(Duration.ofMinutes(10));
  }

  /** Returns a JVM with more flags; a later flag overrides an earlier one. */
  public ChildJvm with(String... more) {
    List<String> all = new ArrayList<>(flags);
    all.addAll(List.of(more));
    return new ChildJvm(main, all, classPath, timeout, launcher);
  }

  /** Returns a JVM without a flag that is set by default or by {@link #with}. */
  public ChildJvm without(String flag) {
    return new ChildJvm(
        main, flags.stream().filter(has -> !has.equals(flag)).toList(), classPath, timeout, launcher);
  }

  /** Returns a JVM with another timeout. */
  public ChildJvm within(Duration time) {
    return new ChildJvm(main, flags, classPath, time, launcher);
  }

  /** Returns a JVM with a limited resource, in the notation of the shell's {@code ulimit}. */
  public ChildJvm underLimit(String ulimit) {
    return launchedBy("sh", "-c", "ulimit " + ulimit + " && exec \"$@\"", "sh");
  }

  /** Returns a JVM that is started by another command, which gets the JVM's command line as last arguments. */
  public ChildJvm launchedBy(String... command) {
    return new ChildJvm(main, flags, classPath, timeout, List.of(command));
  }

  /** Returns a JVM with a class path entry before all others. */
  public ChildJvm withClassPath(Path entry) {
    Set<String> entries = new LinkedHashSet<>(List.of(entry.toString()));
    entries.addAll(classPath);
    return new ChildJvm(main, flags, entries, timeout, launcher);
  }

  /** Returns a JVM with a class path entry after all others. */
  public ChildJvm withClassPathEnd(Path entry) {
    Set<String> entries = new LinkedHashSet<>(classPath);
    entries.add(entry.toString());
    return new ChildJvm(main, flags, entries, timeout, launcher);
  }

  public ChildJvm withoutClassPath(Predicate<String> unwanted) {
    Set<String> entries = new LinkedHashSet<>(classPath);
    entries.removeIf(unwanted);
    return new ChildJvm(main, flags, entries, timeout, launcher);
  }

  /** Sets a change of the process builder, which runs before each start, after all other settings. */
  public ChildJvm configured(Consumer<ProcessBuilder> change) {
    configuration = change;
    return this;
  }

  /** Runs the JVM until it exits. */
  public Finished run(String... arguments) {
    try (Running running = start(arguments)) {
      return running.await();
    }
  }

  /** Starts the JVM; the caller closes the returned process. */
  public Running start(String... arguments) {
    try {
      return start(Files.createTempDirectory("child-jvm-"), arguments);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Starts the JVM with a temporary folder inside its working folder, so that the files of a killed JVM are deleted,
   * too.
   */
  private Running start(Path folder, String... arguments) throws IOException {
    try {
      Path temporary = Files.createDirectory(folder.resolve("tmp"));
      List<String> command = new ArrayList<>(launcher);
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.add("-Djava.io.tmpdir=" + temporary);
      // otherwise reports of leaked objects may appear between the output lines
      command.add("-Dorg.rocksdbffm.leaks=off");
      command.addAll(flags);
      command.addAll(List.of("-cp", String.join(":", classPath), main.getName()));
      command.addAll(List.of(arguments));
      Path output = folder.resolve("output.txt");
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile());
      configuration.accept(builder);
      return new Running(builder.start(), folder, output, timeout);
    } catch (IOException e) {
      Folders.delete(folder);
      throw e;
    }
  }

  /** A running child. Closing kills the child if it still runs, and deletes its folder. */
  public record Running(Process process, Path folder, Path outputFile, Duration timeout) implements AutoCloseable {
    /** Waits until the child exits. Kills it after the timeout, and fails with its output. */
    public Finished await() {
      try {
        if (!process.waitFor(timeout.toSeconds(), TimeUnit.SECONDS)) {
          process.destroyForcibly().waitFor();
          throw new AssertionError("The child JVM ran longer than " + timeout + ":\n" + output());
        }
        return new Finished(process.exitValue(), output(), crashReport());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError("interrupted", e);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** Returns the output of the child so far. */
    public String output() {
      try {
        return new String(Files.readAllBytes(outputFile), StandardCharsets.UTF_8); // a crash may write invalid bytes
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() {
      process.destroyForcibly().onExit().join();
      try {
        Folders.delete(folder);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    public String crashReport() throws IOException {
      StringBuilder reports = new StringBuilder();
      try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "hs_err_pid*")) {
        for (Path file : files) {
          reports.append(new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
        }
      }
      return reports.toString();
    }
  }

  /** The result of a child; the crash report is empty if it did not crash. */
  public record Finished(int exitCode, String output, String crashReport) {
    /** Asserts the exit code, and that the child did not crash. */
    public Finished assertExit(int expected) {
      assertNoCrash();
      assertEquals(expected, exitCode, output);
      return this;
    }

    public Finished assertNoCrash() {
      assertEquals("", crashReport, output);
      return this;
    }
  }

  /** Returns the tests' modules as class path entries, so that a child needs no patched modules. */
  private static Set<String> ownClassPath(Class<?> main) {
    Set<String> entries = new LinkedHashSet<>();
    entries.add(rootOf(main));
    entries.add(rootOf(ChildJvm.class));
    for (String property : List.of("surefire.real.class.path", "java.class.path", "jdk.module.path")) {
      for (String entry : System.getProperty(property, "").split(":")) {
        if (!entry.isEmpty()) {
          entries.add(Path.of(entry).toAbsolutePath().toString());
        }
      }
    }
    return entries;
  }

  /** Returns the class path entry of a class; not from its code source, because a patched module has only one. */
  private static String rootOf(Class<?> type) {
    String file = "/" + type.getName().replace('.', '/') + ".class";
    URI uri = URI.create(type.getResource(file).toString().replaceFirst("^jar:(.*)!.*$", "$1"));
    Path path = Path.of(uri);
    return path.toString().endsWith(file) ? path.toString().replace(file, "") : path.toString();
  }
}
