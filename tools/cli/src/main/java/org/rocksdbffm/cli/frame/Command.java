/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.frame;

import picocli.CommandLine.Option;

/** A command, which works on a database and prints tables. */
public abstract class Command {
  @Option(names = "--json", description = "print JSON lines")
  private boolean json;

  @Option(names = {"-h", "--help"}, usageHelp = true, description = "show this help")
  private boolean help;

  /** Runs the command; an exception is printed as one line, with the exit code FAILED. */
  protected abstract ExitCode run(Output out) throws Exception;

  final boolean isJson() {
    return json;
  }
}
