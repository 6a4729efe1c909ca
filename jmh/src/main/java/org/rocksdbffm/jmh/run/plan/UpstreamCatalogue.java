/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.rocksdbffm.jmh.upstream.UpstreamComparatorBenchmark;
import org.rocksdbffm.jmh.upstream.UpstreamGetBenchmark;
import org.rocksdbffm.jmh.upstream.UpstreamMultiGetBenchmark;
import org.rocksdbffm.jmh.upstream.UpstreamPutBenchmark;

/**
 * Every benchmark of RocksDB's own Java module, at some of its parameters: all combinations take days. JMH itself runs
 * the others.
 */
final class UpstreamCatalogue {
  private static final String NO_FAMILY = "no_column_family";
  private static final String MANY_FAMILIES = "20_column_families";
  private static final Set<Engine> FFM_ONLY = Set.of(Engine.FFM);

  private static final List<String> MULTI_GETS =
      List.of("multiGetList10", "multiGetListExplicitCF20", "multiGetListRandomCF30", "multiGetBB200");

  private static final List<String> BUFFERS =
      List.of(
          "non-direct_reused-64_adaptive-mutex",
          "non-direct_reused-64_non-adaptive-mutex",
          "non-direct_reused-64_thread-local",
          "direct_reused-64_adaptive-mutex",
          "direct_reused-64_non-adaptive-mutex",
          "direct_reused-64_thread-local",
          "non-direct_no-reuse",
          "direct_no-reuse");

  private UpstreamCatalogue() {}

  static List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    for (String families : List.of(NO_FAMILY, MANY_FAMILIES)) {
      rows.addAll(gets(families));
      rows.addAll(puts(families));
      rows.addAll(multiGets(families));
    }
    for (String direction : List.of("bytewise", "reverse_bytewise")) {
      rows.add(comparator("native_" + direction).quick(0));
      for (String buffers : BUFFERS) {
        rows.add(comparator("java_" + direction + "_" + buffers));
      }
    }
    return rows;
  }

  private static Row row(Class<?> type, String method, String families) {
    String name = method + (families.equals(NO_FAMILY) ? "" : ", 20 families");
    return Row.of(Group.UPSTREAM, name, type, method).with("columnFamilyTestType", families).only(Engine.JAVA);
  }

  private static List<Row> gets(String families) {
    List<Row> rows = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (String method :
        List.of("get", "preallocatedGet", "preallocatedByteBufferGet", "getRandom", "preallocatedGetRandom",
            "outputSliceGet")) {
      Row row = get(method, families);
      names.add(row.name());
      rows.add(families.equals(NO_FAMILY) && names.size() <= 3 ? row.quick(1024) : row);
    }
    String[] best = names.subList(0, 3).toArray(String[]::new);
    rows.add(get("pinnableSliceGet", families).only(FFM_ONLY).againstJni(best));
    return rows;
  }

  private static Row get(String method, String families) {
    Row row = row(UpstreamGetBenchmark.class, method, families).with("keyCount", 1000).with("keySize", 64);
    // Twenty families of large values would be measured by the disk.
    return families.equals(NO_FAMILY) ? row.sizes(64, 1024, 65536) : row.sizes(1024);
  }

  private static List<Row> puts(String families) {
    List<Row> rows = new ArrayList<>();
    for (String method : List.of("put", "putByteArrays", "putByteBuffers")) {
      Row row = row(UpstreamPutBenchmark.class, method, families).with("keyCount", 1000).with("keySize", 64);
      rows.add(families.equals(NO_FAMILY) ? row.sizes(64, 1024, 65536).quick(1024) : row.sizes(1024));
    }
    return rows;
  }

  private static List<Row> multiGets(String families) {
    List<Row> rows = new ArrayList<>();
    for (String method : MULTI_GETS) {
      Row row =
          row(UpstreamMultiGetBenchmark.class, method, families).with("keyCount", 10000).with("multiGetSize", 100);
      rows.add(families.equals(NO_FAMILY) ? row.sizes(64, 4000).quick(64) : row.sizes(64));
    }
    return rows;
  }

  private static Row comparator(String name) {
    return Row.of(Group.UPSTREAM, "put, " + name, UpstreamComparatorBenchmark.class, "put")
        .with("comparatorName", name)
        .only(Engine.JAVA);
  }
}
