/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.database;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.rocksdb.RocksDBException;
import org.rocksdbffm.compat.options.FamilyOptions;
import org.rocksdbffm.compat.options.MergeOperators;
import org.rocksdbffm.compat.options.OptionTexts;
import org.rocksdbffm.compat.support.Errors;
import org.rocksdbffm.compat.support.Mode;
import org.rocksdbffm.internal.folder.FamilySettings;
import org.rocksdbffm.internal.folder.StoredDatabase;

/**
 * Checks the options that a database is to be opened with against what lies in its folder. The engine takes options at
 * their word, and deletes logs and tables that it cannot make sense of with them.
 */
public final class Stored {
  public static final String PROPERTY = "org.rocksdbffm.compat.replaceStored";

  private static final boolean REPLACES = Boolean.getBoolean(PROPERTY);
  private static final byte FIFO = 2;
  private static final String DEFAULT = "default";

  private Stored() {}

  /** Throws if a database in that folder would lose rows by being opened so, or not find them. */
  public static void require(long options, String path) throws RocksDBException {
    require(options, path, family(options), Family::asDropped);
  }

  /** Throws if one of the column families would lose rows by being opened so, or not find them. */
  public static void require(long options, String path, byte[][] names, long[] familyOptions) throws RocksDBException {
    require(options, path, families(names, familyOptions), Family::asDropped);
  }

  /** The same for a database that only reads: with a family's options, whichever they are, it loses nothing. */
  static void requireForReading(long options, String path) throws RocksDBException {
    require(options, path, family(options), null);
  }

  static void requireForReading(long options, String path, byte[][] names, long[] familyOptions)
      throws RocksDBException {
    require(options, path, families(names, familyOptions), null);
  }

  /** Checks all but the families: the engine puts merge operators of its own around those that it is given. */
  static void requireWhole(long options, String path) throws RocksDBException {
    require(options, path, List.of(), null);
  }

  private static List<Family> family(long options) {
    byte style = (byte) rocksdb_options_get_compaction_style(options);
    return List.of(new Family(DEFAULT, options, style, true));
  }

  private static List<Family> families(byte[][] names, long[] options) {
    List<Family> families = new ArrayList<>();
    for (int i = 0; i < names.length; i++) {
      byte style = Java_org_rocksdb_ColumnFamilyOptions_compactionStyle(options[i]);
      families.add(new Family(new String(names[i], UTF_8), options[i], style, false));
    }
    return families;
  }

  /** Whatever the other view does not refuse, or nothing but the whole where there is none, is not supported alone. */
  private static void require(long options, String path, List<Family> families, View lenient) throws RocksDBException {
    LostCurrentCheck.requireNone(options, path);
    if (REPLACES) {
      return;
    }
    Map<String, String> settings = Map.of(StoredDatabase.WAL_DIR, OptionTexts.walFolder(options));
    String refusal = refusal(path, settings, families, Family::asTold);
    if (refusal != null) {
      refusal = refusal(path, settings, families, Family::asItLies); // which needs a look into the engine's objects
    }
    if (refusal != null && !Mode.isStrict()) {
      String warning = refusal;
      refusal =
          refusal(path, settings, lenient == null ? List.of() : families, lenient == null ? Family::asTold : lenient);
      if (refusal == null) {
        Mode.warnOnce(warning, path + " is opened as rocksdbjni opens it, and strict refuses it: " + warning);
      }
    }
    if (refusal != null) {
      throw Errors.of(
          refusal + " (open it as it was written, or put back what is missing; -D" + PROPERTY + "=true opens it all the same)");
    }
  }

  private interface View {
    FamilySettings of(Family family);
  }

  private static String refusal(String path, Map<String, String> settings, List<Family> families, View view) {
    return StoredDatabase.refusal(Path.of(path), settings, families.stream().map(view::of).toList());
  }

  /** A family's options, or the whole ones that they are part of. */
  private record Family(String name, long options, byte style, boolean isWhole) {
    FamilySettings asTold() {
      return settings(MergeOperators.name(options), Set.of());
    }

    /** An operator whose name is not known is taken for the right one. */
    FamilySettings asItLies() {
      String operator = MergeOperators.name(options);
      boolean isUnknown =
          operator == null && FamilyOptions.hasMergeOperator(isWhole ? FamilyOptions.within(options) : options);
      return isUnknown ? settings("unknown", Set.of(StoredDatabase.MERGE_OPERATOR)) : settings(operator, Set.of());
    }

    /** With what may be dropped: an operator that the log does not need, and old rows. */
    FamilySettings asDropped() {
      FamilySettings its = asItLies();
      String operator = its.replaced().isEmpty() ? StoredDatabase.UNUSED_MERGE_OPERATOR : StoredDatabase.MERGE_OPERATOR;
      return new FamilySettings(name, its.settings(), null, false, Set.of(operator, StoredDatabase.COMPACTION_STYLE));
    }

    private FamilySettings settings(String operator, Set<String> replaced) {
      Map<String, String> settings = new HashMap<>();
      if (operator != null) {
        settings.put(StoredDatabase.MERGE_OPERATOR, operator);
      }
      if (style == FIFO) {
        settings.put(StoredDatabase.COMPACTION_STYLE, "kCompactionStyleFIFO");
      }
      return new FamilySettings(name, settings, null, false, replaced);
    }
  }

  private static native int rocksdb_options_get_compaction_style(long options);

  private static native byte Java_org_rocksdb_ColumnFamilyOptions_compactionStyle(long options);
}
