/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.reads;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.TableOptions;

/** Options that do not change the results of reads, but the code that finds rows; a shrunk case has fewer options. */
record Settings(List<Setting> all) {
  /** An option of a column family, or of its tables. */
  record Setting(boolean ofTable, String name, String value) {
    @Override
    public String toString() {
      return name + "=" + value;
    }
  }

  static Settings random(Random random) {
    List<Setting> all = new ArrayList<>();
    if (random.nextInt(8) > 0) {
      all.add(new Setting(false, "prefix_extractor", extractor(random)));
    }
    addFilters(all, random);
    if (random.nextInt(3) == 0) {
      all.add(new Setting(false, "enable_blob_files", "true"));
      all.add(new Setting(false, "min_blob_size", random.nextBoolean() ? "0" : "100"));
      all.add(new Setting(false, "enable_blob_garbage_collection", "true"));
      all.add(new Setting(false, "blob_garbage_collection_age_cutoff", "1"));
    }
    String[][] others = {
      {"memtable_prefix_bloom_size_ratio", "0.1"}, {"memtable_whole_key_filtering", "true"},
      {"compaction_style", "kCompactionStyleUniversal"}, {"max_sequential_skip_in_iterations", "1"},
      {"optimize_filters_for_hits", "true"}, {"memtable_factory", "skip_list:4"}, {"disable_auto_compactions", "true"},
      {"level0_file_num_compaction_trigger", "2"}, {"target_file_size_base", "600"}, {"max_successive_merges", "2"},
      {"memtable_max_range_deletions", "2"}, {"max_write_buffer_number", "4"}};
    for (String[] other : others) {
      if (random.nextInt(4) == 0) {
        all.add(new Setting(false, other[0], other[1]));
      }
    }
    return new Settings(all);
  }

  private static String extractor(Random random) {
    int length = 1 + random.nextInt(4);
    return switch (random.nextInt(9)) {
      case 0 -> "rocksdb.Noop";
      case 1, 2, 3 -> "capped:" + length;
      default -> "fixed:" + length;
    };
  }

  private static void addFilters(List<Setting> all, Random random) {
    if (random.nextInt(6) > 0) {
      all.add(new Setting(true, "filter_policy", random.nextBoolean() ? "bloomfilter:20:false" : "ribbonfilter:20"));
    }
    String[][] others = {
      {"whole_key_filtering", "false"}, {"block_size", "64"}, {"block_restart_interval", "2"},
      {"cache_index_and_filter_blocks", "true"}, {"data_block_index_type", "kDataBlockBinaryAndHash"},
      {"index_shortening", "kNoShortening"}, {"format_version", "4"}};
    for (String[] other : others) {
      if (random.nextInt(4) == 0) {
        all.add(new Setting(true, other[0], other[1]));
      }
    }
    if (random.nextInt(3) == 0) {
      all.add(new Setting(true, "index_type", "kTwoLevelIndexSearch"));
      all.add(new Setting(true, "partition_filters", "true"));
      all.add(new Setting(true, "metadata_block_size", "64"));
      all.add(new Setting(true, "decouple_partitioned_filters", Boolean.toString(random.nextBoolean())));
    } else if (random.nextInt(3) == 0) {
      all.add(new Setting(true, "index_type", "kBinarySearchWithFirstKey"));
    }
  }

  /** Returns an option with a random value that is changed while the database is open. */
  static Map<String, String> live(Random random) {
    return Map.of("memtable_prefix_bloom_size_ratio", random.nextBoolean() ? "0" : "0.2");
  }

  FamilyOptions in(FamilyOptions options) {
    TableOptions table = TableOptions.defaults();
    for (Setting setting : all) {
      if (setting.ofTable) {
        table = table.option(setting.name, setting.value);
      } else {
        options = options.option(setting.name, setting.value);
      }
    }
    return options.table(table);
  }

  @Override
  public String toString() {
    return all.toString();
  }
}
