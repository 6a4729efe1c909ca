/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.dropin.calls;

import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.rocksdbffm.torture.dropin.steps.Value;

/** Strings and numbers worth trying: valid and invalid ones. */
public final class CallWords {
  static final int FOLDERS = 6;

  private static final List<String> PROPERTIES =
      List.of(
          "rocksdb.stats", "rocksdb.sstables", "rocksdb.cfstats", "rocksdb.dbstats", "rocksdb.levelstats",
          "rocksdb.num-files-at-level0", "rocksdb.num-files-at-level7", "rocksdb.num-files-at-level2147483648",
          "rocksdb.num-files-at-level-1", "rocksdb.compression-ratio-at-level1", "rocksdb.compression-ratio-at-level99",
          "rocksdb.compression-ratio-at-level4294967295", "rocksdb.estimate-num-keys",
          "rocksdb.cur-size-all-mem-tables",
          "rocksdb.block-cache-usage", "rocksdb.block-cache-entry-stats", "rocksdb.aggregated-table-properties",
          "rocksdb.aggregated-table-properties-at-level1", "rocksdb.aggregated-table-properties-at-level99",
          "rocksdb.aggregated-table-properties-at-level-1", "rocksdb.options-statistics", "rocksdb.blob-stats",
          "rocksdb.num-live-versions", "rocksdb.estimate-live-data-size", "rocksdb.min-log-number-to-keep",
          "rocksdb.cf-file-histogram", "rocksdb.cf-write-stall-stats", "rocksdb.db-write-stall-stats",
          "rocksdb.base-level", "rocksdb.background-errors", "rocksdb.", "rocksdb", "size");

  private static final List<String> OPTIONS =
      List.of(
          "write_buffer_size", "max_bytes_for_level_base", "compression", "comparator", "merge_operator",
          "max_open_files",
          "num_levels", "table_factory", "level0_stop_writes_trigger", "max_background_jobs", "no_such_option");

  private static final List<String> VALUES =
      List.of(
          "0", "1", "-1", "4096", "1k", "100k", "-1T", "9223372036854775807", "18446744073709551615",
          "kSnappyCompression",
          "{a=b;c=d}", "{", "}", "nullptr", "stringappend", "uint64add", "leveldb.BytewiseComparator", "true",
          "a=b;c=d");

  private static final List<String> ODD =
      List.of("", "a", " ", "\0", "a\0b", "\ud800", "\udc00\ud800", "\u20ac\ud83d\ude00", "%s%n%p", "{};=:,", "\n");

  private static final List<Pattern> PATHS =
      List.of(
          Pattern.compile(
              "(RocksDB|TtlDB|TransactionDB|OptimisticTransactionDB)\\.(open.*|listColumnFamilies.*|destroyDB.*)"),
          Pattern.compile("Checkpoint\\..*|BackupEngine(Options)?(\\(|\\.restore).*|DbPath\\(.*"),
          Pattern.compile(".*\\.set(DbLogDir|WalDir|Path|.*Dir)\\(.*"),
          Pattern.compile("Sst.*\\.open\\(.*|OptionsUtil\\..*|PersistentCache\\(.*|.*\\.ingestExternalFile.*"));

  /** For threads, files, levels and other expensive numbers. */
  private static final long[] SMALL = {0, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 10, 16};

  private static final long[] USUAL =
      {16, 32, 64, 100, 255, 256, 512, 1000, 1024, 4096, 65536, 1 << 20, 4 << 20, 64 << 20};

  private static final long[] EXTREME = {
    -1, -2, -3, 63, 127, 128, -128, -129, 32767, 32768, -32768, 65535, 65536, 1L << 30,
    Integer.MAX_VALUE, Integer.MIN_VALUE, 1L << 31, 1L << 32, (1L << 32) - 1, (1L << 32) + 1, 1L << 33, 1L << 40,
    1L << 48, 1L << 62, Long.MAX_VALUE, Long.MAX_VALUE - 1, Long.MIN_VALUE, Long.MIN_VALUE + 1
  };

  private static final double[] REALS = {
    0, 0.5, 1, 0.1, 10, 100, 1.5, -1, -0.0, 1e-300, 1e300, Double.NaN, Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    Double.MAX_VALUE, Double.MIN_VALUE
  };

  private CallWords() {}

  static long whole(Random random) {
    int kind = random.nextInt(10);
    return kind < 5 ? any(SMALL, random) : kind < 8 ? any(USUAL, random) : any(EXTREME, random);
  }

  private static long any(long[] of, Random random) {
    return of[random.nextInt(of.length)];
  }

  static double real(Random random) {
    return REALS[random.nextInt(REALS.length)];
  }

  private static String any(List<String> of, Random random) {
    return of.get(random.nextInt(of.size()));
  }

  static boolean takesPath(ApiMember member) {
    return PATHS.stream().anyMatch(each -> each.matcher(member.key()).matches());
  }

  /** Returns a string for a parameter of a member. The case runs in a separate folder. */
  static Value.Text text(ApiMember member, String folder, Random random) {
    if (takesPath(member)) {
      return path(folder, random);
    }
    int kind = random.nextInt(20);
    if (kind == 0) {
      boolean takesOptionString = member.key().contains(".parse(");
      return new Value.Text("ab", 1 << random.nextInt(takesOptionString ? 12 : 20)); // the parser's time is quadratic
    }
    if (kind < 5) {
      return new Value.Text(any(ODD, random), 1);
    }
    String key = member.key().toLowerCase(java.util.Locale.ROOT);
    List<String> all = key.contains("property") ? PROPERTIES : random.nextBoolean() ? OPTIONS : VALUES;
    return new Value.Text(any(all, random), 1);
  }

  /** Returns a relative path without "..", so that only files in the folder are destroyed. */
  static Value.Text path(String folder, Random random) {
    int kind = random.nextInt(12);
    String base = folder + "/db" + random.nextInt(FOLDERS);
    String path =
        switch (kind) {
          case 0 -> folder + "/missing/deep/down";
          case 1 -> base + "\0";
          case 2 -> folder + "/" + "long".repeat(80);
          case 3 -> folder + "/\ud800";
          case 4 -> base + "/CURRENT";
          case 5 -> folder + "/some" + random.nextInt(3) + ".sst";
          default -> base;
        };
    return new Value.Text(path, 1);
  }

  static boolean takesFamilyName(ApiMember member) {
    return member.key().startsWith("ColumnFamilyDescriptor(") || member.key().contains("createColumnFamilies");
  }

  static byte[] family(Random random) {
    int kind = random.nextInt(6);
    return kind == 0
        ? key(random)
        : (kind == 1 ? "default" : "cf" + random.nextInt(4)).getBytes(java.nio.charset.StandardCharsets.US_ASCII);
  }

  static byte[] key(Random random) {
    int kind = random.nextInt(20);
    return switch (kind) {
      case 0 -> new byte[0];
      case 1 -> new byte[] {-1, -1, -1};
      case 2 -> new byte[random.nextInt(300)];
      default -> new byte[] {'k', (byte) ('0' + random.nextInt(10))};
    };
  }
}
