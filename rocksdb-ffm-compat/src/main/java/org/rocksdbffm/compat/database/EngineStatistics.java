/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.database;

import static java.util.Map.entry;

import java.util.Map;
import org.rocksdb.HistogramData;
import org.rocksdb.HistogramType;
import org.rocksdb.TickerType;
import org.rocksdbffm.compat.support.Text;

/**
 * Creates and reads the engine's statistics. The C API accesses statistics only through options, so JNI entry points
 * create them, and each read creates temporary options.
 */
public final class EngineStatistics {
  /** The engine's numbers of histograms for which rocksdbjni uses other numbers. */
  private static final Map<Integer, Integer> NUMBERS =
      Map.ofEntries(
          entry(0x3b, 60),
          entry(0x3c, 61),
          entry(0x3d, 62),
          entry(0x3f, 59),
          entry(0x40, 65),
          entry(0x41, 66),
          entry(0x42, 70),
          entry(0x43, 71),
          entry(0x44, 72),
          entry(0x45, 73),
          entry(0x46, 74),
          entry(0x47, 75),
          entry(0x48, 76),
          entry(0x49, 77),
          entry(0x4a, 78),
          entry(0x4b, 79),
          entry(0x4c, 67),
          entry(0x4d, 68),
          entry(0x4e, 69));

  /** The enum's maximum. This value has no counter: with it, the engine would read past its array of counters. */
  private static final byte NO_TICKER = TickerType.TICKER_ENUM_MAX.getValue();

  private static final byte NO_HISTOGRAM = HistogramType.HISTOGRAM_ENUM_MAX.getValue();

  private EngineStatistics() {}

  public static long create(long other) {
    return Java_org_rocksdb_Statistics_newStatistics__J(other);
  }

  /** Ignores the histograms to exclude, as rocksdbjni does. */
  public static long create(byte[] ignoredHistograms, long other) {
    return create(other);
  }

  /** Resets the counters. The JNI entry point would use its JNIEnv only if the engine failed, which it never does. */
  public static void reset(long statistics) {
    Java_org_rocksdb_Statistics_reset(statistics);
  }

  public static String toString(long statistics) {
    long options = optionsWith(statistics);
    try {
      return Text.take(rocksdb_options_statistics_get_string(options));
    } finally {
      rocksdb_options_destroy(options);
    }
  }

  public static long ticker(long statistics, byte type) {
    return type == NO_TICKER ? 0 : Java_org_rocksdb_Statistics_getTickerCount(statistics, type);
  }

  public static long tickerAndReset(long statistics, byte type) {
    return type == NO_TICKER ? 0 : Java_org_rocksdb_Statistics_getAndResetTickerCount(statistics, type);
  }

  public static HistogramData histogram(long statistics, byte type) {
    if (type == NO_HISTOGRAM) {
      return new HistogramData(0, 0, 0, 0, 0, 0, 0, 0, 0);
    }
    long options = optionsWith(statistics);
    long data = rocksdb_statistics_histogram_data_create();
    try {
      rocksdb_options_statistics_get_histogram_data(options, number(type), data);
      return new HistogramData(
          rocksdb_statistics_histogram_data_get_median(data),
          rocksdb_statistics_histogram_data_get_p95(data),
          rocksdb_statistics_histogram_data_get_p99(data),
          rocksdb_statistics_histogram_data_get_average(data),
          rocksdb_statistics_histogram_data_get_std_dev(data),
          rocksdb_statistics_histogram_data_get_max(data),
          rocksdb_statistics_histogram_data_get_count(data),
          rocksdb_statistics_histogram_data_get_sum(data),
          rocksdb_statistics_histogram_data_get_min(data));
    } finally {
      rocksdb_statistics_histogram_data_destroy(data);
      rocksdb_options_destroy(options);
    }
  }

  /** Formats a histogram without its buckets, which the C API does not return. */
  public static String histogramText(long statistics, byte type) {
    HistogramData data = histogram(statistics, type);
    return ("Count: %d Average: %.4f  StdDev: %.2f%nMin: %.0f  Median: %.4f  Max: %.0f%n"
            + "Percentiles: P50: %.2f P95: %.2f P99: %.2f%n")
        .formatted(
            data.getCount(),
            data.getAverage(),
            data.getStandardDeviation(),
            data.getMin(),
            data.getMedian(),
            data.getMax(),
            data.getMedian(),
            data.getPercentile95(),
            data.getPercentile99());
  }

  private static int number(byte type) {
    return NUMBERS.getOrDefault((int) type, (int) type);
  }

  /** Creates default options with statistics. The caller owns them. */
  static long optionsWith(long statistics) {
    long options = rocksdb_options_create();
    Java_org_rocksdb_Options_setStatistics(options, statistics);
    return options;
  }

  private static native long rocksdb_options_create();

  private static native void rocksdb_options_destroy(long options);

  private static native long rocksdb_options_statistics_get_string(long options);

  private static native void rocksdb_options_statistics_get_histogram_data(long options, int type, long data);

  private static native long rocksdb_statistics_histogram_data_create();

  private static native void rocksdb_statistics_histogram_data_destroy(long data);

  private static native double rocksdb_statistics_histogram_data_get_median(long data);

  private static native double rocksdb_statistics_histogram_data_get_p95(long data);

  private static native double rocksdb_statistics_histogram_data_get_p99(long data);

  private static native double rocksdb_statistics_histogram_data_get_average(long data);

  private static native double rocksdb_statistics_histogram_data_get_std_dev(long data);

  private static native double rocksdb_statistics_histogram_data_get_max(long data);

  private static native long rocksdb_statistics_histogram_data_get_count(long data);

  private static native long rocksdb_statistics_histogram_data_get_sum(long data);

  private static native double rocksdb_statistics_histogram_data_get_min(long data);

  private static native void Java_org_rocksdb_Options_setStatistics(long options, long statistics);

  private static native long Java_org_rocksdb_Statistics_newStatistics__J(long other);

  private static native long Java_org_rocksdb_Statistics_getTickerCount(long statistics, byte type);

  private static native long Java_org_rocksdb_Statistics_getAndResetTickerCount(long statistics, byte type);

  private static native void Java_org_rocksdb_Statistics_reset(long statistics);
}
