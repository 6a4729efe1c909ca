/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run.plan;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The command line of {@code ./bench}, parsed.
 *
 * @param groups empty for the headline set
 * @param rows the names of those of the groups' rows that are measured; empty for all
 * @param sizes in place of the rows' own; empty for those
 * @param threads in place of the rows' own; empty for those
 * @param json where the results go, null for nowhere
 * @param old results to compare with, null for none
 */
public record Arguments(
    List<Group> groups,
    List<String> rows,
    boolean quick,
    List<Integer> sizes,
    List<Integer> threads,
    Path json,
    Path old) {
  private static final String GROUPS =
      Arrays.stream(Group.values()).map(Group::id).collect(Collectors.joining("|")) + "|all";

  public static final String USAGE =
      "usage: ./bench [" + GROUPS + "]"
          + " [--row NAME]... [--quick] [--sizes BYTES,...] [--threads N,...] [--json FILE] [--compare OLD.json]";

  private static final int MOST_THREADS = 1024;
  private static final int MOST_BYTES = 64 << 20;

  /** A command line that says nothing that can be done. */
  public static final class Mistake extends Exception {
    private static final long serialVersionUID = 1;

    Mistake(String message) {
      super(message);
    }
  }

  /** The pace that was asked for. */
  public Pace pace() {
    if (quick) {
      return Pace.QUICK;
    }
    return groups.isEmpty() ? Pace.HEADLINE : Pace.FULL;
  }

  boolean isForAll() {
    return groups.equals(List.of(Group.values()));
  }

  /** The command line, as far as it says what is measured. */
  public String command() {
    StringBuilder command = new StringBuilder("./bench");
    if (isForAll()) {
      command.append(" all");
    } else {
      groups.forEach(group -> command.append(' ').append(group.id()));
    }
    rows.forEach(row -> command.append(" --row '").append(row).append('\''));
    command.append(quick ? " --quick" : "");
    command.append(sizes.isEmpty() ? "" : " --sizes " + joined(sizes));
    return command.append(threads.isEmpty() ? "" : " --threads " + joined(threads)).toString();
  }

  private static String joined(List<Integer> numbers) {
    return numbers.stream().map(Object::toString).collect(Collectors.joining(","));
  }

  public static Arguments parse(String... words) throws Mistake {
    List<Group> groups = new ArrayList<>();
    List<String> rows = new ArrayList<>();
    boolean quick = false;
    List<Integer> sizes = List.of();
    List<Integer> threads = List.of();
    Path json = null;
    Path old = null;
    for (int i = 0; i < words.length; i++) {
      switch (words[i]) {
        case "--quick" -> quick = true;
        case "--row" -> rows.add(argument(words, i++));
        case "--sizes" -> sizes = numbers(words[i], argument(words, i++), MOST_BYTES);
        case "--threads" -> threads = numbers(words[i], argument(words, i++), MOST_THREADS);
        case "--json" -> json = writable(argument(words, i++));
        case "--compare" -> old = readable(argument(words, i++));
        case "all" -> groups.addAll(List.of(Group.values()));
        default -> groups.add(group(words[i]));
      }
    }
    groups = groups.stream().distinct().toList();
    checkRows(rows, groups);
    return new Arguments(groups, rows.stream().distinct().toList(), quick, sizes, threads, json, old);
  }

  private static String argument(String[] words, int option) throws Mistake {
    if (option + 1 == words.length || words[option + 1].startsWith("--")) {
      throw new Mistake(words[option] + " needs an argument");
    }
    return words[option + 1];
  }

  private static void checkRows(List<String> rows, List<Group> groups) throws Mistake {
    for (String row : rows) {
      if (groups.isEmpty()) {
        throw new Mistake("--row needs a group, as in ./bench get --row array");
      }
      List<String> names =
          Catalogue.rows().stream().filter(each -> groups.contains(each.group())).map(Row::name).distinct().toList();
      if (!names.contains(row)) {
        throw new Mistake("--row: there is no '" + row + "' but " + String.join("; ", names));
      }
    }
  }

  private static Group group(String word) throws Mistake {
    for (Group group : Group.values()) {
      if (group.id().equals(word.toLowerCase(Locale.ROOT))) {
        return group;
      }
    }
    throw new Mistake((word.startsWith("-") ? "There is no option " : "There is no group ") + word);
  }

  private static List<Integer> numbers(String option, String text, int most) throws Mistake {
    List<Integer> numbers = new ArrayList<>();
    for (String word : text.split(",", -1)) {
      try {
        numbers.add(Integer.parseInt(word.strip()));
      } catch (NumberFormatException e) {
        throw new Mistake(option + ": '" + word + "' is not a number");
      }
      if (numbers.getLast() < 1 || numbers.getLast() > most) {
        throw new Mistake(option + ": " + word + ", but it takes 1 to " + most);
      }
    }
    return numbers.stream().distinct().sorted().toList();
  }

  private static Path writable(String file) throws Mistake {
    Path path = Path.of(file).toAbsolutePath();
    if (Files.isDirectory(path) || !Files.isDirectory(path.getParent())) {
      throw new Mistake("--json: no file can be written at " + file);
    }
    return path;
  }

  private static Path readable(String file) throws Mistake {
    Path path = Path.of(file).toAbsolutePath();
    if (!Files.isRegularFile(path)) {
      throw new Mistake("--compare: there is no file " + file);
    }
    return path;
  }
}
