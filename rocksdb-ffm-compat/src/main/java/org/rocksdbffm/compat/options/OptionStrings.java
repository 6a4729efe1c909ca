/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.options;

import org.rocksdb.RocksDBException;
import org.rocksdbffm.compat.support.Encryption;
import org.rocksdbffm.compat.support.Scratch;
import org.rocksdbffm.compat.support.Settings;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.options.table.OptionTable;
import org.rocksdbffm.internal.options.table.OptionText;

/** Options in text form, which the engine parses: from properties, or because the C API has no function for them. */
public final class OptionStrings {
  private OptionStrings() {}

  /** Returns family options; 0 if the engine rejects the text. */
  public static long family(long config, String text) {
    long options = parsed(config, text);
    if (options == 0) {
      return 0;
    }
    try {
      long familyOptions = Java_org_rocksdb_ColumnFamilyOptions_newColumnFamilyOptionsFromOptions(options);
      note(familyOptions, text);
      return familyOptions;
    } finally {
      rocksdb_options_destroy(options);
    }
  }

  /** Returns database options; 0 if the engine rejects the text. */
  public static long database(long config, String text) {
    long options = parsed(config, text);
    if (options != 0) {
      note(options, text);
    }
    return options;
  }

  /** Records the values in a text for the checks at their use. */
  private static void note(long options, String text) {
    try {
      Settings.text(options, OptionTable.DATABASE, OptionText.parse(text));
    } catch (IllegalArgumentException e) {
      return; // only the engine can parse the text
    }
  }

  static void setMergeOperator(long options, String name) {
    // Text applied to the full options would also affect other options.
    setMergeOperatorOfFamily(FamilyOptions.within(options), name);
  }

  static void setMergeOperatorOfFamily(long familyOptions, String name) {
    withMergeOperator(name, operator -> FamilyOptions.swapMergeOperator(operator, familyOptions, true));
  }

  /** Creates an operator with a delimiter. A delimiter of several characters is passed as an option in text form. */
  static long stringAppend(String delimiter) {
    if (delimiter.length() == 1 && delimiter.charAt(0) < 0x80) {
      return Java_org_rocksdb_StringAppendOperator_newSharedStringAppendOperator__C(delimiter.charAt(0));
    }
    if (!delimiter.equals(delimiter.strip()) || delimiter.matches("(?s).*[{}=;:#\\\\\\r\\n].*")) {
      throw new UnsupportedOperationException(
          "StringAppendOperator: a delimiter of several characters may not, in the drop-in, begin or end with a "
          + "blank, or"
              + " have one in it that means something in the engine's options: '"
              + delimiter
              + "'");
    }
    long operator = Java_org_rocksdb_StringAppendOperator_newSharedStringAppendOperator__C(',');
    withMergeOperator(
        "{id=StringAppendOperator;delimiter=" + delimiter + "}",
        target -> FamilyOptions.swapMergeOperator(target, operator, false));
    return operator;
  }

  private interface Use {
    void use(long familyOptions);
  }

  /** Makes the engine create an operator, in temporary family options. */
  private static void withMergeOperator(String text, Use use) {
    long options = rocksdb_options_create();
    try {
      if (tryApply(options, "merge_operator=" + text)) {
        use.use(FamilyOptions.within(options));
      }
    } finally {
      rocksdb_options_destroy(options);
    }
  }

  private static long parsed(long config, String text) {
    long options = Encryption.newOptions();
    boolean understood = tryApply(options, text);
    if (!understood && ConfigFlags.ignoresUnknown(config)) {
      understood = true;
      for (String option : text.split(";")) {
        if (!option.isBlank()) {
          tryApply(options, option); // unknown options are ignored
        }
      }
    }
    if (!understood) {
      rocksdb_options_destroy(options);
      return 0;
    }
    return options;
  }

  /** Applies options in place. Returns false, without any change, if the engine rejects the text. */
  private static boolean tryApply(long options, String text) {
    try {
      apply(options, text);
      return true;
    } catch (RocksDBException e) {
      return false;
    }
  }

  static void apply(long options, String text) throws RocksDBException {
    Call call = Scratch.enter();
    try {
      rocksdb_get_options_from_string(options, Scratch.text(call, text), options, Scratch.error(call));
      Scratch.check(call);
    } finally {
      call.exit();
    }
  }

  private static native long rocksdb_options_create();

  private static native void rocksdb_options_destroy(long options);

  private static native void rocksdb_get_options_from_string(long base, long text, long options, long error);

  private static native long Java_org_rocksdb_ColumnFamilyOptions_newColumnFamilyOptionsFromOptions(long options);

  private static native long Java_org_rocksdb_StringAppendOperator_newSharedStringAppendOperator__C(char delimiter);
}
