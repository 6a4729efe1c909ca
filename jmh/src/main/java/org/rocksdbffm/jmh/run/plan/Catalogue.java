/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run.plan;

import static org.rocksdbffm.jmh.run.plan.Engine.COMPAT;
import static org.rocksdbffm.jmh.run.plan.Engine.FFM;
import static org.rocksdbffm.jmh.run.plan.Engine.JAVA;
import static org.rocksdbffm.jmh.run.plan.Engine.JNI;
import static org.rocksdbffm.jmh.run.plan.Engine.WITHOUT_JNI;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.rocksdbffm.jmh.benchmarks.CallBenchmark;
import org.rocksdbffm.jmh.benchmarks.ComparatorBenchmark;
import org.rocksdbffm.jmh.benchmarks.FilterBenchmark;
import org.rocksdbffm.jmh.benchmarks.FirstGet;
import org.rocksdbffm.jmh.benchmarks.GetBenchmark;
import org.rocksdbffm.jmh.benchmarks.GuardBenchmark;
import org.rocksdbffm.jmh.benchmarks.LatencyBenchmark;
import org.rocksdbffm.jmh.benchmarks.MergeBenchmark;
import org.rocksdbffm.jmh.benchmarks.MultiGetBenchmark;
import org.rocksdbffm.jmh.benchmarks.OpenBenchmark;
import org.rocksdbffm.jmh.benchmarks.ScanBenchmark;
import org.rocksdbffm.jmh.benchmarks.SendBenchmark;
import org.rocksdbffm.jmh.benchmarks.StructBenchmark;
import org.rocksdbffm.jmh.benchmarks.TransactionBenchmark;
import org.rocksdbffm.jmh.benchmarks.WriteBenchmark;
import org.rocksdbffm.jmh.work.DataPlace;

/** The catalogue of all rows that can be measured. */
public final class Catalogue {
  private static final Integer[] FINE = {16, 100, 512, 1024, 2048, 4096, 16384, 65536, 262144, 1048576};
  private static final Integer[] ROWS = {16, 100, 1024, 4096, 16384, 65536};
  private static final Integer[] COARSE = {100, 4096, 65536};
  private static final Integer[] WRITTEN = {100, 4096};
  private static final Integer[] THREADS = {1, 2, 8};
  private static final String[] JNI_GETS = {"array", "into array", "into direct buffer"};
  private static final Set<Engine> FFM_ONLY = Set.of(FFM);

  private Catalogue() {}

