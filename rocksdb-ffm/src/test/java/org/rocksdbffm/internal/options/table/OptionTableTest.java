/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.internal.options.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.StoredOptions;

class OptionTableTest {
  /**
   * The options whose values in the engine's OPTIONS file differ from the defaults, because they are computed at each
   * opening.
   */
  private static final Set<String> COMPUTED =
      Set.of(
          "create_if_missing", "delayed_write_rate", "arena_block_size", "max_compaction_bytes", "ttl",
          "periodic_compaction_seconds");

  @TempDir Path folder;

  /** After an update of the engine, this names each option without a row, and each option with a changed default. */
  @Test
  void theTableHasEachOptionOfTheEnginesOwnFileWithItsDefault() {
    RocksDb.open(folder).close();
    StoredOptions stored = StoredOptions.load(folder);
    FamilyOptions family = stored.families().get(RocksDb.DEFAULT_COLUMN_FAMILY);
    List<String> wrong = new ArrayList<>();
    compare(OptionTable.DATABASE, stored.database().settings(), wrong);
    compare(OptionTable.FAMILY, family.settings(), wrong);
    compare(OptionTable.TABLE, family.table().settings(), wrong);
    assertEquals(List.of(), wrong);
  }

  private static void compare(String scope, Map<String, String> stored, List<String> wrong) {
    stored.forEach((name, value) -> {
      OptionRow row = OptionTable.find(scope, name);
      if (row == null) {
        wrong.add("no row: " + scope + " " + name);
      } else if (row.type() instanceof StructType) {
        compare(row.type().parts(), OptionText.parse(OptionText.withoutBraces(value)), wrong);
      } else if (!COMPUTED.contains(name) && !row.isDefault(row.type().write(value))) {
        wrong.add("another default: " + scope + " " + name + "=" + value);
      }
    });
  }

  @Test
  void eachLineIsARowThatAcceptsItsDefaultAndIsThereOnce() {
    Set<String> seen = new HashSet<>();
    int rows = 0;
    for (String line : OptionTable.lines()) {
      if (line.isBlank() || line.startsWith("#") || line.startsWith("set ") || line.startsWith("reason ")) {
        continue;
      }
      OptionRow row = OptionRow.of(line);
      assertTrue(seen.add(row.scope() + " " + row.name()), line);
      assertNotNull(OptionTable.find(row.scope(), row.name()), line);
      if (!row.defaultValue().isEmpty()) {
        row.check(row.defaultValue());
      }
      assertTrue(!row.isUnsupported() || !row.reason().isEmpty(), line);
      rows++;
    }
    assertTrue(rows > 300, rows + " rows");
  }

