/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.state.Stores;
import org.apache.kafka.streams.state.ValueAndTimestamp;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands read a store of Kafka Streams, whose values start with the timestamps of their records. */
class KafkaStreamsTest {
  private static final String FAMILY = "keyValueWithTimestamp";

  @TempDir private Path folder;
  private Path store;

  @BeforeEach
  void write() throws IOException {
    var context = new MockProcessorContext<Void, Void>(new Properties(), new TaskId(0, 0), folder.toFile());
    var supplier = Stores.persistentTimestampedKeyValueStore("totals");
    var written = Stores.timestampedKeyValueStoreBuilder(supplier, Serdes.String(), Serdes.String())
        .withLoggingDisabled().build();
    written.init(context.getStateStoreContext(), written);
    for (int i = 0; i < 300; i++) {
      written.put("order:%03d".formatted(i), ValueAndTimestamp.make("v" + i, 1_700_000_000_000L + i));
    }
    written.close();
    try (var all = Files.walk(folder)) {
      store = all.filter(file -> file.endsWith("CURRENT")).findAny().orElseThrow().getParent();
    }
  }

  @Test
  void timesAndRowsOfATableAreRead() {
    assertEquals(
        List.of("order:001\t2023-11-14T22:13:20.001Z\tv1", "order:002\t2023-11-14T22:13:20.002Z\tv2"),
        CommandRun.lines(0, "scan", store, "-f", FAMILY, "--time", "kafka", "--from", "order:001", "-n", "2"));
    assertEquals(List.of("2023-11-14T22:13:20.007Z\tv7"),
        CommandRun.lines(0, "get", store, "-f", FAMILY, "order:007", "--time", "kafka"));
    assertEquals(List.of("0000018bcfe568077637"),
        CommandRun.lines(0, "get", store, "-f", FAMILY, "order:007", "-v", "hex"));
    assertEquals(List.of("{\"rows\":300,\"keys\":2700,\"values\":3490}"),
        CommandRun.lines(0, "count", store, "-f", FAMILY, "--json"));
    String largest = CommandRun.lines(0, "bigkeys", store, "-f", FAMILY, "--json").getFirst();
    assertTrue(largest.startsWith("{\"prefix\":\"order:\",\"rows\":300,"), largest);
  }

  @Test
  void theFamiliesAreNamed() {
    List<String> info = CommandRun.lines(0, "info", store);
    assertTrue(info.stream().anyMatch(line -> line.matches(FAMILY + " +300 .* kNoCompression .*")), info.toString());
    List<String> doctor = CommandRun.lines(0, "doctor", store);
    assertTrue(doctor.getLast().startsWith("Nothing is wrong with its figures, files and logs (families: "),
        doctor.toString());
    CommandRun.lines(0, "put", store, "-f", FAMILY, "k", "v");
  }

  @Test
  void whatWasDumpedIsLoaded() throws IOException {
    List<String> rows = CommandRun.lines(0, "dump", store, "-f", FAMILY);
    Path file = Files.write(folder.resolve("rows"), rows);
    Path copy = folder.resolve("copy");
    CommandRun.lines(0, "load", copy, "-f", FAMILY, file, "--create");
    assertEquals(rows, CommandRun.lines(0, "dump", copy, "-f", FAMILY));
  }
}
