/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;

import org.rocksdbffm.cli.frame.Frame;

import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Option;

/** The command line {@code rocksdb-ffm}. */
@Command(
    name = "rocksdb-ffm",
    description = "Reads and maintains databases of RocksDB.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:done", "1:the answer is no: no such key, rows that differ, a damaged file", "2:refused or failed"},
    subcommands = {
      Info.class,
      Get.class,
      Scan.class,
      Count.class,
      Put.class,
      Delete.class,
      Levels.class,
      Verify.class,
      Compact.class,
      BackupCommands.class,
      OptionCommands.class,
      Checkpoint.class,
      Dump.class,
      Load.class,
      Diff.class,
      BigKeys.class,
      HelpCommand.class,
      AutoComplete.GenerateCompletion.class
    })
public final class Main {
  @Option(names = {"-h", "--help"}, usageHelp = true, description = "show this help")
  private boolean help;

  /**
   * Runs a command, and ends the process.
   *
   * @param arguments of the command line
   */
  public static void main(String... arguments) {
    // System.out swallows what goes wrong.
    System.exit(Frame.run(new Main(), new FileOutputStream(FileDescriptor.out), System.err, arguments));
  }
}
