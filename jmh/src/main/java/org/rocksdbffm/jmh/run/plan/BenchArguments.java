/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run.plan;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.rocksdbffm.jmh.command.CommandLine;

/**
 * The command line of {@code ./bench}, parsed.
 *
 * @param groups empty for the headline set
 * @param rows the names of the groups' rows to measure; empty for all
 * @param sizes the sizes to measure; empty for the sizes of each row
 * @param threads the numbers of threads to measure; empty for the numbers of each row
 * @param json the file for the results; null for none
 * @param old results to compare with; null for none
 */
public record BenchArguments(
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

  /** Returns the requested pace. */
  public Pace pace() {
    if (quick) {
      return Pace.QUICK;
    }
    return groups.isEmpty() ? Pace.HEADLINE : Pace.FULL;
  }

  boolean isForAll() {
    return groups.equals(List.of(Group.values()));
  }

  /** Returns the part of the command line that selects measurements. */
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

  public static BenchArguments parse(String... words) throws CommandLine.Mistake {
    CommandLine line =
        CommandLine.parse(
            Set.of("--quick"), Set.of("--row", "--sizes", "--threads", "--json", "--compare"), words);
    List<Group> groups = new ArrayList<>();
    for (String name : line.names()) {
      groups.addAll(groups(name));
    }
    groups = groups.stream().distinct().toList();
    List<String> rows = line.values("--row").stream().distinct().toList();
    checkRows(rows, groups);
    return new BenchArguments(
        groups,
        rows,
        line.has("--quick"),
        line.numbers("--sizes", MOST_BYTES),
        line.numbers("--threads", MOST_THREADS),
        line.writable("--json"),
        line.readable("--compare"));
  }

  private static List<Group> groups(String name) throws CommandLine.Mistake {
    List<Group> groups =
        Stream.of(Group.values())
            .filter(group -> name.equals("all") || group.id().equals(name.toLowerCase(Locale.ROOT)))
            .toList();
    if (groups.isEmpty()) {
      throw new CommandLine.Mistake("There is no group " + name);
    }
    return groups;
  }

  private static void checkRows(List<String> rows, List<Group> groups) throws CommandLine.Mistake {
    for (String row : rows) {
      if (groups.isEmpty()) {
        throw new CommandLine.Mistake("--row needs a group, as in ./bench get --row array");
      }
      List<String> names =
          Catalogue.rows().stream().filter(each -> groups.contains(each.group())).map(PlannedRow::name).distinct()
              .toList();
      if (!names.contains(row)) {
        throw new CommandLine.Mistake("--row: there is no '" + row + "' but " + String.join("; ", names));
      }
    }
  }
}
