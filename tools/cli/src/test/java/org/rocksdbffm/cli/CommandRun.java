/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.rocksdbffm.cli.frame.Frame;

/** A command line that was run in this process. */
record CommandRun(int code, String out, String err) {
  static CommandRun of(Object... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code = Frame.run(new Main(), out, err, Stream.of(arguments).map(Object::toString).toArray(String[]::new));
    return new CommandRun(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  /** Runs a command, and returns its output lines; fails unless it ended with this exit code and without an error. */
  static List<String> lines(int code, Object... arguments) {
    CommandRun run = of(arguments);
    if (run.code != code || !run.err.isEmpty()) {
      throw new AssertionError(run);
    }
    return run.out.lines().toList();
  }

  /**
   * Runs a command whose result is negative, exit code 1, and returns its only error line; fails if it printed anything
   * else.
   */
  static String no(Object... arguments) {
    CommandRun run = of(arguments);
    if (run.code != 1 || run.err.lines().count() != 1 || !run.out.isEmpty()) {
      throw new AssertionError(run);
    }
    return run.err.strip();
  }

  /** Runs a command that fails, exit code 2, and returns its only error line. */
  static String failure(Object... arguments) {
    CommandRun run = of(arguments);
    if (run.code != 2 || run.err.lines().count() != 1) {
      throw new AssertionError(run);
    }
    return run.err.strip();
  }
}
