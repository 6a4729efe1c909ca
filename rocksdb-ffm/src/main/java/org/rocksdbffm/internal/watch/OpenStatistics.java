/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.watch;

import java.lang.foreign.MemorySegment;
import org.rocksdbffm.internal.c.RocksDbC;

/**
 * The engine's statistics of a database, by options that share them and are used for nothing else. The engine's text of
 * them adds up every histogram over all processors; this asks for some. Owns the options. One thread closes it, when no
 * other uses it any more.
 */
public final class OpenStatistics implements AutoCloseable {
  /** The values of a histogram. */
  public static final int PARTS = 6;

  private final MemorySegment options;

  public OpenStatistics(MemorySegment options) {
    this.options = options;
  }

  /** New ones, at the engine's number of a level. */
  public static OpenStatistics ofLevel(int level) {
    MemorySegment options = RocksDbC.rocksdb_options_create();
    RocksDbC.rocksdb_options_enable_statistics(options);
    RocksDbC.rocksdb_options_set_statistics_level(options, level);
    return new OpenStatistics(options);
  }

  /** The engine's defaults with these statistics, which the caller owns. */
  public MemorySegment inNewOptions() {
    return RocksDbC.rocksdb_options_create_copy(options);
  }

  /** Counts by the engine's numbers, and behind them the median, p95, p99, largest, sum and number of each histogram. */
  public double[] read(int[] tickers, int[] histograms) {
    double[] read = new double[tickers.length + PARTS * histograms.length];
    int at = 0;
    for (int ticker : tickers) {
      read[at++] = RocksDbC.rocksdb_options_statistics_get_ticker_count(options, ticker);
    }
    MemorySegment data = RocksDbC.rocksdb_statistics_histogram_data_create();
    for (int histogram : histograms) {
      RocksDbC.rocksdb_options_statistics_get_histogram_data(options, histogram, data);
      read[at++] = RocksDbC.rocksdb_statistics_histogram_data_get_median(data);
      read[at++] = RocksDbC.rocksdb_statistics_histogram_data_get_p95(data);
      read[at++] = RocksDbC.rocksdb_statistics_histogram_data_get_p99(data);
      read[at++] = RocksDbC.rocksdb_statistics_histogram_data_get_max(data);
      read[at++] = RocksDbC.rocksdb_statistics_histogram_data_get_sum(data);
      read[at++] = RocksDbC.rocksdb_statistics_histogram_data_get_count(data);
    }
    RocksDbC.rocksdb_statistics_histogram_data_destroy(data);
    return read;
  }

  @Override
  public void close() {
    RocksDbC.rocksdb_options_destroy(options);
  }
}
