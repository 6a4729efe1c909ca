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
import org.rocksdbffm.compat.support.EncryptedFiles;
import org.rocksdbffm.compat.support.Encryption;
import org.rocksdbffm.compat.support.Errors;
import org.rocksdbffm.compat.support.Mode;
import org.rocksdbffm.internal.folder.FamilySettings;
import org.rocksdbffm.internal.folder.StoredDatabase;
import org.rocksdbffm.internal.options.DatabaseKind;

/**
 * Checks a database's options against the files in its folder before the opening. The engine trusts the options, and
 * deletes WAL files and tables that it cannot interpret with them.
 */
public final class Stored {
  public static final String PROPERTY = "org.rocksdbffm.compat.replaceStored";

  private static final boolean REPLACES = Boolean.getBoolean(PROPERTY);
  private static final byte FIFO = 2;
  private static final int SKIPS_DAMAGE = 3; // the engine's value of kSkipAnyCorruptedRecords
  private static final String DEFAULT = "default";

  private Stored() {}

  /**
   * Throws if the database in the folder would lose data, or not find its data, if it were opened with the options.
   * Family options cannot harm a database that is only read.
   */
  public static void require(DatabaseKind kind, long options, String path) throws RocksDBException {
    require(kind, options, path, family(options));
  }

  /** As above, with the given column families. */
  public static void require(DatabaseKind kind, long options, String path, byte[][] names, long[] familyOptions)
      throws RocksDBException {
    require(kind, options, path, families(names, familyOptions));
  }

  /** Checks only database options, because the engine wraps the merge operators of TTL databases. */
  static void requireWhole(long options, String path) throws RocksDBException {
    require(DatabaseKind.PLAIN, options, path, List.of());
  }

  /** Returns the names of a database's column families. */
  public static byte[][] families(long options, String path) throws RocksDBException {
    EncryptedFiles.requireDatabase(path);
    return Java_org_rocksdb_RocksDB_listColumnFamilies(options, path);
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

  /**
   * Throws if options are refused. Options refused by their recorded names are checked again with the engine's objects.
   * Outside strict mode, a loss of data that rocksdbjni also allows causes only a warning.
   */
  private static void require(DatabaseKind kind, long options, String path, List<Family> families)
      throws RocksDBException {
    Encryption.requirePossible(options);
    EncryptedFiles.requireDatabase(path);
    LostCurrentCheck.requireNone(options, path);
    if (REPLACES) {
      return;
    }
    String refusal = refusal(kind, options, path, families, Family::asTold, Set.of());
    if (refusal != null) {
      refusal = refusal(kind, options, path, families, Family::asItLies, Set.of()); // reads the engine's objects
    }
    if (refusal != null && !Mode.isStrict()) {
      String warning = refusal;
      List<Family> checked = kind.isForReading() ? List.of() : families;
      refusal = refusal(kind, options, path, checked, Family::asDropped, Set.of(StoredDatabase.DAMAGED_LOG));
      if (refusal == null) {
        Mode.warnOnce(warning, path + " is opened as rocksdbjni opens it, and strict refuses it: " + warning);
      }
    }
    if (refusal != null) {
      throw Errors.of(
          refusal + " (open it as it was written, or put back what is missing; -D" + PROPERTY
          + "=true opens it all the same)");
    }
  }

  private interface View {
    FamilySettings of(Family family);
  }

  /** Returns why the options are refused, or null. If accepted, sets the options that the stored database needs. */
  private static String refusal(
      DatabaseKind kind, long options, String path, List<Family> families, View view, Set<String> replaced) {
    Map<String, String> settings = new HashMap<>(Map.of(StoredDatabase.WAL_DIR, OptionTexts.walFolder(options)));
    settings.put(StoredDatabase.CHECKS, Boolean.toString(rocksdb_options_get_paranoid_checks(options)));
    if (rocksdb_options_get_wal_recovery_mode(options) == SKIPS_DAMAGE) {
      settings.put(StoredDatabase.RECOVERY_MODE, StoredDatabase.SKIPS_DAMAGE);
    }
    Map<String, String> taken = new HashMap<>();
    List<FamilySettings> seen = seen(families, view);
    String refusal =
        Encryption.isOn()
            ? Encryption.during(() -> StoredDatabase.refusal(Path.of(path), kind, settings, seen, replaced, taken))
            : StoredDatabase.refusal(Path.of(path), kind, settings, seen, replaced, taken);
    if (refusal == null && taken.containsKey(StoredDatabase.TWO_PHASES)) {
      rocksdb_options_set_allow_2pc(options, true);
    }
    return refusal;
  }

  private static List<FamilySettings> seen(List<Family> families, View view) {
    List<FamilySettings> seen = new ArrayList<>();
    for (Family family : families) {
      seen.add(view.of(family));
    }
    return seen;
  }

  /** A family's name and options, which may be full options. */
  private record Family(String name, long options, byte style, boolean isWhole) {
    FamilySettings asTold() {
      return settings(MergeOperators.name(options), Set.of());
    }

    /** Treats a merge operator without a known name as the right one. */
    FamilySettings asItLies() {
      String operator = MergeOperators.name(options);
      boolean isUnknown =
          operator == null && FamilyOptions.hasMergeOperator(isWhole ? FamilyOptions.within(options) : options);
      return isUnknown ? settings("unknown", Set.of(StoredDatabase.MERGE_OPERATOR)) : settings(operator, Set.of());
    }

    /** Allows to drop a merge operator that the WAL does not need, and, with FIFO compaction, old data. */
    FamilySettings asDropped() {
      FamilySettings stored = asItLies();
      String operator =
          stored.replaced().isEmpty() ? StoredDatabase.UNUSED_MERGE_OPERATOR : StoredDatabase.MERGE_OPERATOR;
      return new FamilySettings(
          name, stored.settings(), null, false, Set.of(operator, StoredDatabase.COMPACTION_STYLE));
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

  private static native boolean rocksdb_options_get_paranoid_checks(long options);

  private static native int rocksdb_options_get_wal_recovery_mode(long options);

  private static native void rocksdb_options_set_allow_2pc(long options, boolean allow);

  private static native int rocksdb_options_get_compaction_style(long options);

  private static native byte Java_org_rocksdb_ColumnFamilyOptions_compactionStyle(long options);

  private static native byte[][] Java_org_rocksdb_RocksDB_listColumnFamilies(long options, String path)
      throws RocksDBException;
}