  public static List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    rows.addAll(gets());
    rows.addAll(getsElsewhere());
    rows.addAll(latencies());
    rows.addAll(scans());
    rows.addAll(multiGets());
    rows.addAll(writes());
    rows.addAll(transactions());
    rows.addAll(callbacks());
    rows.addAll(starts());
    rows.add(
        Row.of(Group.HANDOFF, "value to socket", SendBenchmark.class, "send")
            .sizes(4096, 65536, 1048576)
            .quick(4096, 65536, 1048576));
    rows.addAll(CompatCatalogue.rows());
    rows.addAll(UpstreamCatalogue.rows());
    return rows;
  }

  private static Row get(String name, String method) {
    return Row.of(Group.GET, name, GetBenchmark.class, method).sizes(FINE);
  }

  private static List<Row> gets() {
    return List.of(
        get("array", "array").quick(COARSE).headline(COARSE).threads(THREADS),
        get("into array", "intoArray").often(FINE),
        get("into direct buffer", "intoDirect").quick(COARSE).headline(COARSE).often(FINE),
        get("into segment", "intoSegment").only(WITHOUT_JNI).againstJni(JNI_GETS).headline(COARSE).often(FINE),
        get("pinned", "pinned")
            .only(WITHOUT_JNI)
            .againstJni(JNI_GETS)
            .quick(COARSE)
            .headline(COARSE)
            .often(FINE)
            .threads(THREADS),
        counting(get("array, counting", "array")).headline(4096),
        counting(get("into direct buffer, counting", "intoDirect")).headline(4096),
        counting(get("pinned, counting", "pinned"))
            .only(WITHOUT_JNI)
            .againstJni("array, counting", "into direct buffer, counting")
            .headline(4096),
        get("array, statistics", "array").sizes(COARSE).with("statistics", true),
        get("array, with a deadline", "array").sizes(COARSE).with("deadline", true),
        get("pinned, viewed", "pinnedView").only(FFM_ONLY).againstJni(JNI_GETS).againstNative("pinned").sizes(COARSE),
        get("callback", "callback").only(FFM_ONLY).againstJni(JNI_GETS).againstNative("pinned").sizes(COARSE),
        get("fill or pin", "fillOrPin").only(WITHOUT_JNI).againstJni(JNI_GETS).often(FINE),
        get("in an arena", "inArena").only(FFM_ONLY).againstJni(JNI_GETS).againstNative("fill or pin").sizes(COARSE));
  }

  /** All engines have RocksDB count what threads do, as it does by default; in all other rows none has. */
  private static Row counting(Row row) {
    return row.sizes(COARSE).with("counting", true);
  }

  private static List<Row> getsElsewhere() {
    List<Row> rows = new ArrayList<>();
    for (DataPlace place : List.of(DataPlace.MEMTABLE, DataPlace.OS_CACHE)) {
      String from = " from " + (place == DataPlace.MEMTABLE ? "memtable" : "OS cache");
      rows.add(get("array" + from, "array").sizes(COARSE).with("place", place));
      rows.add(get("into direct buffer" + from, "intoDirect").sizes(COARSE).with("place", place));
      rows.add(
          get("pinned" + from, "pinned")
              .sizes(COARSE)
              .with("place", place)
              .only(WITHOUT_JNI)
              .againstJni("array" + from, "into direct buffer" + from));
    }
    rows.add(get("missing, Bloom filter", "missing").sizes(100).with("place", DataPlace.FILTER));
    rows.add(get("missing, no filter", "missing").sizes(100));
    return rows;
  }

  /** Single gets with 256 MiB of heap, alone and while 20 MiB a second are written. */
  private static List<Row> latencies() {
    List<Row> rows = new ArrayList<>();
    for (boolean writes : List.of(false, true)) {
      String load = writes ? ", under writes," : ", single,";
      Row array = latency("array" + load, "array", writes).headline(writes ? new Integer[] {4096} : new Integer[0]);
      Row direct = latency("into direct buffer" + load, "intoDirect", writes);
      Row pinned =
          latency("pinned" + load, "pinned", writes)
              .only(WITHOUT_JNI)
              .againstJni(array.name(), direct.name())
              .headline(writes ? new Integer[] {4096} : new Integer[0]);
      rows.addAll(List.of(array, direct, pinned));
    }
    return rows;
  }

  private static Row latency(String name, String method, boolean writes) {
    return Row.of(Group.GET, name, LatencyBenchmark.class, method)
        .sizes(4096)
        .with("writes", writes)
        .percentiles(50.0, 99.0, 99.9);
  }

  private static Row scan(String name, String method) {
    return Row.of(Group.SCAN, name, ScanBenchmark.class, method).sizes(ROWS);
  }

  private static List<Row> scans() {
    return List.of(
        scan("arrays", "arrays").quick(COARSE).headline(COARSE),
        scan("forward", "forward")
            .againstJni("forward", "arrays")
            .quick(COARSE)
            .headline(COARSE)
            .often(ROWS)
            .threads(THREADS),
        counting(scan("forward, counting", "forward")).headline(100),
        scan("10 rows, opened and closed", "few").quick(100),
        scan("backward", "backward").quick(100),
        scan("bounded", "bounded").quick(100),
        scan("cursor", "cursor").only(FFM_ONLY).againstJni("forward", "arrays").againstNative("forward").quick(100));
  }

  private static List<Row> multiGets() {
    List<Row> rows = new ArrayList<>();
    for (int keys : List.of(10, 100, 1000)) {
      for (boolean sorted : List.of(false, true)) {
        String of = " of " + keys + (sorted ? ", sorted" : "");
        boolean first = keys == 100 && !sorted;
        Row list = multiGet("list" + of, "list", keys, sorted);
        Row direct = multiGet("direct buffers" + of, "directBuffers", keys, sorted).only(Set.of(JNI, COMPAT));
        Row pinned =
            multiGet("pinned" + of, "pinned", keys, sorted)
                .only(WITHOUT_JNI)
                .againstJni(list.name(), direct.name());
        rows.add(first ? list.quick(COARSE).headline(100, 65536) : list);
        rows.add(first ? direct.quick(COARSE) : direct);
        rows.add(first ? pinned.quick(COARSE).headline(100, 65536) : pinned);
      }
    }
    return rows;
  }

  private static Row multiGet(String name, String method, int keys, boolean sorted) {
    return Row.of(Group.MULTIGET, name, MultiGetBenchmark.class, method)
        .sizes(COARSE)
        .with("keys", keys)
        .with("sorted", sorted);
  }

  private static Row write(String name, String method) {
    return Row.of(Group.WRITE, name, WriteBenchmark.class, method);
  }

  private static List<Row> writes() {
    List<Row> rows = new ArrayList<>();
    rows.add(write("put", "put").sizes(WRITTEN).quick(WRITTEN).headline(100).threads(THREADS));
    rows.add(write("put, logged", "put").sizes(WRITTEN).with("wal", true).quick(100));
    rows.add(write("put of direct buffers", "putDirect").sizes(WRITTEN).againstNative("put").quick(100));
    rows.add(write("delete", "delete").with("valueSize", 100).quick(0));
    rows.add(write("merge", "merge").with("valueSize", 100).quick(0));
    for (int batch : List.of(10, 100, 1000)) {
      Row written = write("batch of " + batch, "writeBatch").sizes(WRITTEN).with("rows", batch);
      Row filled = write("batch of " + batch + ", only filled", "fillBatch").sizes(WRITTEN).with("rows", batch);
      rows.add(batch == 100 ? written.quick(WRITTEN).headline(WRITTEN) : written);
      rows.add(batch == 100 ? filled.quick(100) : filled);
    }
    return rows;
  }

  private static Row above(String name, String method, int pending) {
    return Row.of(Group.TRANSACTION, name, TransactionBenchmark.class, method).sizes(COARSE).with("pending", pending);
  }

  private static List<Row> transactions() {
    List<Row> rows = new ArrayList<>();
    for (String kind : List.of("LOCKING", "OPTIMISTIC")) {
      for (boolean contended : List.of(false, true)) {
        String name = kind.toLowerCase(Locale.ROOT) + (contended ? ", in each other's way" : "");
        Row update =
            Row.of(Group.TRANSACTION, name, TransactionBenchmark.class, "update")
                .sizes(WRITTEN)
                .with("kind", kind)
                .with("contended", contended);
        rows.add(contended ? update.quick(100).threads(2, 8) : update.quick(WRITTEN).threads(THREADS));
      }
    }
    for (int pending : List.of(0, 10, 1000)) {
      String with = ", " + pending + " writes pending";
      Row get = above("get" + with, "get", pending);
      Row pinned = above("pinned" + with, "pinned", pending).only(WITHOUT_JNI).againstJni(get.name());
      rows.add(pending == 10 ? get.quick(COARSE) : get);
      rows.add(pending == 10 ? pinned.quick(COARSE) : pinned);
      Row scan = above("scan, batch of " + pending + " rows", "scan", pending);
      rows.add(pending == 10 ? scan.quick(COARSE) : scan.quick(100));
    }
    return rows;
  }

  /** Calls in both directions, and what they are made of. */
  private static List<Row> callbacks() {
    List<Row> rows = new ArrayList<>();
    for (String method : List.of("get", "put")) {
      rows.add(
          Row.of(Group.CALLBACK, method + ", engine's comparator", ComparatorBenchmark.class, method)
              .with("order", "BYTEWISE")
              .quick(0));
      rows.add(
          Row.of(Group.CALLBACK, method + ", Java comparator", ComparatorBenchmark.class, method)
              .with("order", "JAVA_BYTEWISE")
              .only(JAVA)
              .quick(0)
              .threads(THREADS)
              .headline(0));
    }
    rows.add(
        Row.of(Group.CALLBACK, "get of 5 numbers merged, engine's operator", MergeBenchmark.class, "get")
            .with("merging", "ENGINE")
            .quick(0));
    rows.add(
        Row.of(Group.CALLBACK, "get of 5 numbers merged, Java operator", MergeBenchmark.class, "get")
            .with("merging", "JAVA")
            .only(FFM_ONLY)
            .againstJni()
            .againstNative("get of 5 numbers merged, engine's operator")
            .quick(0));
    rows.add(Row.of(Group.CALLBACK, "row of a filtered compaction", FilterBenchmark.class, "compact").quick(0));
    rows.add(Row.of(Group.CALLBACK, "smallest call", CallBenchmark.class, "smallest").quick(0).threads(THREADS));
    rows.add(
        Row.of(Group.CALLBACK, "empty downcall", GuardBenchmark.class, "downcall")
            .only(FFM_ONLY)
            .againstJni()
            .quick(0));
    for (String access : List.of("read by layout", "read by offset", "write by layout", "write by offset")) {
      String method = access.split(" ")[0] + "By" + (access.endsWith("layout") ? "Layout" : "Offset");
      rows.add(
          Row.of(Group.CALLBACK, "struct " + access, StructBenchmark.class, method)
              .only(FFM_ONLY)
              .againstJni()
              .quick(0));
    }
    return rows;
  }

  private static List<Row> starts() {
    return List.of(
        Row.of(Group.STARTUP, "start", FirstGet.class, "run").quick(0).headline(0),
        Row.of(Group.STARTUP, "open and close", OpenBenchmark.class, "openAndClose").quick(0));
  }
}
