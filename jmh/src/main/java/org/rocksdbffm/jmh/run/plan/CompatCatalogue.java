/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run.plan;

import static org.rocksdbffm.jmh.run.plan.Engine.COMPAT;
import static org.rocksdbffm.jmh.run.plan.Engine.JNI;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.rocksdbffm.jmh.benchmarks.ComparatorBenchmark;
import org.rocksdbffm.jmh.benchmarks.GetBenchmark;
import org.rocksdbffm.jmh.benchmarks.MultiGetBenchmark;
import org.rocksdbffm.jmh.benchmarks.ScanBenchmark;
import org.rocksdbffm.jmh.benchmarks.TransactionBenchmark;
import org.rocksdbffm.jmh.benchmarks.WriteBenchmark;
import org.rocksdbffm.jmh.work.DataPlace;

/** The rows of rocksdbjni once more, for the drop-in next to it: one source, two jars. */
final class CompatCatalogue {
  private static final Integer[] SIZES = {100, 4096, 65536};
  private static final Integer[] WRITTEN = {100, 4096};

  private CompatCatalogue() {}

  static List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    rows.add(row("get: array", GetBenchmark.class, "array").sizes(SIZES).quick(SIZES));
    rows.add(row("get: into array", GetBenchmark.class, "intoArray").sizes(SIZES).quick(SIZES));
    rows.add(row("get: into direct buffer", GetBenchmark.class, "intoDirect").sizes(SIZES).quick(SIZES));
    rows.add(
        row("get: missing, Bloom filter", GetBenchmark.class, "missing")
            .sizes(100)
            .with("place", DataPlace.FILTER)
            .quick(100));
    for (String method : List.of("arrays", "forward", "backward", "bounded")) {
      Row scan = row("iterate: " + method, ScanBenchmark.class, method).sizes(SIZES);
      rows.add(method.equals("bounded") ? scan.quick(100) : scan.quick(SIZES));
    }
    rows.add(row("iterate: 10 rows, opened and closed", ScanBenchmark.class, "few").sizes(SIZES).quick(100));
    for (int keys : List.of(10, 100)) {
      rows.add(multiGet("multiGet: list of " + keys, "list", keys).quick(SIZES));
      rows.add(multiGet("multiGet: direct buffers of " + keys, "directBuffers", keys).quick(SIZES));
    }
    rows.add(row("put", WriteBenchmark.class, "put").sizes(WRITTEN).quick(WRITTEN));
    rows.add(row("put of direct buffers", WriteBenchmark.class, "putDirect").sizes(WRITTEN).quick(WRITTEN));
    rows.add(row("delete", WriteBenchmark.class, "delete").with("valueSize", 100).quick(0));
    rows.add(row("merge", WriteBenchmark.class, "merge").with("valueSize", 100).quick(0));
    rows.add(row("batch of 100", WriteBenchmark.class, "writeBatch").sizes(WRITTEN).with("rows", 100).quick(WRITTEN));
    rows.add(
        row("batch of 100, only filled", WriteBenchmark.class, "fillBatch")
            .sizes(WRITTEN)
            .with("rows", 100)
            .quick(WRITTEN));
    rows.addAll(transactions());
    for (String method : List.of("get", "put")) {
      rows.add(
          row("comparator in Java: " + method, ComparatorBenchmark.class, method)
              .with("order", "JAVA_BYTEWISE")
              .quick(0));
    }
    return rows;
  }

  private static List<Row> transactions() {
    List<Row> rows = new ArrayList<>();
    for (String kind : List.of("LOCKING", "OPTIMISTIC")) {
      rows.add(
          transaction(kind.toLowerCase(Locale.ROOT), "update")
              .sizes(WRITTEN)
              .with("kind", kind)
              .with("contended", false)
              .quick(WRITTEN));
    }
    for (int pending : List.of(0, 10, 1000)) {
      Row get = transaction("get, " + pending + " writes pending", "get").sizes(SIZES).with("pending", pending);
      Row scan = transaction("scan, batch of " + pending + " rows", "scan").sizes(SIZES).with("pending", pending);
      rows.add(pending == 10 ? get.quick(SIZES) : get);
      rows.add(pending == 10 ? scan.quick(SIZES) : scan);
    }
    return rows;
  }

  private static Row transaction(String name, String method) {
    return row("transaction: " + name, TransactionBenchmark.class, method);
  }

  private static Row row(String name, Class<?> type, String method) {
    return Row.of(Group.COMPAT, name, type, method).only(Set.of(JNI, COMPAT));
  }

  private static Row multiGet(String name, String method, int keys) {
    return row(name, MultiGetBenchmark.class, method).sizes(SIZES).with("keys", keys).with("sorted", false);
  }
}
