/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The options that a database was opened with last.
 *
 * @param database the options of the database as a whole
 * @param columnFamilies the options of each column family, by name
 */
public record StoredOptions(Options database, Map<String, Options> columnFamilies) {
  private static final String FILE_PREFIX = "OPTIONS-";
  private static final String DATABASE_SECTION = "[DBOptions]";
  private static final String FAMILY_SECTION = "[CFOptions \"";
  private static final String TABLE_SECTION = "[TableOptions/BlockBasedTable \"";

  /**
   * Copies the map.
   *
   * @param database the options of the database as a whole
   * @param columnFamilies the options of each column family, by name
   */
  public StoredOptions {
    requireNonNull(database, "database");
    columnFamilies = Map.copyOf(requireNonNull(columnFamilies, "columnFamilies"));
  }

  static StoredOptions load(Path folder) {
    try (Stream<String> lines = Files.lines(newestFile(requireNonNull(folder, "folder")))) {
      return parse(lines);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path newestFile(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.getFileName().toString().matches(FILE_PREFIX + "[0-9]+"))
          .max(Comparator.comparingLong(StoredOptions::number))
          .orElseThrow(
              () -> new IllegalArgumentException("folder: " + folder + " has no options file; it is not a database"));
    }
  }

  private static long number(Path file) {
    return Long.parseLong(file.getFileName().toString().substring(FILE_PREFIX.length()));
  }

  private static StoredOptions parse(Stream<String> lines) {
    Options database = Options.defaults();
    Map<String, Options> families = new LinkedHashMap<>();
    String section = "";
    for (String raw : (Iterable<String>) lines::iterator) {
      String line = raw.strip();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      if (line.startsWith("[")) {
        section = line;
        continue;
      }
      int equals = line.indexOf('=');
      if (equals < 0) {
        throw new IllegalArgumentException(
            "the options file has a line that is not of the form name=value: '" + line + "'");
      }
      String name = line.substring(0, equals);
      String value = unescape(line.substring(equals + 1));
      if (section.equals(DATABASE_SECTION)) {
        database = database.option(name, value);
      } else if (section.startsWith(FAMILY_SECTION)) {
        String family = nameIn(section, FAMILY_SECTION);
        families.put(family, families.getOrDefault(family, Options.defaults()).option(name, value));
      } else if (section.startsWith(TABLE_SECTION)) {
        String family = nameIn(section, TABLE_SECTION);
        Options options = families.getOrDefault(family, Options.defaults());
        families.put(family, options.table(options.table().option(name, value)));
      }
    }
    return new StoredOptions(database, families);
  }

  private static String nameIn(String section, String start) {
    return unescape(section.substring(start.length(), section.lastIndexOf('"')));
  }

  /** The file escapes what would end a line or begin a comment. */
  private static String unescape(String text) {
    if (text.indexOf('\\') < 0) {
      return text;
    }
    StringBuilder plain = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\' && i + 1 < text.length()) {
        c = text.charAt(++i);
        plain.append(c == 'n' ? '\n' : c == 'r' ? '\r' : c);
      } else {
        plain.append(c);
      }
    }
    return plain.toString();
  }
}
