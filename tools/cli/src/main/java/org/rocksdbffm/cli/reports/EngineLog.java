/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.reports;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.internal.format.DatabaseFile;

/** The info log of a database: flushes, compactions, stalls and failures. */
final class EngineLog {
  private static final Pattern MESSAGE =
      Pattern.compile("(\\d{4}/\\d\\d/\\d\\d-\\d\\d:\\d\\d:\\d\\d)\\.\\d+ \\S+ (.*)");
  private static final Pattern DELAYED = Pattern.compile("\\(Original Log Time ([^.)]*)[^)]*\\) (.*)");
  private static final Pattern FIELD =
      Pattern.compile("\"(\\w+)\": (\"((?:[^\"\\\\]|\\\\.)*)\"|\\[[^\\]]*]|[^,\\s}\\]]+)");
  private static final Pattern WARNING =
      Pattern.compile("\\[WARN] (?:\\[\\S+:\\d+] )?\\[(.*?)] ((?:Stalling|Stopping) writes .*)");
  private static final Pattern FAILURE = Pattern.compile("\\[(?:ERROR|FATAL)] (?:\\[\\S+:\\d+] )?(.*)");
  private static final Pattern OPENING = Pattern.compile("RocksDB version: .*");
  private static final String EVENT = "EVENT_LOG_v1 ";
  private static final String COUNTERS = "STATISTICS:";

  private final List<Entry> entries = new ArrayList<>();
  private final Map<String, Map<String, String>> running = new HashMap<>();
  private final StringBuilder counters = new StringBuilder();
  private boolean inCounters;

  /** The kinds of entries. */
  enum Kind {
    OPENING,
    FLUSH,
    COMPACTION,
    INGESTION,
    SLOWDOWN,
    STOP,
    ERROR;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** An entry; components are null if the engine does not log them. */
  record Entry(String time, Kind kind, String family, String what, ByteSize in, ByteSize out, Double seconds) {}

  private EngineLog() {}

  /** Reads all info log files of a folder, starting with the oldest. */
  static EngineLog in(Path folder) throws IOException {
    EngineLog log = new EngineLog();
    for (Path file : files(folder)) {
      log.read(file);
    }
    log.running.values().forEach(log::addUnfinished);
    return log;
  }

  private static List<Path> files(Path folder) throws IOException {
    Path newest = folder.resolve("LOG");
    if (Files.notExists(newest)) { // false if this user may not see it
      throw new NoSuchFileException(newest.toString(), null,
          "there is no such file: messages go elsewhere (db_log_dir), or nowhere");
    }
    try (Stream<Path> files = Files.list(folder)) {
      return Stream.concat(
              files.filter(file -> file.getFileName().toString().startsWith("LOG.old.")).sorted(),
              Stream.of(newest))
          .toList();
    }
  }

  List<Entry> entries() {
    return entries;
  }

  /** Returns the last logged statistics, in the engine's format; empty if none. */
  String counters() {
    return counters.toString();
  }