  @ParameterizedTest
  @CsvSource({
    "max_background_jobs, 4, 4", "max_background_jobs, +4, 4", "write_buffer_size, 8M, 8388608", "write_buffer_size, 8m, 8388608",
    "write_buffer_size, {64k}, 65536", "ttl, 18446744073709551614, 18446744073709551614", "max_open_files, -1, -1",
    "blob_garbage_collection_age_cutoff, 5e-1, 0.5", "create_if_missing, 1, true", "compression, kZSTD, kZSTD",
    "compression_per_level, kNoCompression: kZSTD, kNoCompression:kZSTD", "compression_opts, 4, !", "compression_opts, -14:3:0, '{window_bits=-14;level=3;strategy=0;}'",
    "compression_opts, -14:3:0:0:0:true, '{window_bits=-14;level=3;strategy=0;max_dict_bytes=0;zstd_max_train_bytes=0;enabled=true;}'",
    "compression_opts, { level = 3 }, '{level=3;}'", "compression_opts.level, 3, 3", "compression_opts, {id=x}, !", "compression_opts, {level={3}}, '{level=3;}'",
    "compression_opts, {level=1};comparator=x, !", "daily_offpeak_time_utc, 23:30-04:00, 23:30-04:00", "daily_offpeak_time_utc, 23:30, !",
    "daily_offpeak_time_utc, 04:00-04:00, !", "daily_offpeak_time_utc, 24:00-04:00, !",
    "db_log_dir, /tmp/a b, /tmp/a b", "db_log_dir, /tmp/a;b=c, '{/tmp/a;b=c}'", "db_log_dir, a}{, !",
    "merge_operator, {id=StringAppendOperator;delimiter==;}, '{id=StringAppendOperator;delimiter==;}'", "merge_operator, '', nullptr",
    "merge_operator, {id=max}, max", "merge_operator, {id=max;x=1}, !", "prefix_extractor, fixed:3, fixed:3", "prefix_extractor, fixed:0, !",
    "prefix_extractor, fixed:3k, !", "prefix_extractor, fixed:3x, !", "memtable_factory, skip_list:4, skip_list:4", "memtable_factory, vector, !",
    "max_background_jobs, 100k, !", "max_background_jobs, 2147483648, !", "num_levels, -1k, !", "num_levels, 1x, !", "num_levels, 0x10, !",
    "num_levels, 3.5, !", "num_levels, '', !", "write_buffer_size, -1, !", "write_buffer_size, 99999999t, !", "max_background_jobs, 1T, !",
    "sample_for_compression, 4294967296, !", "unordered_write, true, !", "unordered_write, false, false", "compression, zstd, !",
    "blob_garbage_collection_age_cutoff, nan, !", "blob_garbage_collection_age_cutoff, 0x1p-1, !", "blob_garbage_collection_age_cutoff, 1e999, !",
    "rate_limiter, x, !", "preserve_deletes, true, true", "env, Default, !", "plain_table_factory, {}, !"
  })
  void aValueIsWrittenDownAsItWasReadOrRefused(String name, String value, String written) {
    if (written.equals("!")) {
      String message = assertThrows(IllegalArgumentException.class, () -> OptionTable.check("db", name, value)).getMessage();
      assertTrue(message.startsWith("option " + name + ": "), message);
    } else {
      assertEquals(written, OptionTable.check("db", name, value));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "filter_policy, bloomfilter:10, bloomfilter:10", "filter_policy, bloomfilter:12.5:false, bloomfilter:12.5:false",
    "filter_policy, bloomfilter:10:true, bloomfilter:10:true", "filter_policy, ribbonfilter:9.5:-1, ribbonfilter:9.5:-1",
    "filter_policy, bloomfilter, !", "filter_policy, bloomfilter:, !", "filter_policy, bloomfilter:.5, !", "filter_policy, bloomfilter:x, !",
    "filter_policy, bloomfilter:-1, !", "filter_policy, bloomfilter:101, !", "filter_policy, bloomfilter:10:no, !", "filter_policy, blom:10, !",
    "filter_policy, bloomfilter:10:false:, !", "filter_policy, ribbonfilter:10:false, !", "filter_policy, bloomfilter:\u0661, !",
    "block_cache, 8M, '{capacity=8388608;}'", "block_cache, {capacity=1m;num_shard_bits=2}, '{capacity=1048576;num_shard_bits=2;}'",
    "block_cache, {capacity=1m;num_shard_bits=20}, !", "block_cache, fast://, !", "block_size, 0, !", "format_version, 100, !", "index_type, kHashSearch, !"
  })
  void aValueOfATableOptionLikewise(String name, String value, String written) {
    if (written.equals("!")) {
      String message = assertThrows(IllegalArgumentException.class, () -> OptionTable.check("table", name, value)).getMessage();
      assertTrue(message.startsWith("table option " + name + ": "), message);
    } else {
      assertEquals(written, OptionTable.check("table", name, value));
    }
  }

  @Test
  void aNumberIsCheckedWithoutAText() {
    OptionTable.checkNumber("db", "max_background_jobs", 4);
    assertThrows(IllegalArgumentException.class, () -> OptionTable.checkNumber("db", "max_background_jobs", 1 << 20));
    assertThrows(IllegalArgumentException.class, () -> OptionTable.checkNumber("cf", "write_buffer_size", -1));
  }

  @Test
  void aNameIsTakenLetterByLetter() {
    for (String name : new String[] {"", " ttl", "ttl ", "ttl=1;x", "tt", "ttl.x", "compression_opts.", ".ttl", "compression_opts.x", "a\nb"}) {
      assertNull(OptionTable.find(name), name);
    }
    assertEquals("option compression_opts.level", OptionTable.find("compression_opts.level").described());
  }

  @Test
  void anUnknownNameIsToldWithWhereItBelongs() {
    assertEquals("unknown option 'compresion'; did you mean 'compression'?", OptionTable.unknown("db", "compresion"));
    assertEquals(
        "unknown option 'blok_size'; did you mean 'block_size'? It is one of tables: TableOptions sets it",
        OptionTable.unknown("db", "blok_size"));
    assertEquals(
        "unknown table option 'compresion'; did you mean 'compression'? It is none of tables: FamilyOptions sets it",
        OptionTable.unknown("table", "compresion"));
    assertEquals("unknown option 'block_size'; it is one of tables: TableOptions sets it", OptionTable.unknown("db", "block_size"));
    assertEquals("unknown table option 'ttl'; it is none of tables: FamilyOptions sets it", OptionTable.unknown("table", "ttl"));
    assertEquals("unknown table option 'blocksize'; did you mean 'block_size'?", OptionTable.unknown("table", "blocksize"));
  }
}
