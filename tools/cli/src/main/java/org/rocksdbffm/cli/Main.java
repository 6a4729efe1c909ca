/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.util.List;
import org.rocksdbffm.cli.frame.Frame;
import org.rocksdbffm.cli.live.Shell;
import org.rocksdbffm.cli.live.Top;
import org.rocksdbffm.cli.reports.Doctor;
import org.rocksdbffm.cli.reports.EventsCommand;
import org.rocksdbffm.cli.reports.Info;
import org.rocksdbffm.cli.reports.Levels;
import org.rocksdbffm.cli.reports.OptionCommands;
import org.rocksdbffm.cli.reports.Sst;
import org.rocksdbffm.cli.reports.Stats;
import org.rocksdbffm.cli.reports.Wal;
import org.rocksdbffm.cli.rows.BigKeys;
import org.rocksdbffm.cli.rows.Count;
import org.rocksdbffm.cli.rows.Diff;
import org.rocksdbffm.cli.rows.Dump;
import org.rocksdbffm.cli.rows.Load;
import org.rocksdbffm.cli.rows.RowCommands;
import org.rocksdbffm.cli.rows.ScanCommand;
import org.rocksdbffm.cli.upkeep.ArchiveCommands;
import org.rocksdbffm.cli.upkeep.BackupCommands;
import org.rocksdbffm.cli.upkeep.BenchCommand;
import org.rocksdbffm.cli.upkeep.CheckpointCommand;
import org.rocksdbffm.cli.upkeep.Compact;
import org.rocksdbffm.cli.upkeep.RepairCommand;
import org.rocksdbffm.cli.upkeep.Verify;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Option;

/** The command line {@code rocksdb-ffm}. */
@Command(
    name = "rocksdb-ffm",
    description = "Reads and maintains databases of RocksDB.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:done", "1:the answer is no: no such key, rows that differ, a damaged file",
        "2:refused or failed"})
public final class Main implements Frame.Root {
  private static final List<Class<?>> COMMANDS = List.of(
      Info.class,
      RowCommands.Get.class,
      ScanCommand.class,
      Count.class,
      RowCommands.Put.class,
      RowCommands.Delete.class,
      Levels.class,
      Stats.class,
      EventsCommand.class,
      Doctor.class,
      Wal.class,
      Sst.class,
      OptionCommands.class,
      BackupCommands.class,
      ArchiveCommands.class,
      CheckpointCommand.class,
      Compact.class,
      Verify.class,
      RepairCommand.class,
      Dump.class,
      Load.class,
      Diff.class,
      BigKeys.class,
      BenchCommand.class,
      Top.class,
      Shell.class,
      HelpCommand.class,
      AutoComplete.GenerateCompletion.class);

  @Option(names = {"-h", "--help"}, usageHelp = true, description = "show this help")
  private boolean help;

  @Override
  public List<Class<?>> commands() {
    return COMMANDS;
  }

  /** Runs a command, and ends the process. */
  public static void main(String... arguments) {
    System.setProperty("java.util.logging.config.class", Object.class.getName()); // turns off the logs of libraries
    // System.out ignores errors.
    System.exit(Frame.run(new Main(), new FileOutputStream(FileDescriptor.out), System.err, arguments));
  }
}
