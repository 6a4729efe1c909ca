/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.options;

import java.util.LinkedHashMap;
import java.util.Map;
import org.rocksdbffm.internal.options.table.OptionRow;
import org.rocksdbffm.internal.options.table.OptionTable;
import org.rocksdbffm.internal.options.table.OptionText;

/**
 * The settings of an open column family, which can be changed where RocksDB supports it. Unchecked values are not
 * possible here: a value that the option table does not support can only be set at the opening. A thread that changes
 * settings holds this object's lock until the engine has applied them.
 */
public final class LiveSettings {
  private static final String LEVEL = "kCompactionStyleLevel";
  private static final String FIFO = "kCompactionStyleFIFO";

  /** In universal compaction, RocksDB reserves the last level for files that are ingested behind all others. */
  private static final int LEAST_TO_INGEST_BEHIND = 3;

  private final OptionSettings.Beside beside;
  private volatile CheckedSettings current;

  public LiveSettings(CheckedSettings opened, OptionSettings.Beside beside) {
    this.current = opened;
    this.beside = beside;
  }

  /** A checked change: the text for the engine, and the settings after the engine has applied it. */
  public record Change(Map<String, String> forEngine, CheckedSettings after) {}

  /**
   * Checks a change of the family's options.
   *
   * @throws IllegalArgumentException if an option cannot be changed, or not to this value
   */
  public Change check(Map<String, String> changes) {
    Map<String, String> forEngine = new LinkedHashMap<>();
    Map<String, String> options = new LinkedHashMap<>(current.options());
    Map<String, String> table = new LinkedHashMap<>(current.table());
    Map<String, String> changedTable = new LinkedHashMap<>();
    for (var change : changes.entrySet()) {
      String name = change.getKey();
      if (TableRules.isOfBlocks(name, change.getValue())) {
        changedTable.putAll(TableRules.options(name, change.getValue()));
      } else {
        put(row(name), change.getValue(), current.options(), forEngine);
      }
    }
    forEngine.forEach((name, value) -> change(options, name, value));
    Map<String, String> tableForEngine = new LinkedHashMap<>();
    for (var change : changedTable.entrySet()) {
      put(OptionTable.require(OptionTable.TABLE, change.getKey()), change.getValue(), current.table(), tableForEngine);
    }
    table.putAll(tableForEngine);
    if (!tableForEngine.isEmpty()) {
      forEngine.put(TableRules.FACTORY, "{" + OptionText.format(tableForEngine) + "}");
    }
    CheckedSettings after = new CheckedSettings(options, table);
    OptionRules.checkChange(after, beside);
    TableRules.checkAlways(after);
    return new Change(forEngine, after);
  }

  /** RocksDB changes only the named parts of a structure, so this keeps the others. */
  private static void change(Map<String, String> options, String name, String value) {
    String before = options.get(name);
    Map<String, String> named = value.startsWith("{") ? OptionText.parse(OptionText.withoutBraces(value)) : Map.of();
    if (named.isEmpty() || named.containsKey("id")) { // replaces the whole structure
      options.put(name, value);
      return;
    }
    options.keySet().removeIf(part -> part.startsWith(name + ".") && named.containsKey(part.substring(name.length() + 1)));
    Map<String, String> parts = new LinkedHashMap<>();
    if (before != null && before.startsWith("{")) {
      parts.putAll(OptionText.parse(OptionText.withoutBraces(before)));
    }
    parts.putAll(named);
    options.put(name, "{" + OptionText.format(parts) + "}");
  }

  /** Returns the number of levels of the family. */
  public int levels() {
    int levels = (int) current.number("num_levels");
    if (isByLevel()) {
      return Math.max(2, levels);
    }
    boolean keepsLast = current.isTrue("cf_allow_ingest_behind") && movesToLevels();
    return Math.max(keepsLast ? LEAST_TO_INGEST_BEHIND : 1, levels);
  }

  private boolean isByLevel() {
    return current.options().getOrDefault("compaction_style", LEVEL).equals(LEVEL);
  }

  /** Whether a manual compaction can choose the target level. */
  public boolean movesToLevels() {
    return !FIFO.equals(current.options().get("compaction_style"));
  }

  /** Stores a change that the engine has applied. */
  public void take(Change change) {
    current = change.after();
  }

  /** Returns the row of a family's option; throws for an unknown name, with a hint if it is a database option. */
  private static OptionRow row(String name) {
    OptionRow row = OptionTable.find(OptionTable.FAMILY, name);
    if (row == null && OptionTable.find(OptionTable.DATABASE, name) != null) {
      throw new IllegalArgumentException("option " + name + ": it is the database's; RocksDb.setDatabaseOptions changes it");
    }
    return row == null ? OptionTable.require(OptionTable.FAMILY, name) : row;
  }

  /** Adds a changeable value for the engine; a fixed option is accepted only with its current value. */
  private static void put(OptionRow row, String value, Map<String, String> current, Map<String, String> forEngine) {
    String written = row.require(value);
    if (row.isLive()) {
      forEngine.put(row.name(), written);
    } else if (!written.equals(current.get(row.name())) && (current.containsKey(row.name()) || !row.isDefault(written))) {
      throw new IllegalArgumentException(row.described() + ": it cannot be changed while the database is open; set it for the opening");
    }
  }

  /**
   * Checks a change of the database options of an open database, and returns it in RocksDB's notation.
   *
   * @throws IllegalArgumentException if an option cannot be changed, or not to this value
   */
  public static Map<String, String> checkDatabase(Map<String, String> changes) {
    Map<String, String> forEngine = new LinkedHashMap<>();
    for (var change : changes.entrySet()) {
      String name = change.getKey();
      OptionRow row = OptionTable.find(OptionTable.DATABASE, name);
      if (row == null && OptionTable.find(OptionTable.FAMILY, name) != null) {
        throw new IllegalArgumentException("option " + name + ": it is a column family's; setOptions changes it");
      }
      row = row == null ? OptionTable.require(OptionTable.DATABASE, name) : row;
      String written = row.require(change.getValue());
      if (!row.isLive()) {
        throw new IllegalArgumentException(row.described() + ": it cannot be changed while the database is open; set it for the opening");
      }
      forEngine.put(name, written);
    }
    return forEngine;
  }
}
