/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.DataStreamWriter;
import org.apache.spark.sql.streaming.StateOperatorProgress;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdb.RocksDB;

/**
 * Streaming queries of Spark in this JVM, with state in databases: started, stopped, and continued from a checkpoint.
 */
class StateStoreTest {
  private static final String STORE = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider";
  private static final String SETTING = "spark.sql.streaming.stateStore.rocksdb.";
  private static final int FILES = 5;

  @TempDir Path folder;

  private final Random random = new Random(11);
  private SparkSession spark;

  @Test
  void theDropInIsAlone() throws Exception {
    for (Method method : RocksDB.class.getDeclaredMethods()) {
      assertFalse(Modifier.isNative(method.getModifiers()), method.toString());
    }
    String classPath = System.getProperty("surefire.real.class.path", System.getProperty("java.class.path"));
    for (String entry : classPath.split(File.pathSeparator)) {
      assertFalse(entry.contains("rocksdbjni"), entry);
    }
    ClassLoader loader = SparkSession.class.getClassLoader();
    assertEquals(1, Collections.list(loader.getResources("org/rocksdb/RocksDB.class")).size());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void countsGoOnWhereTheyEnded(boolean changelog) throws Exception {
    TreeMap<String, Long> expected = new TreeMap<>();
    for (int run = 0; run < 3; run++) {
      start(Map.of(SETTING + "changelogCheckpointing.enabled", "" + changelog, SETTING + "boundedMemoryUsage", "true"));
      writeWords(run, expected);
      Dataset<Row> counts = words().groupBy("value").count();
      StreamingQuery query = countToTheEnd(counts);
      assertEquals(expected, counts());
      StateOperatorProgress state = query.lastProgress().stateOperators()[0];
      assertEquals(expected.size(), state.numRowsTotal());
      assertTrue(state.customMetrics().containsKey("rocksdbCommitFlushLatency"), state.customMetrics().toString());
      assertTrue(state.customMetrics().get("rocksdbSstFileSize") >= 0);
      stop();
    }
    assertTrue(checkpointHasState(), "there is state in the checkpoint");
  }

  @Test
  void whatWasSeenIsNotSeenAgain() throws Exception {
    TreeMap<String, Long> expected = new TreeMap<>();
    for (int run = 0; run < 2; run++) {
      start(Map.of(SETTING + "compactOnCommit", "true", SETTING + "trackTotalNumberOfRows", "false"));
      writeWords(run, expected);
      appendToTheEnd(words().dropDuplicates());
      assertEquals(expected.size(), spark.read().text(appended()).count());
      stop();
    }
  }

  @Test
  void twoStreamsAreJoinedOverARestart() throws Exception {
    for (int run = 0; run < 2; run++) {
      start(Map.of());
      write("words/left-" + run, run == 0 ? List.of("a", "b", "c") : List.of("d", "e"));
      write("others/right-" + run, run == 0 ? List.of("c", "d") : List.of("a", "e", "b"));
      Dataset<Row> others = spark.readStream().text(folder.resolve("others").toString());
      appendToTheEnd(words().join(others, "value"));
      assertEquals(run == 0 ? 1 : 5, spark.read().text(appended()).count());
      stop();
    }
  }

  private void start(Map<String, String> settings) {
    SparkSession.Builder builder =
        SparkSession.builder()
            .master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.local.dir", folder.resolve("local").toString())
            .config("spark.sql.warehouse.dir", folder.resolve("warehouse").toString())
            .config("spark.sql.shuffle.partitions", "3")
            .config("spark.sql.streaming.minBatchesToRetain", "2")
            .config("spark.sql.streaming.stateStore.providerClass", STORE);
    settings.forEach(builder::config);
    spark = builder.getOrCreate();
  }

  @AfterEach
  void stop() {
    if (spark != null) {
      spark.stop();
      spark = null;
    }
  }

  private Dataset<Row> words() {
    return spark.readStream().option("maxFilesPerTrigger", 2).text(folder.resolve("words").toString());
  }

  private StreamingQuery countToTheEnd(Dataset<Row> counts) throws Exception {
    return toTheEnd(counts.writeStream().outputMode("complete").format("memory").queryName("result"));
  }

  private void appendToTheEnd(Dataset<Row> rows) throws Exception {
    toTheEnd(rows.writeStream().outputMode("append").format("text").option("path", appended()));
  }

  private String appended() {
    return folder.resolve("appended").toString();
  }

  /** Runs a query on all input that is available now, and waits for its end. */
  private StreamingQuery toTheEnd(DataStreamWriter<Row> writer) throws Exception {
    StreamingQuery query =
        writer
            .option("checkpointLocation", folder.resolve("checkpoint").toString())
            .trigger(Trigger.AvailableNow())
            .start();
    query.awaitTermination();
    return query;
  }

  private TreeMap<String, Long> counts() {
    TreeMap<String, Long> counts = new TreeMap<>();
    for (Row row : spark.sql("select * from result").collectAsList()) {
      counts.put(row.getString(0), row.getLong(1));
    }
    return counts;
  }

  private void writeWords(int run, Map<String, Long> counts) throws IOException {
    for (int file = 0; file < FILES; file++) {
      List<String> words = new ArrayList<>();
      for (int i = 0; i < 400; i++) {
        String word = "word-" + random.nextInt(300 * (run + 1));
        words.add(word);
        counts.merge(word, 1L, Long::sum);
      }
      write("words/%d-%d".formatted(run, file), words);
    }
  }

  private void write(String name, List<String> lines) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.write(file, lines);
  }

  private boolean checkpointHasState() throws IOException {
    try (Stream<Path> files = Files.walk(folder.resolve("checkpoint/state"))) {
      return files.anyMatch(file -> file.toString().endsWith(".zip") || file.toString().endsWith(".changelog"));
    }
  }
}
