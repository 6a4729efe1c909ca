/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.folder;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.rocksdbffm.internal.format.DatabaseFile;

/**
 * An OPTIONS file: the options of the last opening, or changed since. The engine writes one when it opens a database,
 * and when families and options change.
 */
public final class OptionsFile {
  static final String WAL_DIR = "wal_dir";
  static final String TWO_PHASES = "allow_2pc";

  private static final String DATABASE_SECTION = "[DBOptions]";
  private static final String FAMILY_SECTION = "[CFOptions \"";
  private static final String TABLE_SECTION = "[TableOptions/BlockBasedTable \"";

  private final Map<String, String> database = new LinkedHashMap<>();
  private final Map<String, Map<String, String>> families = new LinkedHashMap<>();
  private final Map<String, Map<String, String>> tables = new LinkedHashMap<>();

  private boolean endsSection;

  private OptionsFile() {}

  /**
   * Reads the newest OPTIONS file of a folder; returns null if absent. Refuses an incomplete file: the engine
   * ends each section with an empty line.
   */
  public static OptionsFile newest(Path folder) throws IOException {
    FolderFiles files = FolderFiles.in(folder);
    if (!files.hasOptions()) {
      return null;
    }
    Path file = newestPath(folder);
    try {
      OptionsFile options = read(file, name -> true);
      if (options.endsSection) {
        return options;
      }
      throw new IllegalArgumentException(file + " ends in the middle");
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(e.getMessage() + ": open the database by its program, which writes a new one", e);
    }
  }

  /** Returns the path of the newest OPTIONS file of a folder. */
  public static Path newestPath(Path folder) throws IOException {
    return folder.resolve(FolderFiles.in(folder).newestOptionsName());
  }

  /** Reads the wanted options of the newest OPTIONS file; returns null if it is missing or malformed. */
  static OptionsFile readable(Path folder, FolderFiles files, Set<String> wanted) throws IOException {
    try {
      return files.hasOptions() ? read(folder.resolve(files.newestOptionsName()), wanted::contains) : null;
    } catch (NoSuchFileException | IllegalArgumentException e) {
      return null; // unknown, which is safe
    }
  }

  /**
   * Reads the options with the wanted names.
   *
   * @throws IllegalArgumentException if the file is malformed
   */
  public static OptionsFile read(Path file, Predicate<String> wanted) throws IOException {
    OptionsFile options = new OptionsFile();
    // Invalid UTF-8 in a name is replaced.
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(DatabaseFile.open(file), StandardCharsets.UTF_8))) {
      Map<String, String> section = null;
      for (String raw = lines.readLine(); raw != null; raw = lines.readLine()) {
        String line = raw.strip();
        options.endsSection = line.isEmpty();
        if (line.isEmpty() || line.charAt(0) == '#') {
          continue;
        }
        if (line.charAt(0) == '[') {
          section = options.section(line);
          continue;
        }
        int equals = line.indexOf('=');
        if (equals < 0) {
          throw new IllegalArgumentException(file + " has a line that is not of the form name=value: '" + line + "'");
        }
        String name = line.substring(0, equals);
        if (section != null && wanted.test(name)) {
          section.put(name, unescape(line.substring(equals + 1)));
        }
      }
    }
    if (!options.families.containsKey("default")) {
      throw new IllegalArgumentException(file + " has no options of the default column family");
    }
    return options;
  }

  /** Returns the WAL folder of the last opening, which may be the database folder; null if unknown. */
  static Path logFolder(Path database, FolderFiles files) throws IOException {
    OptionsFile options = readable(database, files, Set.of(WAL_DIR));
    try {
      String named = options == null ? null : options.database.getOrDefault(WAL_DIR, "");
      return named == null ? null : named.isEmpty() ? database : Path.of(named).toAbsolutePath();
    } catch (InvalidPathException e) {
      return null;
    }
  }

  /** Returns the options of a section; null if the section is ignored. */
  private Map<String, String> section(String line) {
    if (line.equals(DATABASE_SECTION)) {
      return database;
    } else if (line.startsWith(FAMILY_SECTION)) {
      return families.computeIfAbsent(nameIn(line, FAMILY_SECTION), name -> new LinkedHashMap<>());
    } else if (line.startsWith(TABLE_SECTION)) {
      return tables.computeIfAbsent(nameIn(line, TABLE_SECTION), name -> new LinkedHashMap<>());
    }
    return null;
  }

  private static String nameIn(String section, String start) {
    return unescape(section.substring(start.length(), Math.max(start.length(), section.lastIndexOf('"'))));
  }

  /** Removes escapes, which the file uses for line breaks and comment characters. */
  private static String unescape(String text) {
    if (text.indexOf('\\') < 0) {
      return text;
    }
    return Pattern.compile("(?s)\\\\(.)").matcher(text).replaceAll(escaped -> Matcher.quoteReplacement(
        switch (escaped.group(1)) {
          case "n" -> "\n";
          case "r" -> "\r";
          default -> escaped.group(1);
        }));
  }

  /** Returns the database options. */
  public Map<String, String> database() {
    return database;
  }

  /** Returns the options of each column family by name. */
  public Map<String, Map<String, String>> families() {
    return families;
  }

  /** Returns the block-based table options of a column family. */
  public Map<String, String> table(String family) {
    return tables.getOrDefault(family, Map.of());
  }
}
