/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.MetricDataType;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.reports.StatisticsLevel;

/** Tests the instruments of OpenTelemetry. */
class RocksDbTelemetryTest {
  @TempDir Path folder;

  @Test
  void instrumentsHaveTheMetricsOfOpenDatabasesAndNoneOfClosedOnes() throws Exception {
    InMemoryMetricReader reader = InMemoryMetricReader.create();
    DatabaseOptions counting = DatabaseOptions.defaults().statistics(StatisticsLevel.TIMERS);
    try (SdkMeterProvider provider = SdkMeterProvider.builder().registerMetricReader(reader).build();
        OpenTelemetrySdk sdk = OpenTelemetrySdk.builder().setMeterProvider(provider).build()) {
      RocksDbTelemetry telemetry = new RocksDbTelemetry(sdk);
      try (RocksDb db = RocksDb.at(folder.resolve("db")).options(counting).open()) {
        db.put("a".getBytes(), "b".getBytes());
        Wait.until("the last of the metrics", () -> collect(reader).containsKey("rocksdb.block_cache.pinned"));
        Map<String, MetricData> all = collect(reader);
        MetricData written = all.get("rocksdb.keys.written");
        assertEquals("{key}", written.getUnit());
        assertEquals(MetricDataType.DOUBLE_SUM, written.getType());
        assertTrue(written.getDoubleSumData().isMonotonic());
        var point = written.getDoubleSumData().getPoints().iterator().next();
        assertEquals(1, point.getValue());
        Attributes ofDatabase = Attributes.builder().put("rocksdb.database", folder.resolve("db").toString()).build();
        assertEquals(ofDatabase, point.getAttributes());
        assertEquals(MetricDataType.DOUBLE_GAUGE, all.get("rocksdb.get.duration.percentile").getType());
        assertEquals("By", all.get("rocksdb.memtable.size").getUnit());
      }
      Wait.until("their end", () -> !collect(reader).containsKey("rocksdb.keys.written"));
      telemetry.close();
      assertEquals(Map.of(), collect(reader));
    }
  }

  private static Map<String, MetricData> collect(InMemoryMetricReader reader) {
    return reader.collectAllMetrics().stream().collect(Collectors.toMap(MetricData::getName, Function.identity()));
  }
}
