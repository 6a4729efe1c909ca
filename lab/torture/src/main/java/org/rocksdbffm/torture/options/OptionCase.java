/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.options;

import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/**
 * Options of a database, the level at which each is set, and the workload. In a file each setting is a line, so that a
 * case can be shrunk by removing lines.
 */
record OptionCase(long work, int steps, Environment environment, List<Setting> settings) {
  /** The placeholder for the case's folder in a value. */
  static final String FOLDER = "%FOLDER%";

  private static final int MOST_STEPS = 150;
  private static final String SURROGATE = "\ud800";
  private static final String WRITTEN_SURROGATE = "%HALF%";

  /** Where an option is set. */
  enum Where {
    CREATE,
    LIVE,
    REOPEN,
    READ_ONLY
  }

  /** The thread that does the work: a platform thread, one that is interrupted all the time, or a virtual one. */
  enum Environment {
    PLATFORM,
    INTERRUPTED,
    VIRTUAL
  }

  /** The setting of an option of the database or of a family. */
  record Setting(Where where, boolean ofDatabase, String name, String value) {
    private static Setting parse(String line) {
      String[] words = line.split(" ", 4);
      return new Setting(
          Where.valueOf(words[0]), words[1].equals(KnownOption.DATABASE), decoded(words[2]), decoded(words[3]));
    }

    private static String decoded(String word) {
      return URLDecoder.decode(word, StandardCharsets.UTF_8).replace(WRITTEN_SURROGATE, SURROGATE);
    }

    private static String encoded(String word) {
      return URLEncoder.encode(word.replace(SURROGATE, WRITTEN_SURROGATE), StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
      String scope = ofDatabase ? KnownOption.DATABASE : KnownOption.FAMILY;
      return where + " " + scope + " " + encoded(name) + " " + encoded(value);
    }
  }

  /** Creates a random case with one or more options; the same seed gives the same case. */
  static OptionCase of(long seed) {
    return of(seed, List.of());
  }

  /** Like {@link #of(long)}, with one of the given options, if there are any. */
  static OptionCase of(long seed, List<KnownOption> among) {
    Random random = new Random(seed);
    int shape = random.nextInt(10);
    int count = shape < 4 ? 1 : shape < 7 ? 2 : 3 + random.nextInt(10);
    List<Setting> settings = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      settings.add(drawn(random, KnownOption.all(), Where.values()[random.nextInt(Where.values().length)]));
    }
    if (!among.isEmpty()) {
      settings.add(drawn(random, among, Where.CREATE));
    }
    settings.sort(Comparator.comparing(Setting::where));
    Environment environment = random.nextInt(4) > 0 ? Environment.PLATFORM : Environment.values()[random.nextInt(3)];
    return new OptionCase(random.nextLong(), MOST_STEPS, environment, settings);
  }

  private static Setting drawn(Random random, List<KnownOption> all, Where where) {
    KnownOption option = all.get(random.nextInt(all.size()));
    String name =
        option.scope().equals(KnownOption.TABLE) ? "block_based_table_factory." + option.name() : option.name();
    if (where == Where.LIVE && option.scope().equals(KnownOption.TABLE)) {
      String value = "{" + option.name() + "=" + new Values(random).of(option) + "}";
      return new Setting(where, false, "block_based_table_factory", value);
    }
    List<KnownOption> parts = option.parts();
    if (!parts.isEmpty() && option.type().startsWith("struct") && random.nextInt(3) == 0) {
      KnownOption part = parts.get(random.nextInt(parts.size()));
      return new Setting(where, option.isOfDatabase(), name + "." + part.name(), new Values(random).of(part));
    }
    if (random.nextInt(40) == 0) {
      name = misspelt(name, random);
    }
    return new Setting(where, option.isOfDatabase(), name, new Values(random).of(option));
  }

  private static String misspelt(String name, Random random) {
    int at = random.nextInt(name.length());
    return switch (random.nextInt(4)) {
      case 0 -> name.substring(0, at) + name.substring(at + 1);
      case 1 -> name + " ";
      case 2 -> name + "=1;x";
      default -> name.toUpperCase();
    };
  }

  static OptionCase read(Path file) throws IOException {
    long work = 0;
    int steps = MOST_STEPS;
    Environment environment = Environment.PLATFORM;
    List<Setting> settings = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      if (line.startsWith("WORK ")) {
        String[] words = line.split(" ");
        work = Long.parseLong(words[1]);
        steps = Integer.parseInt(words[2]);
        environment = Environment.valueOf(words[3]);
      } else if (!line.isBlank() && !line.startsWith("//")) {
        settings.add(Setting.parse(line));
      }
    }
    return new OptionCase(work, steps, environment, settings);
  }

  void write(Path file) throws IOException {
    Files.writeString(file, toString());
  }

  List<Setting> of(Where where) {
    return settings.stream().filter(setting -> setting.where == where).toList();
  }

  OptionCase with(List<Setting> fewer) {
    return new OptionCase(work, steps, environment, fewer);
  }

  OptionCase withSteps(int fewer) {
    return new OptionCase(work, fewer, environment, settings);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("WORK " + work + " " + steps + " " + environment + "\n");
    settings.forEach(setting -> text.append(setting).append('\n'));
    return text.toString();
  }
}