  private void read(Path file) throws IOException {
    try (BufferedReader lines = new BufferedReader(
        new InputStreamReader(DatabaseFile.open(file), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        Matcher message = MESSAGE.matcher(line);
        if (message.matches()) {
          inCounters = false;
          take(message.group(1), message.group(2));
        } else if (inCounters) {
          counters.append(line.strip()).append('\n');
        }
      }
    } catch (NoSuchFileException deleted) {
      return; // deleted by the process that has the database open
    }
  }

  private void take(String time, String text) {
    Matcher delayed = DELAYED.matcher(text);
    if (delayed.matches()) {
      take(delayed.group(1), delayed.group(2));
    } else if (text.startsWith(EVENT)) {
      takeEvent(time, fields(text));
    } else if (text.endsWith(COUNTERS)) {
      counters.setLength(0);
      inCounters = true;
    } else {
      takeMessage(time, text);
    }
  }

  private void takeMessage(String time, String text) {
    Matcher warning = WARNING.matcher(text);
    Matcher failure = FAILURE.matcher(text);
    if (warning.matches()) {
      Kind kind = warning.group(2).startsWith("Stopping") ? Kind.STOP : Kind.SLOWDOWN;
      entries.add(new Entry(time, kind, warning.group(1), warning.group(2), null, null, null));
    } else if (failure.matches()) {
      entries.add(new Entry(time, Kind.ERROR, null, failure.group(1), null, null, null));
    } else if (OPENING.matcher(text).matches()) {
      running.values().forEach(this::addUnfinished);
      running.clear();
      entries.add(new Entry(time, Kind.OPENING, null, text, null, null, null));
    }
  }

  private static Map<String, String> fields(String json) {
    Map<String, String> fields = new HashMap<>();
    Matcher field = FIELD.matcher(json);
    while (field.find()) {
      fields.putIfAbsent(field.group(1), field.group(3) == null ? field.group(2) : field.group(3));
    }
    return fields;
  }

  private void takeEvent(String time, Map<String, String> fields) {
    String job = fields.get("job");
    String event = fields.getOrDefault("event", "");
    fields.put("time", time);
    if (event.equals("flush_started") || event.equals("compaction_started")) {
      running.put(job, fields);
    } else if (event.equals("trivial_move")) {
      String moved = "moved to L" + fields.get("destination_level") + ": " + fields.get("files");
      entries.add(new Entry(time, Kind.COMPACTION, null, moved, null, size(fields.get("total_files_size")), null));
    } else if (event.equals("ingest_finished")) {
      entries.add(new Entry(time, Kind.INGESTION, null, "table files from elsewhere", null, null, null));
    } else if (event.equals("table_file_creation") && running.containsKey(job)) {
      Map<String, String> started = running.get(job);
      started.putIfAbsent("cf_name", fields.getOrDefault("cf_name", ""));
      started.merge("written", fields.getOrDefault("file_size", "0"), (a, b) ->
          Long.toString(Long.parseLong(a) + Long.parseLong(b)));
    } else if (event.endsWith("_finished") && running.containsKey(job)) {
      add(running.remove(job), fields);
    }
  }

  private void add(Map<String, String> began, Map<String, String> ended) {
    boolean isFlush = began.get("event").startsWith("flush");
    String target = ended.containsKey("output_level") ? " to L" + ended.get("output_level") : "";
    String written = isFlush ? began.get("written") : ended.get("total_output_size");
    entries.add(
        new Entry(
            began.get("time"),
            isFlush ? Kind.FLUSH : Kind.COMPACTION,
            began.get("cf_name"),
            what(began) + target,
            size(began.get(isFlush ? "total_data_size" : "input_data_size")),
            size(written),
            seconds(began.get("time_micros"), ended.get("time_micros"))));
  }

  private void addUnfinished(Map<String, String> began) {
    boolean isFlush = began.get("event").startsWith("flush");
    Kind kind = isFlush ? Kind.FLUSH : Kind.COMPACTION;
    ByteSize in = size(began.get(isFlush ? "total_data_size" : "input_data_size"));
    entries.add(
        new Entry(began.get("time"), kind, began.get("cf_name"), what(began) + ", not finished", in, null, null));
  }

  private static String what(Map<String, String> began) {
    StringBuilder what =
        new StringBuilder(began.getOrDefault("flush_reason", began.getOrDefault("compaction_reason", "")));
    began.keySet().stream().filter(name -> name.startsWith("files_L")).sorted().forEach(name -> {
      int files = began.get(name).split(",").length;
      what.append(", ").append(files).append(" of ").append(name.substring("files_".length()));
    });
    return what.toString();
  }

  private static ByteSize size(String bytes) {
    return bytes == null ? null : ByteSize.bytes(Long.parseLong(bytes));
  }

  private static Double seconds(String from, String until) {
    return from == null || until == null ? null : (Long.parseLong(until) - Long.parseLong(from)) / 1e6;
  }
}
