/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.clients.sets;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Properties;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.Env;

/** The options of a project, a set of {@code option-sets.txt}. */
record ClientOptions(String name, List<OptionLine> lines) {
  private static final String PROPERTIES = "properties";

  /** Returns all sets, ordered by name. */
  static List<ClientOptions> all() {
    try (InputStream table = ClientOptions.class.getResourceAsStream("option-sets.txt")) {
      List<String> lines = new String(table.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
      return OptionLine.parse(lines).stream()
          .map(set -> new ClientOptions(set.name(), set.below()))
          .sorted(Comparator.comparing(ClientOptions::name))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the repository of the project. */
  String of() {
    return lines.stream().filter(line -> line.name().equals("of")).findFirst().orElseThrow().value();
  }

  void fill(OptionSet set) {
    Setters setters = new Setters(set);
    for (OptionLine line : lines) {
      String[] words = line.name().split(" ", 2);
      switch (words[0]) {
        case "of", "file", "date" -> {}
        case "kind" -> set.kind = OptionSet.Kind.valueOf(line.value());
        case "ttl" -> set.ttl = Integer.parseInt(line.value());
        case "operand" -> set.operand = bytes(line.value());
        case "ranges" -> set.ranges = Boolean.parseBoolean(line.value());
        case "readOnlyGets" -> set.readOnlyGets = Boolean.parseBoolean(line.value());
        case "change" -> set.changes.add(line.value());
        case "optionsFile" -> set.file(line.textBelow());
        case "shared" -> setters.share(words[1], line);
        case "env" -> setters.call(Env.getDefault(), line.below());
        case "options" -> setters.call(set.options(), line.below());
        case "db" -> database(set, setters, line.below());
        case "family" -> List.of(words[1].split(", ")).forEach(family -> family(set, setters, family, line));
        case "reads" -> setters.call(set.reads, line.below());
        case "writes" -> setters.call(set.writes, line.below());
        default -> throw new AssertionError("an option set has no " + line.name());
      }
    }
  }

  private static byte[] bytes(String operand) {
    return operand.startsWith("0x") ? HexFormat.of().parseHex(operand.substring(2)) : operand.getBytes();
  }

  private static void database(OptionSet set, Setters setters, List<OptionLine> lines) {
    if (hasProperties(lines)) {
      set.db(DBOptions.getDBOptionsFromProps(properties(lines)));
    }
    setters.call(set.db(), withoutProperties(lines));
  }

  private static void family(OptionSet set, Setters setters, String name, OptionLine line) {
    if (hasProperties(line.below())) {
      set.family(name, ColumnFamilyOptions.getColumnFamilyOptionsFromProps(properties(line.below())));
    } else if (!line.value().isEmpty()) {
      set.family(name, (ColumnFamilyOptions) setters.values(line.value()).getFirst());
    }
    setters.call(set.family(name), withoutProperties(line.below()));
  }

  private static boolean hasProperties(List<OptionLine> lines) {
    return !lines.isEmpty() && lines.getFirst().name().equals(PROPERTIES);
  }

  private static Properties properties(List<OptionLine> lines) {
    Properties properties = new Properties();
    lines.getFirst().below().forEach(line -> properties.setProperty(line.name(), line.value()));
    return properties;
  }

  private static List<OptionLine> withoutProperties(List<OptionLine> lines) {
    return lines.stream().filter(line -> !line.name().equals(PROPERTIES)).toList();
  }
}
