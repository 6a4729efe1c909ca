/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.run;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The command line.
 *
 * @param names parts of the names of rows; empty for all rows
 * @param modes that are measured
 * @param forks how many processes of each engine a row has
 * @param quick whether the processes do a third of the work
 * @param aot whether the JVMs have an AOT cache, which is made before
 * @param json where the results go, or null
 * @param old older results, or null
 * @param list whether the rows are only named
 */
record ProgramArguments(
    List<String> names, List<Mode> modes, int forks, boolean quick, boolean aot, Path json, Path old, boolean list) {
  static final String USAGE =
      "usage: ./bench programs [ROW ...] [--short | --steady] [--forks N] [--quick] [--aot] [--json FILE]"
          + " [--compare OLD.json] [--list]\nA ROW is a part of a name, such as ycsb or ledger. --list only names the rows.";

  private static final int FORKS = 5;
  private static final int QUICK_FORKS = 1;
  private static final int MOST_FORKS = 1000;
  private static final int QUICKER = 3;

  /** A command line that says nothing that can be done. */
  static final class Mistake extends Exception {
    private static final long serialVersionUID = 1;

    Mistake(String message) {
      super(message);
    }
  }

  static ProgramArguments parse(String... words) throws Mistake {
    List<String> names = new ArrayList<>();
    List<Mode> modes = List.of(Mode.values());
    int forks = 0;
    boolean quick = false;
    boolean aot = false;
    Path json = null;
    Path old = null;
    boolean list = false;
    for (int i = 0; i < words.length; i++) {
      switch (words[i]) {
        case "--short" -> modes = List.of(Mode.SHORT);
        case "--steady" -> modes = List.of(Mode.STEADY);
        case "--forks" -> forks = number(words, i++);
        case "--quick" -> quick = true;
        case "--aot" -> aot = true;
        case "--list" -> list = true;
        case "--json" -> json = Path.of(argument(words, i++)).toAbsolutePath();
        case "--compare" -> old = readable(argument(words, i++));
        default -> names.add(name(words[i]));
      }
    }
    return new ProgramArguments(
        List.copyOf(names), modes, forks > 0 ? forks : quick ? QUICK_FORKS : FORKS, quick, aot, json, old, list);
  }

  private static String name(String word) throws Mistake {
    if (ProgramRow.all().stream().noneMatch(row -> row.name().contains(word))) {
      throw new Mistake((word.startsWith("-") ? "There is no option " : "There is no program ") + word);
    }
    return word;
  }

  private static String argument(String[] words, int option) throws Mistake {
    if (option + 1 == words.length || words[option + 1].startsWith("--")) {
      throw new Mistake(words[option] + " needs an argument");
    }
    return words[option + 1];
  }

  private static int number(String[] words, int option) throws Mistake {
    String word = argument(words, option);
    try {
      int number = Integer.parseInt(word);
      if (number >= 1 && number <= MOST_FORKS) {
        return number;
      }
    } catch (NumberFormatException e) {
      // told below
    }
    throw new Mistake(words[option] + ": " + word + ", but it takes 1 to " + MOST_FORKS);
  }

  private static Path readable(String file) throws Mistake {
    Path path = Path.of(file).toAbsolutePath();
    if (!Files.isRegularFile(path)) {
      throw new Mistake("--compare: there is no file " + file);
    }
    return path;
  }

  List<ProgramRow> rows() {
    return ProgramRow.all().stream()
        .filter(row -> names.isEmpty() || names.stream().anyMatch(row.name()::contains))
        .toList();
  }

  long steps(ProgramRow row) {
    return quick ? row.steps() / QUICKER : row.steps();
  }
}
