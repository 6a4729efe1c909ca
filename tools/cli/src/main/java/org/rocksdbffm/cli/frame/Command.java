/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.frame;

import java.nio.file.Path;
import org.rocksdbffm.EncryptionKeys;
import picocli.CommandLine.Option;

/** A command, which works on a database and prints tables. */
public abstract class Command {
  @Option(names = "--json", description = "print JSON lines")
  private boolean json;

  @Option(names = {"-h", "--help"}, usageHelp = true, description = "show this help")
  private boolean help;

  @Option(names = "--key-file", paramLabel = "FILE",
      description = "the keys of an encrypted database, its backups and tables")
  private Path keyFile;

  /** Runs the command with the keys that were named. */
  final ExitCode runWithKeys(Output out) throws Exception {
    return keyFile == null ? run(out) : EncryptionKeys.ofFile(keyFile).use(() -> run(out));
  }

  /** Runs the command; an exception is printed as one line, with the exit code FAILED. */
  protected abstract ExitCode run(Output out) throws Exception;

  final boolean isJson() {
    return json;
  }
}
