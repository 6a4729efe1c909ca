/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.run;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.rocksdbffm.jmh.command.CommandLine;


/**
 * The command line.
 *
 * @param rows to run
 * @param modes to measure
 * @param forks the number of processes for each row and engine
 * @param quick whether the processes do a third of the work
 * @param aot whether the JVMs use an AOT cache, which a training run creates first
 * @param json the file for the results, or null
 * @param old the file of older results, or null
 * @param list whether to list the rows only
 */
record ProgramArguments(
    List<ProgramRow> rows, List<RunMode> modes, int forks, boolean quick, boolean aot, Path json, Path old,
        boolean list) {
  static final String USAGE =
      "usage: ./bench programs [ROW ...] [--short | --steady] [--forks N] [--quick] [--aot] [--json FILE]"
          + " [--compare OLD.json] [--list]\nA ROW is a part of a name, such as ycsb or ledger. --list only names "
          + "the rows.";

  private static final int FORKS = 5;
  private static final int QUICK_FORKS = 1;
  private static final int MOST_FORKS = 1000;
  private static final int QUICKER = 3;

  static ProgramArguments parse(String... words) throws CommandLine.Mistake {
    CommandLine line =
        CommandLine.parse(
            Set.of("--short", "--steady", "--quick", "--aot", "--list"), Set.of("--forks", "--json", "--compare"),
                words);
    boolean quick = line.has("--quick");
    return new ProgramArguments(
        line.chosen("program", ProgramRow.all(), (row, name) -> row.name().contains(name)),
        Stream.of(RunMode.values()).filter(mode -> !line.has("--" + mode.other().id())).toList(),
        line.number("--forks", quick ? QUICK_FORKS : FORKS, MOST_FORKS),
        quick,
        line.has("--aot"),
        line.writable("--json"),
        line.readable("--compare"),
        line.has("--list"));
  }

  long steps(ProgramRow row) {
    return quick ? row.steps() / QUICKER : row.steps();
  }
}
